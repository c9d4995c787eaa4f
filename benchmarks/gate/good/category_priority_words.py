# data: orders
"""Priorities as high, medium, low."""
CONTRACT = {
    "modifies": ["priority"],
    "examples": [
        {"input": {"priority": "1 - High"}, "output": {"priority": "high"}},
        {"input": {"priority": "med"}, "output": {"priority": "medium"}},
        {"input": {"priority": "3 - Low"}, "output": {"priority": "low"}},
    ],
}


def _word(value):
    if not isinstance(value, str):
        return value
    text = value.lower()
    if text in ("1 - high", "high"):
        return "high"
    elif text in ("2 - medium", "medium", "med"):
        return "medium"
    elif text in ("3 - low", "low"):
        return "low"
    return value


def detect(df):
    return ~df["priority"].isin(["high", "medium", "low"]) & df["priority"].isin(
        ["1 - High", "2 - Medium", "3 - Low", "HIGH", "med"]
    )


def priority_words(df):
    """Three words."""
    out = df.copy()
    rows = detect(out)
    out.loc[rows, "priority"] = out.loc[rows, "priority"].map(_word)
    return out
