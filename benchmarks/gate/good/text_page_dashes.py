# data: articles
"""Ranges of pages have three kinds of dashes."""
import re

CONTRACT = {
    "shape": "text",
    "modifies": ["pages"],
    "examples": [{"input": "12–15", "output": "12-15"}, {"input": "1--9", "output": "1-9"}],
}
_RANGE = re.compile(r"([0-9]+)(?:–|--)([0-9]+)")


def detect(text):
    return _RANGE.fullmatch(text) is not None


def one_dash(text):
    """A hyphen."""
    return _RANGE.sub(r"\1-\2", text) if detect(text) else text
