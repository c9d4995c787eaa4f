"""How the cells of a column are put together from others of their row: `{first} {last}`. Called by filled.py.

A cell that is filled otherwise than all that stay are put together says something else, though each of its words stands
in the row.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

ENOUGH = 8  # cells that stay and are put together alike
MOSTLY = 0.9  # of the cells that stay
SHORTEST = 2  # characters of a cell that is surely a part


def template_of_others(stay: Sequence[int], column: Sequence[Any], others: Sequence[Sequence[Any]]) -> str:
    """The one way in which nearly all cells of these rows are put together; empty where there is none."""
    found = Counter(template(column[row], [other[row] for other in others]) for row in stay)
    way, count = found.most_common(1)[0] if found else ("", 0)
    return way if count >= max(ENOUGH, MOSTLY * len(stay)) and "\0" in way else ""


def template(value: Any, beside: Sequence[Any]) -> str:
    """The text with a mark for each cell of the row that stands in it, the longest ones first."""
    text = str(value).casefold()
    parts = sorted(
        ((str(cell).strip().casefold(), at) for at, cell in enumerate(beside)), key=lambda part: -len(part[0])
    )
    for part, at in parts:
        if len(part) >= SHORTEST and part != "none":
            text = text.replace(part, f"\0{at}\0")
    return text
