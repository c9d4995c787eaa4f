"""Values of an added column that their row does not say, or that end inside what the examples take whole.

For added_concerns.py. `TX` for `Washington`, where each example has the state of its place; `New` of `New York, NY`,
where they end at a comma. Nothing is said where an example's own value is not in its row: then it is counted, looked up
or told by a rule.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.value_kinds.moments import moments

LONGEST = 300  # characters of a cell that is looked at
_RUN = re.compile(r"[^\W\d_]+|\d+")
_NUMBER = re.compile(r"\d{1,18}(?:[.,]\d{1,18})?")
_SIGN, _SIGNLESS = re.compile(r"[^\w\s]"), re.compile(r"[\w\s]+")
_ZEROS_IN_FRONT = re.compile(r"(?<!\d)0+\Z")
_TITLE = re.compile(r"\A(?:(?:mrs?|ms|miss|mx|dr|prof|sir|herr|frau)\.?\s*)+\Z", re.IGNORECASE)  # no part of a name
_PLACES = 20  # of one part in one cell
_PARTING, _OF_NUMBERS = set("-./() "), "-"
_HYBRID = "\u00d7"  # between the names of a plant, and no end of one
Shown = Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]


def unsaid(made: Sequence[Any], columns: Mapping[str, Sequence[Any]], shown: Shown, name: str) -> int | None:
    """The first row with a value that its row does not say, where the column that says those of all examples has one.

    None where most rows are so, or where the value is a whole cell of another row: it is taken over from there.
    """
    given = [(after.get(name), before) for before, after in shown if holds_something(after.get(name))]
    sources = [one for one in columns if given and all(_says(value, [before.get(one)]) for value, before in given)]
    full = [row for row, value in enumerate(made) if holds_something(value)]
    if not sources or any(isinstance(value, list | dict) for value, _ in given):
        return None
    off = [row for row in full if not _says(made[row], [cells[row] for cells in columns.values()])]
    elsewhere = {str(cell) for source in sources for cell in columns[source]}
    off = [row for row in off if str(made[row]) not in elsewhere and _tells(made[row], columns, sources, row)]
    return off[0] if off and 2 * len(off) <= len(full) else None


def _tells(value: Any, columns: Mapping[str, Sequence[Any]], sources: Sequence[str], row: int) -> bool:
    """Whether the row could say it: not where the cell is empty, or a number has a unit and so may be converted."""
    cells = [columns[source][row] for source in sources]
    if not any(map(holds_something, cells)):
        return False
    return isinstance(value, str) or not any(map(str.isalpha, "".join(map(str, cells))))


def _says(value: Any, beside: Sequence[Any]) -> bool:
    """Whether each word and figure of the value is one of the cells, or the number one of several in a cell."""
    texts = [str(cell) for cell in beside if isinstance(cell, str | int | float) and len(str(cell)) <= LONGEST]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    if not isinstance(value, str):
        said = {Decimal(one.replace(",", ".")) for text in texts for one in _numbers(text)}
        return abs(Decimal(str(value))) in said
    runs = _RUN.findall(value.casefold()[:LONGEST])
    return bool(runs) and set(runs) <= {run for text in texts for run in _RUN.findall(text.casefold())}


def _numbers(text: str) -> list[str]:
    """None of a cell that is a number as a whole: another one than that is counted from it."""
    found = _NUMBER.findall(text)
    return [] if found == [text.strip().lstrip("+-")] else [*found, *re.findall(r"\d{1,18}", text)]


class _End(NamedTuple):
    """What stands before and behind a part of a cell, and whether letters or figures go on there as in the part."""

    left: str
    right: str
    goes_before: bool
    goes_on: bool


def cut_elsewhere(
    made: Sequence[Any], columns: Mapping[str, Sequence[Any]], shown: Shown, name: str
) -> tuple[int, str] | None:
    """The first row, with the column, whose value is a part of a cell that ends at a sign where none shown ends."""
    for source, cells in columns.items():
        given = [(after.get(name), before.get(source)) for before, after in shown if holds_something(after.get(name))]
        known = [list(_ends(*one)) for one in given]
        if not known or not all(known):
            continue
        lefts, rights = {end.left for ends in known for end in ends}, {end.right for ends in known for end in ends}
        rows = (row for row, value in enumerate(made) if _all_off(list(_ends(value, cells[row])), lefts, rights))
        if (found := next(rows, None)) is not None:
            return found, source
    return None


def left_bare(made: Sequence[Any], cells: Sequence[Any], shown: Sequence[tuple[Any, Any]]) -> int | None:
    """The first row without a value whose cell has what the examples take: all behind one sign, or all before it.

    `shown`: cells and their values. What is taken must be built as those are: with each of their signs, or as long.
    Nothing is said where an example shows a cell without a value.
    """
    for sign in _signs(shown[0][0]) if shown else ():
        for end in (0, -1):
            if not all(_part(cell, sign, end) == value for cell, value in shown):
                continue
            signs = [set(_SIGNLESS.sub("", value)) for _, value in shown]
            lengths = {len(value) for (_, value), known in zip(shown, signs, strict=True) if not known}
            for row, (value, cell) in enumerate(zip(made, cells, strict=True)):
                part = "" if holds_something(value) else _part(cell, sign, end)
                own = set(_SIGNLESS.sub("", part))
                if part and (len(part) in lengths or any(known and known <= own for known in signs)):
                    return row
    return None


def _signs(cell: Any) -> list[str]:
    found = _SIGN.findall(cell) if isinstance(cell, str) and len(cell) <= LONGEST else []
    return [sign for sign in dict.fromkeys(found) if found.count(sign) == 1]


def _part(cell: Any, sign: str, end: int) -> str:
    """What stands before the one sign of a cell, or behind it; empty where the cell has none or several."""
    once = isinstance(cell, str) and len(cell) <= LONGEST and cell.count(sign) == 1
    return cell.split(sign)[end].strip() if once else ""


def _all_off(ends: Sequence[_End], lefts: set[str], rights: set[str]) -> bool:
    off = ((one.goes_before and one.left not in lefts) or (one.goes_on and one.right not in rights) for one in ends)
    return bool(ends) and all(off)


def _ends(part: Any, cell: Any) -> Iterator[_End]:
    """Of each place where the part stands in the cell, which says more than it."""
    if not isinstance(part, str) or not isinstance(cell, str) or not part.strip() or len(cell) > LONGEST:
        return
    at = -1 if part == cell or moments(cell) else cell.find(part)  # the year of a date is one at whatever sign
    for _ in range(_PLACES):
        if at < 0:
            return
        before, behind = cell[:at].rstrip(), cell[at + len(part) :].lstrip()
        before = _TITLE.sub("", before)
        if part.isdigit():
            before = _ZEROS_IN_FRONT.sub("", before)  # 4 is all of 04
        left, right = before[-1:], behind[:1]
        if part.isdigit():  # a number is one at whatever sign: (555) 123, 555-123
            left, right = (_OF_NUMBERS if sign in _PARTING else sign for sign in (left, right))
        yield _End(
            _kind(left),
            _kind(right),
            _alike(part[0], next(filter(str.isalnum, reversed(before)), "")),
            _alike(part[-1], next(filter(str.isalnum, behind), "")),
        )
        at = cell.find(part, at + 1)


def _kind(sign: str) -> str:
    return "w" if sign.isalnum() or sign == _HYBRID else "(" if sign and sign in "([{" else sign


def _alike(one: str, other: str) -> bool:
    return bool(other) and one.isdigit() == other.isdigit()
