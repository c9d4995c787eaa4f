# data: places
"""Saint, Mount and Fort are abbreviated."""
CONTRACT = {
    "modifies": ["town"],
    "examples": [
        {"input": {"town": "St. Louis"}, "output": {"town": "Saint Louis"}},
        {"input": {"town": "Mt. Vernon"}, "output": {"town": "Mount Vernon"}},
        {"input": {"town": "Ft. Worth"}, "output": {"town": "Fort Worth"}},
    ],
}
_FULL = [(r"^St\.? ", "Saint "), (r"^Mt\.? ", "Mount "), (r"^Ft\.? ", "Fort ")]


def detect(df):
    return df["town"].str.contains(r"^(?:St|Mt|Ft)\.? ", na=False)


def full_towns(df):
    """No abbreviations."""
    out = df.copy()
    for pattern, word in _FULL:
        out["town"] = out["town"].str.replace(pattern, word, regex=True)
    return out
