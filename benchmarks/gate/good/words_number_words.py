# data: orders
"""Quantities are written as words."""
CONTRACT = {
    "modifies": ["qty_text"],
    "examples": [
        {"input": {"qty_text": "three"}, "output": {"qty_text": "3"}},
        {"input": {"qty_text": "dozen"}, "output": {"qty_text": "12"}},
        {"input": {"qty_text": "Two"}, "output": {"qty_text": "2"}},
    ],
}
_NUMBERS = {"one": "1", "two": "2", "three": "3", "ten": "10", "dozen": "12"}


def detect(df):
    return df["qty_text"].str.lower().isin(_NUMBERS.keys())


def digits_for_words(df):
    """Digits."""
    out = df.copy()
    out["qty_text"] = out["qty_text"].map(lambda v: _NUMBERS.get(v.lower(), v), na_action="ignore")
    return out
