# data: products
"""Colours in British spelling, lower case."""
CONTRACT = {
    "modifies": ["colour"],
    "examples": [
        {"input": {"colour": "gray"}, "output": {"colour": "grey"}},
        {"input": {"colour": "dark-blue"}, "output": {"colour": "dark blue"}},
        {"input": {"colour": "blk"}, "output": {"colour": "black"}},
        {"input": {"colour": "Blue "}, "output": {"colour": "blue"}},
    ],
}
_SYNONYMS = {"gray": "grey", "blk": "black", "dark-blue": "dark blue"}


def _colour(value):
    if not isinstance(value, str):
        return value
    value = value.strip().lower()
    if value in _SYNONYMS:
        value = _SYNONYMS[value]
    return value


def detect(df):
    return df["colour"].map(lambda v: isinstance(v, str) and v != _colour(v)).astype(bool)


def colours(df):
    """One word for each colour."""
    return df.assign(colour=df["colour"].map(_colour))
