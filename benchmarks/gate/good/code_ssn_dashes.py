# data: staff
"""Social security numbers with dashes."""
CONTRACT = {
    "modifies": ["ssn"],
    "examples": [
        {"input": {"ssn": "854328052"}, "output": {"ssn": "854-32-8052"}},
        {"input": {"ssn": "313 77 4439"}, "output": {"ssn": "313-77-4439"}},
    ],
}


def detect(df):
    return df["ssn"].str.fullmatch(r"[0-9]{9}|[0-9]{3} [0-9]{2} [0-9]{4}", na=False)


def ssn_dashes(df):
    """999-99-9999."""
    out = df.copy()
    hit = detect(out)
    digits = out.loc[hit, "ssn"].str.replace(" ", "", regex=False)
    out.loc[hit, "ssn"] = digits.str.slice(0, 3) + "-" + digits.str.slice(3, 5) + "-" + digits.str.slice(5, 9)
    return out
