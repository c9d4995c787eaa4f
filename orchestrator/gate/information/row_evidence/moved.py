"""Values that come to stand in another column of their row, or repeat one that stands there. Called by the check.

Nothing is lost where a remark is put behind another one, or where a cell is emptied that only repeats its neighbour.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import tokens

_BOUND = re.compile(r"\s*([<>]=?|[\u2264\u2265~\u2248])\s*(\S.*?)\s*")
_NUMBER = "0123456789 _-"  # of a column, behind its name
_AROUND = " ,;:-/|()[]\n"
SHORT = 4  # letters and figures that stand in many texts by chance: the 5 of 2025
FEW = 3  # rows that show that every repetition is emptied, or that a value belongs to its column
CHANCE = 3  # times as many repetitions as are to be expected of two columns that have nothing to do with each other


def appended_rows(cells: Sequence[Change], beside: Sequence[Change], rows: Iterable[int]) -> list[int]:
    """Those of the rows whose text only got the value behind it that another column gave up, or gave up such a one."""
    return [row for row in rows if _appended(cells[row], beside[row]) or _appended(beside[row], cells[row])]


def _appended(cell: Change, giver: Change) -> bool:
    """Whether a text got behind it what another cell held, or what is gone from the end of that: `12 (2 broken)`."""
    (before, after), (gone, left) = cell, giver
    if not (isinstance(before, str) and isinstance(after, str) and before.strip() and after.startswith(before)):
        return False
    put = after[len(before) :].strip(_AROUND)
    if is_missing(left):
        return holds_something(gone) and put == str(gone).strip()
    if not (isinstance(gone, str) and isinstance(left, str) and put and gone.startswith(left.strip())):
        return False
    return gone[len(left.strip()) :].strip(_AROUND) == put


def signs_moved(cells: Sequence[Change], beside: Sequence[Change], rows: Iterable[int]) -> list[int]:
    """Those of the rows whose number gave its bound to another column, or had it there, too: `< 3` as 3 beside `<`."""
    found = []
    for row in rows:
        (before, after), (empty, sign) = cells[row], beside[row]
        bound = _BOUND.fullmatch(before) if isinstance(before, str) else None
        if bound and bound.groups() == (sign, after) and (is_missing(empty) or empty == sign):
            found.append(row)
    return found


def moved_into(value: Any, beside: Sequence[Change]) -> bool:
    """Whether another cell of the row holds the value now, and did not before."""
    return any(
        _holds(after, value) and (is_missing(before) or not _holds(before, value))
        for before, after in beside
        if holds_something(after)
    )


def at_home(
    name: str,
    cells: Sequence[Change],
    others: Sequence[Sequence[Change]],
    shown: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]],
) -> set[str]:
    """Values that several rows of the column keep, and none of the `others` had before: they belong nowhere else.

    None where a witness shows a value that comes to stand in another column.
    """
    for given, wanted in shown if others else ():
        if moved_into(given.get(name), [(given.get(other), value) for other, value in wanted.items() if other != name]):
            return set()
    stay = Counter(key(str(before)) for before, after in cells if before == after and holds_something(before))
    elsewhere = {key(str(before)) for other in others for before, _ in other if holds_something(before)}
    return {value for value, count in stay.items() if count >= FEW and value not in elsewhere} if others else set()


def _holds(cell: Any, value: Any) -> bool:
    """Whether all letters and figures of the value stand in the cell; a short one as words of their own."""
    mine = key(str(value))
    if not mine or mine not in key(str(cell)):
        return False
    return len(mine) >= SHORT or f" {' '.join(tokens(str(value)))} " in f" {' '.join(tokens(str(cell)))} "


def repeats(values: Sequence[Any], other: Sequence[Any], emptied: Sequence[int], *, by_chance: bool = False) -> bool:
    """Whether all that is emptied repeats the other column, and no repetition stays.

    `by_chance`: also where no more rows repeat it than two columns of such values do anyway, as a price of 2 stands
    beside a quantity of 2.
    """
    same = [
        row
        for row, (one, two) in enumerate(zip(values, other, strict=True))
        if holds_something(one) and holds_something(two) and one == two
    ]
    if len(same) < FEW or same != sorted(emptied):
        return False
    mine, theirs = Counter(map(str, values)), Counter(map(str, other))
    expected = sum(mine[value] * theirs[value] for value in {str(values[row]) for row in same}) / len(values)
    return by_chance or len(same) > CHANCE * expected


def numbered_alike(one: str, other: str) -> bool:
    """Whether two columns are named as first and second of their kind: `phone` and `phone_2`."""
    return one.rstrip(_NUMBER) == other.rstrip(_NUMBER) != ""


def copied_as_shown(
    name: str,
    cells: Sequence[Change],
    others: Mapping[str, Sequence[Any]],
    shown: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
) -> list[int]:
    """The rows whose cell becomes what stood in the column from which a witness takes it: two names exchanged.

    Only of cells that are written like the one that the witness shows, in capitals or not, with figures or not.
    """
    sources = {
        (other, _written(given.get(name)))
        for given, wanted in shown
        for other in others
        if other in given and holds_something(given[other]) and wanted.get(name) == given[other] != given.get(name)
    }
    return [
        row
        for row, (before, after) in enumerate(cells)
        if holds_something(after) and any(others[one][row] == after and _written(before) == how for one, how in sources)
    ]


def _written(value: Any) -> tuple[bool, bool, bool]:
    text = "" if is_missing(value) else str(value)
    return text.isupper(), text.islower(), any(map(str.isdigit, text))
