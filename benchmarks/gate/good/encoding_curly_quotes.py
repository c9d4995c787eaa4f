# data: customers
"""Typographic quotes."""
CONTRACT = {"modifies": ["notes"], "examples": [{"input": {"notes": "it\u2019s"}, "output": {"notes": "it's"}}]}
_TABLE = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})


def detect(df):
    return df["notes"].str.contains("[\u2018\u2019\u201c\u201d]", na=False)


def straight_quotes(df):
    """Straight quotes."""
    out = df.copy()
    out["notes"] = out["notes"].map(lambda v: v.translate(_TABLE) if isinstance(v, str) else v)
    return out
