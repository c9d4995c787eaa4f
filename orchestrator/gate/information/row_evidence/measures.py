"""A number and its unit that stand in two values of one row, or under two keys of one object. Called by the check.

Where both change, each alone seems to be lost: 1200 and g become 1.2 and kg. Together they say what they said before.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import is_missing, stands_for_missing
from orchestrator.gate.information.value_kinds.amounts import amounts, same_amount
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.temperatures import same_temperature
from orchestrator.gate.information.value_kinds.units import same_quantity

ENOUGH = 3  # rows that stay and show of what number all are to be a share
ROUNDED = 0.006  # to two places
_THOUSANDS = frozenset({"000", "000s"})
_CENTS = frozenset({"ct", "cent", "cents", "c", "¢"})
_PLAIN = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_BOUND = re.compile(r"([<>]=?|[\u2264\u2265~])\s*(\d.*)")
FOUR = 4  # numbers: two, before and after
PAIR = 2  # a number and its unit
PLACES = 6  # written out, so that a number without its decimals is seen to be another one


def same_measure(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """The names under which one number and one word changed that are the same quantity together; none otherwise.

    Also the name of a text that becomes a number, whose unit or sign of comparison comes to stand under a new name.
    """
    changed = [name for name in before if name in after and before[name] != after[name]]
    if len(changed) == 1 and isinstance(text := before[changed[0]], str):
        units = [after[name] for name in after if name not in before]
        made = [theirs for unit in units if (theirs := _written(after[changed[0]], unit))]
        same = any(same_quantity(text, theirs) for theirs in made)
        return frozenset(changed if same or any(_said_apart(text, sign, after[changed[0]]) for sign in units) else ())
    units = [name for name in changed if all(isinstance(one[name], str) for one in (before, after))]
    numbers = [name for name in changed if name not in units]
    if len(changed) > PAIR and len(units) == 1:
        rounded = any(_is_rounded(before[number], after[number]) for number in numbers)  # of one, 145.0 may be as well
        same = all(_stays(before, after, number, units[0], rounded=rounded) for number in numbers)
        return frozenset(changed if same else ())
    if len(changed) != PAIR:
        return frozenset()
    for number, unit in (changed, reversed(changed)):
        if _stays(before, after, number, unit, rounded=_is_rounded(before[number], after[number])):
            return frozenset(changed)
    return frozenset()


def _stays(before: Mapping[str, Any], after: Mapping[str, Any], number: str, unit: str, *, rounded: bool) -> bool:
    """Whether the number with its unit is the same quantity."""
    ours = _written(before[number], before[unit])
    theirs = _written(after[number], after[unit], rounded=rounded)
    if not ours or not theirs:
        return False
    if same_quantity(ours, theirs) or same_temperature(ours, theirs):
        return True
    return _of_cents(before[number], before[unit], after[number], after[unit])


def _said_apart(text: str, sign: Any, number: Any) -> bool:
    """Whether a bound is said by a sign of comparison and a number: `<0.5` by `<` and 0.5."""
    bound = _BOUND.fullmatch(text.strip())
    if bound is None or bound[1] != sign or not isinstance(number, int | float) or isinstance(number, bool):
        return False
    return same_amount(amounts(bound[2]), amounts(f"{number}"), f"{number}")


def _of_cents(cents: Any, unit: str, amount: Any, money: str) -> bool:
    """Whether an amount of cents is the same amount of a currency that has them."""
    if unit.casefold() not in _CENTS or not currency(money):
        return False
    before, after = amounts(f"{cents} ct"), amounts(f"{amount}")
    return same_amount(before, after, f"{amount}")


def shared_rows(cells: Sequence[Change], beside: Sequence[Change], rows: Iterable[int]) -> set[int]:
    """Those of the rows whose number is the same share of the number beside it: 8 of 20 is 40 of 100.

    One of the two must come to be one number everywhere, which the rows that stay have.
    """
    rows = list(rows)
    sizes = {row: [_size(value) for value in (*cells[row], *beside[row])] for row in rows}
    pairs = {row: found for row, values in sizes.items() if len(found := [v for v in values if v is not None]) == FOUR}
    columns = [column for column in (cells, beside) if _one_number(column, rows)]
    if not columns or not pairs:
        return set()
    wrong = [
        row
        for row, (one, other, of, become) in pairs.items()
        if abs(one * become - other * of) > ROUNDED * max(abs(one), abs(of))
    ]
    changes = {cells[row] for row in pairs}
    return (
        set() if wrong else set(pairs) | {row for row in rows if cells[row] in changes and is_missing(beside[row][0])}
    )


def _one_number(column: Sequence[Change], rows: Sequence[int]) -> bool:
    """Whether all become one number, which is there in rows that stay."""
    made = [column[row][1] for row in rows]
    if not made or _size(made[0]) is None or any(value != made[0] for value in made):
        return False
    return sum(1 for one, other in column if one == other == made[0]) >= ENOUGH


def _size(value: Any) -> float | None:
    """A number, or a text that is one."""
    if isinstance(value, str):
        return float(value) if _PLAIN.fullmatch(value) else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and not is_missing(value)
    return float(value) if is_number else None


def measured_rows(cells: Sequence[Change], beside: Sequence[Change], rows: Iterable[int]) -> set[int]:
    """Those of the rows whose change, with that of the column beside it, says the same quantity.

    A unit beside a missing number or a zero becomes what it becomes in the other rows.
    """
    rows = list(rows)
    pairs = {
        row: [{"this": one, "other": other} for one, other in zip(cells[row], beside[row], strict=True)] for row in rows
    }
    said = {row for row in rows if same_measure(*pairs[row]) and not _is_sentinel(*beside[row], *cells[row])}
    units = {repr(cells[row]) for row in said}
    return said | {row for row in rows if _nothing(*beside[row]) and repr(cells[row]) in units}


def _is_sentinel(*values: Any) -> bool:
    """Whether one is a negative number that is written where there is none, as -1 and -999 are: it has no unit."""
    return any(isinstance(value, int | float) and value < 0 and stands_for_missing(value) for value in values)


def _nothing(before: Any, after: Any) -> bool:
    """Whether there is no number, or a zero, which is one of any unit."""
    return is_missing(before) or (_size(before) == 0 == _size(after))


def _is_rounded(before: Any, after: Any) -> bool:
    """Whether a number can have been rounded when it was converted: it has decimals, and not fewer than before."""
    return isinstance(after, float) and _decimals(after) >= max(1, _decimals(before))


def _decimals(number: Any) -> int:
    whole, _, decimals = (repr(number) if isinstance(number, float) else str(number)).partition(".")
    return len(decimals.rstrip("0")) if decimals.isdecimal() and whole else 0


def _written(number: Any, unit: Any, *, rounded: bool = False) -> str:
    if isinstance(unit, str) and unit.strip(" '’").casefold() in _THOUSANDS:
        unit = "thousands"
    if is_missing(number) or isinstance(number, bool) or not isinstance(unit, str) or any(map(str.isdigit, unit)):
        return ""
    if isinstance(number, str) and any(map(str.isalpha, number)):
        return ""
    text = f"{number:.{PLACES}f}" if isinstance(number, int | float) and not rounded else str(number)
    return f"{text} {unit}" if isinstance(number, int | float | str) else ""
