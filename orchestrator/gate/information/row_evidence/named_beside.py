"""Words for nothing that are names, as another column of the row shows: `Null` beside `null.garcia@example.com`.

Called by values_gone.py.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from orchestrator.gate.information.null_tokens import holds_something, is_missing

ENOUGH, MOSTLY = 8, 0.8  # rows, and their share, whose word stands in the other column's cell as well
LONGEST = 80  # characters of a cell that is read
_WORD = re.compile(r"[^\W\d_]+")


def named_beside(
    before: Sequence[Any], after: Sequence[Any], rows: Iterable[int], others: Iterable[Sequence[Any]]
) -> list[int]:
    """Those of the rows that lose a word which another column has beside others, as it has the words of most rows."""
    gone = [row for row in rows if is_missing(after[row]) and _word(before[row]) and not holds_something(before[row])]
    stay = [row for row, cell in enumerate(before) if cell == after[row] and _word(cell) and holds_something(cell)]
    found: set[int] = set()
    for other in others if gone else ():
        named = sum(_is_named(before[row], other[row]) for row in stay)
        if named >= max(ENOUGH, MOSTLY * len(stay)):
            found.update(row for row in gone if _is_named(before[row], other[row]))
    return sorted(found)


def _word(cell: Any) -> str:
    """The cell's one word, in small letters; empty where it is none, or has several."""
    text = cell.strip() if isinstance(cell, str) and len(cell) <= LONGEST else ""
    return text.casefold() if _WORD.fullmatch(text) else ""


def _is_named(cell: Any, beside: Any) -> bool:
    """Whether the other cell has the word, beside one that is not said of nothing."""
    text = beside.partition("@")[0] if isinstance(beside, str) and len(beside) <= LONGEST else ""
    words = [word.casefold() for word in _WORD.findall(text)]
    return _word(cell) in words and any(word != _word(cell) and holds_something(word) for word in words)
