"""Reads JSON that is signed or vouched for. Called by everything that reads envelopes, statements, bundles and rows.

Where a name stands twice in an object, one reader takes the first value and another one the last: what somebody has
looked at would not be what is used.
"""

import json
from typing import Any


def read_json(text: str | bytes) -> Any:
    """The value. Raises ValueError for what is no JSON, also for a name that stands twice, and NaN; RecursionError."""
    return json.loads(text, object_pairs_hook=_unambiguous, parse_constant=_refused)


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")
