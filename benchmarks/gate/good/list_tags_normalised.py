# data: products
"""Tag lists use several separators and repeat tags."""
import re

CONTRACT = {
    "modifies": ["tags"],
    "examples": [
        {"input": {"tags": "red;Eco|eco"}, "output": {"tags": "eco, red"}},
        {"input": {"tags": "new, sale"}, "output": {"tags": "new, sale"}},
    ],
}


def _tags(value):
    if not isinstance(value, str):
        return value
    parts = {part.strip().lower() for part in re.split(r"[,;|]", value)}
    parts.discard("")
    return ", ".join(sorted(parts)) if parts else value


def detect(df):
    return df["tags"].map(lambda v: isinstance(v, str) and _tags(v) != v).astype(bool)


def tag_lists(df):
    """Sorted, once each, comma and blank."""
    out = df.copy()
    out["tags"] = out["tags"].map(_tags)
    return out
