"""Reads JSON that is signed or vouched for. Called by everything that reads envelopes, statements, bundles and rows.

Where a name stands twice in an object, one reader takes the first value and another one the last: what somebody has
looked at would not be what is used. Where a short text stands for millions of values, they take gigabytes.
"""

import json
import re
from typing import Any

_MOST_VALUES = 2_000_000
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)  # an unfinished one, too: its text is looked at once


def read_json(text: str | bytes) -> Any:
    """The value. Raises ValueError for what is no JSON, a name that stands twice, NaN, too much; RecursionError."""
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    if _separators(text) > _MOST_VALUES and _separators(_STRING.sub("", text)) > _MOST_VALUES:
        raise ValueError("it has too many values")
    return json.loads(text, object_pairs_hook=_unambiguous, parse_constant=_refused)


def _separators(text: str) -> int:
    """As many as there are values in the text, or more: those within strings are counted as well."""
    return sum(map(text.count, "[{,"))


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")
