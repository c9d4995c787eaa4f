"""Values that stood in each other's column. Called by settled_cells.py.

The rows that stay say so: what all of them obey, each exchanged row broke before and obeys now. A day in the column of
times, an end before its beginning, a number that is larger than any other of the column.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.tokens import layout
from orchestrator.gate.information.value_kinds.typed_values import microseconds

ENOUGH = 10  # rows that stay, and show what all obey
CLEARLY = 2  # more often a layout stands in its own column
Pair = tuple[Any, Any]
_Relation = Callable[[Sequence[Pair], Sequence[Pair]], bool]


def exchanged_rows(cells: Sequence[Change], beside: Sequence[Change], rows: Sequence[int]) -> list[int]:
    """Those of the rows whose two values were exchanged, if that is all that happened and the other rows say why."""
    moved = [row for row in rows if beside[row][0] != beside[row][1]]
    turned = [row for row in moved if cells[row] == beside[row][::-1]]
    if not turned or len(turned) != len(rows):
        return []
    stay = [
        (one[0], other[0])
        for one, other in zip(cells, beside, strict=True)
        if one[0] == one[1] and other[0] == other[1] and holds_something(one[0]) and holds_something(other[0])
    ]
    before = [(cells[row][0], beside[row][0]) for row in turned]
    if len(stay) < max(ENOUGH, len(turned)) or not any(relation(stay, before) for relation in _RELATIONS):
        return []
    return turned


def _layouts(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """Each value is built as its new column's values are, and not as those of the column in which it stood."""
    if not all(isinstance(value, str) for pair in (*stay, *before) for value in pair):
        return False
    left, right = (Counter(layout(pair[side]) for pair in stay) for side in (0, 1))
    return all(
        left[layout(b)] >= CLEARLY * max(1, left[layout(a)]) and right[layout(a)] >= CLEARLY * max(1, right[layout(b)])
        for a, b in before
    )


def _signs(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """A sign that every value of one column has, and none of the other, stood in the other: the @ of addresses."""
    if not all(isinstance(value, str) for pair in (*stay, *before) for value in pair):
        return False
    for side in (0, 1):
        signs = set.intersection(*(set(pair[side]) for pair in stay)) - set().union(*(pair[1 - side] for pair in stay))
        found = {sign for sign in signs if not sign.isalnum() and not sign.isspace()}
        if any(all(sign in pair[1 - side] and sign not in pair[side] for pair in before) for sign in found):
            return True
    return False


def _order(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """The one is never larger than the other; or never smaller."""
    stay = [pair for pair in stay if _built(pair) in {_built(one) for one in before}]  # not `lost` among days
    pairs = [*stay, *before]
    if len(stay) < ENOUGH:
        return False
    texts = all(isinstance(value, str) for pair in pairs for value in pair)
    if texts and len({layout(value) + str(len(value)) for pair in pairs for value in pair}) > 1:
        return False
    if texts and not all(any(map(str.isdigit, value)) for pair in pairs for value in pair):
        return False
    values = [value for pair in pairs for value in pair]
    if not texts and not (all(map(_number, values)) or all(microseconds(value) is not None for value in values)):
        return False
    up = all(a <= b for a, b in stay) and all(a > b for a, b in before)
    return up or (all(a >= b for a, b in stay) and all(a < b for a, b in before))


def _built(pair: Pair) -> tuple[str, ...]:
    return tuple(layout(value) if isinstance(value, str) else "number" for value in pair)


def _sizes(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """One column holds no number as large as what stood in it."""
    if not all(_number(value) for pair in (*stay, *before) for value in pair):
        return False
    largest = [max(abs(pair[side]) for pair in stay) for side in (0, 1)]
    return any(
        all(abs(pair[side]) > largest[side] and abs(pair[1 - side]) <= largest[side] for pair in before)
        and all(abs(pair[side]) <= largest[1 - side] for pair in before)
        for side in (0, 1)
    )


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_RELATIONS: Sequence[_Relation] = (_layouts, _signs, _order, _sizes)
