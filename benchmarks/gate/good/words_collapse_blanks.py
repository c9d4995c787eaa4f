# data: customers
"""Runs of blanks in notes."""
CONTRACT = {
    "modifies": ["notes"],
    "examples": [{"input": {"notes": "call   back\tlater"}, "output": {"notes": "call back later"}}],
}


def detect(df):
    return df["notes"].str.contains(r"\s{2,}|[\t\r\n]|^\s|\s$", regex=True, na=False)


def collapse_blanks(df):
    """One blank between words."""
    out = df.copy()
    out["notes"] = out["notes"].str.replace(r"\s+", " ", regex=True).str.strip(" ")
    out["notes"] = out["notes"].where(detect(df), df["notes"])
    return out
