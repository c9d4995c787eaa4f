# data: orders
"""Words for nothing in comments."""
CONTRACT = {
    "modifies": ["comment"],
    "examples": [
        {"input": {"comment": "N/A"}, "output": {"comment": None}},
        {"input": {"comment": "-"}, "output": {"comment": None}},
        {"input": {"comment": "late"}, "output": {"comment": "late"}},
    ],
}
_NOTHING = {"n/a", "null", "-", "unknown", "none"}


def _is_token(value):
    return isinstance(value, str) and value.strip().lower() in _NOTHING


def detect(df):
    return df["comment"].map(_is_token).astype(bool)


def comment_nulls(df):
    """Null instead of a word for it."""
    out = df.copy()
    out["comment"] = out["comment"].mask(detect(out))
    return out
