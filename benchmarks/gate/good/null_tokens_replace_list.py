# data: orders
"""Null words, by a list."""
CONTRACT = {"modifies": ["comment"]}


def comment_blank(df):
    """Words for nothing become empty text."""
    out = df.copy()
    words = out["comment"].str.strip().str.lower()
    out.loc[words.isin(["n/a", "null", "none", "-", "unknown"]), "comment"] = ""
    return out
