# data: papers
"""Volumes carry labels and decimals."""
import re

CONTRACT = {
    "modifies": ["volume"],
    "examples": [
        {"input": {"volume": "Vol. 40"}, "output": {"volume": "40"}},
        {"input": {"volume": "130.0"}, "output": {"volume": "130"}},
    ],
}


def _volume(value):
    if not isinstance(value, str):
        return value
    m = re.fullmatch(r"(?:vol\.?\s*)?([0-9]+)(?:\.0)?", value.strip(), flags=re.IGNORECASE)
    return m.group(1) if m else value


def detect(df):
    return df["volume"].map(lambda v: isinstance(v, str) and _volume(v) != v).astype(bool)


def volume_numbers(df):
    """The number."""
    out = df.copy()
    out["volume"] = out["volume"].map(_volume)
    return out
