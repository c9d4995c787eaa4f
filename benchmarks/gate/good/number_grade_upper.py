# data: staff
"""Grades in upper case."""
CONTRACT = {
    "modifies": ["grade"],
    "examples": [{"input": {"grade": "b+"}, "output": {"grade": "B+"}}, {"input": {"grade": "incomplete"}, "output": {"grade": "incomplete"}}],
}


def detect(df):
    tidy = df["grade"].str.strip().str.upper()
    return tidy.str.fullmatch(r"[A-F][+-]?", na=False) & (tidy != df["grade"])


def grades(df):
    """A to F."""
    out = df.copy()
    rows = detect(out)
    out.loc[rows, "grade"] = out.loc[rows, "grade"].str.strip().str.upper()
    return out
