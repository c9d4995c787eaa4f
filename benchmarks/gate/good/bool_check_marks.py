# data: products
"""Crosses and ticks."""
CONTRACT = {
    "modifies": ["flag"],
    "examples": [
        {"input": {"flag": "x"}, "output": {"flag": "yes"}},
        {"input": {"flag": "✓"}, "output": {"flag": "yes"}},
        {"input": {"flag": "-"}, "output": {"flag": "no"}},
    ],
}
_MARKS = {"x": "yes", "X": "yes", "✓": "yes", "-": "no"}


def detect(df):
    return df["flag"].map(lambda v: v in _MARKS).astype(bool)


def marks_to_words(df):
    """yes and no; an empty cell stays empty."""
    out = df.copy()
    out["flag"] = out["flag"].map(lambda v: _MARKS.get(v, v))
    return out
