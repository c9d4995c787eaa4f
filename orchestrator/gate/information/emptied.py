"""Texts that become empty though nothing says that they are wrong. Called by the check `keeps-information`.

What is written where there is nothing stands in many rows, or is built as no other cell. A text that stands once and
looks like those that stay is a value, whatever `detect` says of it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from orchestrator.gate.information.null_tokens import holds_something, is_missing, is_placeholder, stands_for_missing
from orchestrator.gate.information.tokens import layout

OFTEN = 3  # rows of a text that may stand for nothing
ALIKE = 3  # different texts that stay and show how the column's are built


def emptied_like_others(before: Sequence[Any], after: Sequence[Any], elsewhere: Sequence[Any] = ()) -> list[int]:
    """The rows whose text is gone though it looks like others that stay. `elsewhere`: cells of other rows."""
    gone = [row for row, (one, other) in enumerate(zip(before, after, strict=True)) if _lost(one) and is_missing(other)]
    if not gone:
        return []
    often = Counter(value for value in (*before, *elsewhere) if isinstance(value, str))
    stay = Counter(layout(value) for value in {value for value in after if isinstance(value, str)})
    return [row for row in gone if often[before[row]] < OFTEN and stay[layout(before[row])] >= ALIKE]


def _lost(value: Any) -> bool:
    if not isinstance(value, str) or not holds_something(value) or value.strip().isdecimal():
        return False  # of a number nobody can say by its looks whether it is one that may be
    return not is_placeholder(value) and not stands_for_missing(value)
