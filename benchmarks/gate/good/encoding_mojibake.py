# data: places
"""Labels were decoded with the wrong code page."""
CONTRACT = {
    "modifies": ["label"],
    "examples": [
        {"input": {"label": "cafÃ© 9"}, "output": {"label": "café 9"}},
        {"input": {"label": "Müller 6"}, "output": {"label": "Müller 6"}},
    ],
}


def _repair(value):
    if not isinstance(value, str) or "Ã" not in value:
        return value
    try:
        return value.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return value


def detect(df):
    return df["label"].map(lambda v: isinstance(v, str) and _repair(v) != v).astype(bool)


def repair_labels(df):
    """UTF-8 read as Windows-1252."""
    out = df.copy()
    out["label"] = out["label"].map(_repair)
    return out
