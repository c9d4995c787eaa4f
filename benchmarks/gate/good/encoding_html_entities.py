# data: customers
"""HTML entities in notes."""
import html

CONTRACT = {"modifies": ["notes"], "examples": [{"input": {"notes": "fish &amp; chips"}, "output": {"notes": "fish & chips"}}]}


def _unescape(value):
    while isinstance(value, str) and html.unescape(value) != value:
        value = html.unescape(value)
    return value


def detect(df):
    return df["notes"].map(lambda v: isinstance(v, str) and html.unescape(v) != v).astype(bool)


def unescape_notes(df):
    """&amp; is &."""
    out = df.copy()
    out["notes"] = out["notes"].map(_unescape)
    return out
