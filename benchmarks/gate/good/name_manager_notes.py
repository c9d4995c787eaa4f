# data: staff
"""Manager cells carry marks."""
CONTRACT = {
    "modifies": ["manager"],
    "examples": [
        {"input": {"manager": "@Tim Turing"}, "output": {"manager": "Tim Turing"}},
        {"input": {"manager": "Ada Liskov (acting)"}, "output": {"manager": "Ada Liskov"}},
    ],
}


def detect(df):
    return df["manager"].str.startswith("@", na=False) | df["manager"].str.endswith(" (acting)", na=False)


def manager_names(df):
    """Only the name."""
    out = df.copy()
    out["manager"] = out["manager"].str.replace(r"^@+", "", regex=True).str.replace(r"( \(acting\))+$", "", regex=True)
    return out
