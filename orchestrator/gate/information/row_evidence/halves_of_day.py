"""Times of twelve hours whose am or pm stands in another column. Called by settled_cells.py.

Where 7:23 beside `PM` becomes 19:23 beside nothing, neither of the two cells has lost anything.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import is_missing

_TWELVE = re.compile(r"(1[0-2]|0?[1-9])[:.]([0-5]\d)")
_TWENTY_FOUR = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_HALF = re.compile(r"([ap])\.?m\.?", re.IGNORECASE)


def clock_rows(cells: Sequence[Change], beside: Sequence[Change], rows: Sequence[int]) -> list[int]:
    """Those of the rows whose time, with what stood beside it, is the same in 24 hours; of either of both columns."""
    return [row for row in rows if _same(cells[row], beside[row]) or _same(beside[row], cells[row])]


def _same(time: Change, half: Change) -> bool:
    if not all(isinstance(text, str) for text in (*time, half[0])) or not is_missing(half[1]):
        return False
    before, after = _TWELVE.fullmatch(time[0].strip()), _TWENTY_FOUR.fullmatch(time[1].strip())
    said = _HALF.fullmatch(half[0].strip())
    if not before or not after or not said:
        return False
    hour = int(before[1]) % 12 + 12 * (said[1].casefold() == "p")
    return (hour, before[2]) == (int(after[1]), after[2])
