"""How the cells of a column are put together from others of their row, or cut from them. Called by filled.py.

A cell that is filled otherwise than all that stay are put together says something else, though each of its words stands
in the row.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from orchestrator.gate.information.null_tokens import is_missing

ENOUGH = 8  # cells that stay and are put together alike
MOSTLY = 0.9  # of the cells that stay
SHORTEST = 2  # characters of a cell that is surely a part


def template_of_others(stay: Sequence[int], column: Sequence[Any], others: Sequence[Sequence[Any]]) -> str:
    """The one way in which nearly all cells of these rows are put together; empty where there is none."""
    found = Counter(template(column[row], [other[row] for other in others]) for row in stay)
    way, count = found.most_common(1)[0] if found else ("", 0)
    return way if count >= max(ENOUGH, MOSTLY * len(stay)) and "\0" in way else ""


def end_of_others(stay: Sequence[int], column: Sequence[Any], others: Sequence[Sequence[Any]]) -> tuple[int, str]:
    """At which end of which other column nearly all of these cells stand: the last name of a full one."""
    found = Counter(
        (at, end) for row in stay for at, other in enumerate(others) if (end := end_of(column[row], other[row]))
    )
    place, count = found.most_common(1)[0] if found else ((-1, ""), 0)
    return place if count >= max(ENOUGH, MOSTLY * len(stay)) else (-1, "")


def end_of(value: Any, cell: Any) -> str:
    """At which end of a cell that holds more a value stands; empty where it stands at none, or at both."""
    text, whole = str(value), f" {cell} "
    first, last = whole.startswith(f" {text} "), whole.endswith(f" {text} ")
    return "" if first is last or text == str(cell) else "first" if first else "last"


def template(value: Any, beside: Sequence[Any]) -> str:
    """The text with a mark for each cell of the row that stands in it, the longest ones first."""
    parts = {str(cell).strip().casefold(): at for at, cell in enumerate(beside) if not is_missing(cell)}
    known = sorted((part for part in parts if len(part) >= SHORTEST), key=len, reverse=True)
    if not known:
        return str(value).casefold()
    return re.sub("|".join(map(re.escape, known)), lambda part: f"\0{parts[part[0]]}\0", str(value).casefold())
