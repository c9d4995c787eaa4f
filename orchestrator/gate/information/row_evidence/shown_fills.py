"""Filled cells that the examples of a fill do not show. Called by filled_cells.py.

An example says of a row like its own that it is filled rightly. It does not speak for a value that comes to stand in a
row without anything, if its own row holds more; nor, if its value is a part of its row, for one that no row says.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.row_evidence.filled import made_up, says_it

_Row = Mapping[str, Any]
_Fill = tuple[_Row, _Row]
_SIGNS = " ,;:-/()[]"
SEVERAL = 2  # examples that fill one value, and none another one, show that it is the same for all rows


def filled_beyond(
    name: str,
    cells: Sequence[Change],
    rows: Sequence[int],
    beside: Mapping[str, Sequence[Change]],
    shown: Sequence[_Fill],
    of_nothing: Collection[Any],
) -> list[int]:
    """Those of the filled rows that say nothing of their value, and that no example shows.

    `beside`: the other columns before and after; `shown`: the examples that fill a cell of this one; `of_nothing`: what
    the function fills into a row that holds nothing.
    """
    before = {other: [one for one, _ in column] for other, column in beside.items()}
    default = [row for row in rows if cells[row][1] in of_nothing and not _is_shown(name, cells, row, before, shown)]
    found = made_up(cells, default, [*before.values()]) if default else []
    return found or _unsaid(name, cells, rows, beside, shown)


def _is_shown(
    name: str, cells: Sequence[Change], row: int, before: Mapping[str, Sequence[Any]], shown: Sequence[_Fill]
) -> bool:
    """Whether an example fills this value in a row that holds no more, or several fill it and nothing else."""
    value = cells[row][1]
    if len(shown) >= SEVERAL and all(wanted[name] == value for _, wanted in shown):
        return True
    empty = [other for other, column in before.items() if is_missing(column[row])]
    return any(
        wanted[name] == value and all(is_missing(given.get(other)) for other in empty) for given, wanted in shown
    )


def _unsaid(
    name: str,
    cells: Sequence[Change],
    rows: Sequence[int],
    beside: Mapping[str, Sequence[Change]],
    shown: Sequence[_Fill],
) -> list[int]:
    """Those that their rows do not say though the row of each example says its value.

    Not where that was chance: several different values, and most of the rows.
    """
    for given, wanted in shown:
        if not says_it(wanted[name], [cell for other, cell in given.items() if other != name]):
            return []
    own = range(len(cells), len(cells) + len(shown))  # the examples as more rows: what one shows is no doubt of others
    more = [*cells, *((given[name], wanted[name]) for given, wanted in shown)]
    others = [
        [*(one for one, _ in column), *(given.get(other) for given, _ in shown)] for other, column in beside.items()
    ]
    found = made_up(more, [*rows, *own], others, as_shown=True)
    if any(row in own for row in found):
        return []
    if 2 * len(found) > len(rows) and len({str(cells[row][1]) for row in found}) > 1:
        return []
    return [row for row in found if not any(_gave(*column[row], cells[row][1]) for column in beside.values())]


def _gave(before: Any, after: Any, value: Any) -> bool:
    """Whether a cell held the value and does not hold it any more, or gave up its end: the `55` of 1855."""
    if not isinstance(before, str):
        return False
    left, text = after if isinstance(after, str) else "", str(value)
    end = before[len(left) :].strip(_SIGNS) if left and before.startswith(left) else ""
    return (text in before and text not in left) or (end != "" and text.endswith(end))
