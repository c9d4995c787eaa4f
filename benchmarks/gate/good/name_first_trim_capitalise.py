# data: staff
"""First names."""
CONTRACT = {
    "modifies": ["first"],
    "examples": [{"input": {"first": " ADA\t"}, "output": {"first": "Ada"}}, {"input": {"first": "josé"}, "output": {"first": "José"}}],
}


def detect(df):
    tidy = df["first"].str.strip().str.capitalize()
    return (df["first"] != tidy) & df["first"].notna()


def first_names(df):
    """Trimmed and capitalised."""
    out = df.copy()
    out["first"] = out["first"].str.strip()
    out["first"] = out["first"].str.capitalize()
    return out
