# data: customers
"""Booleans as true and false."""
CONTRACT = {
    "modifies": ["newsletter"],
    "examples": [
        {"input": {"newsletter": "Y"}, "output": {"newsletter": "true"}},
        {"input": {"newsletter": "0"}, "output": {"newsletter": "false"}},
        {"input": {"newsletter": "No"}, "output": {"newsletter": "false"}},
    ],
}
_YES = {"yes", "y", "true", "1"}
_NO = {"no", "n", "false", "0"}


def _flag(value):
    if not isinstance(value, str):
        return value
    if value.lower() in _YES:
        return "true"
    if value.lower() in _NO:
        return "false"
    return value


def detect(df):
    return df["newsletter"].map(lambda v: isinstance(v, str) and _flag(v) != v).astype(bool)


def newsletter_flags(df):
    """true and false."""
    out = df.copy()
    out["newsletter"] = out["newsletter"].map(_flag)
    return out
