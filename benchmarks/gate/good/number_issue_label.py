# data: papers
"""Issues carry labels."""
CONTRACT = {
    "modifies": ["issue"],
    "examples": [
        {"input": {"issue": "no. 4"}, "output": {"issue": "4"}},
        {"input": {"issue": "(6)"}, "output": {"issue": "6"}},
    ],
}


def issue_numbers(df):
    """4, not no. 4."""
    out = df.copy()
    out["issue"] = out["issue"].str.replace(r"^(?:no\.?\s*)([0-9]+)$", r"\1", regex=True, case=False)
    out["issue"] = out["issue"].str.replace(r"^\(([0-9]+)\)$", r"\1", regex=True)
    return out
