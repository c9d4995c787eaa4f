"""The unit of a column's numbers, where its name says it (`distance_km`), or a column of units or currencies does.

Called by the rule of numbers: the numbers that stand alone are in this unit, and "140 mi" among them are no 140.
"""

import re
from collections.abc import Iterable

from orchestrator.data.writing.unit_columns import NAMES_OF_UNITS
from orchestrator.propose.builtin.rules.number_parts import NumberParts
from orchestrator.propose.builtin.rules.number_words import COUNTED, CURRENCIES, UNITS, units_named_by, words_of
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_FAR = 2  # times as large as the largest number without a unit
_AGES = frozenset({"alter", "edad", "età", "idade", "leeftijd", "wiek", "yaş", "âge", "ålder"})
_DIMENSIONS = (
    {"t", "kg", "g", "mg", "lb", "oz"},
    {"hl", "l", "ml", "oz"},
    {"mm", "cm", "m", "km", "mi", "ft", "in"},
    {"m²", "km²", "ha"},
    {"ms", "s", "min", "h", "day", "week", "month", "yr"},
    {"°c", "°f"},
    {"hpa", "kpa", "mbar", "bar", "mmhg"},
    {"kcal", "kj", "j", "kwh", "wh", "mwh"},
    {"w", "kw", "mw", "hp", "ps"},
    {"mph", "km/h", "kt"},
    CURRENCIES,
)


def unit_in_name(column: TextColumn, units: Iterable[str]) -> str:
    """The one of the units that the column's name says; "" where it says none of them."""
    said = _said_by_name(column)
    return next((unit for unit in units if unit in said), "")


def is_of_another_unit(column: TextColumn, parts: dict[str, NumberParts], unit: str, table: WorkingRows) -> bool:
    """Whether the unit, in which some cells are written, is not the one that the name says, or the rows of the cells.

    Only another unit for the same speaks against one: `price_min` and `$5` agree. Months do so themselves: plain
    numbers beside `8 months` may well be years.
    """
    if unit == "month":
        return True
    said = {*_said_by_name(column), *_said_by_rows(column, parts, unit, table)}
    return any(_are_rivals(unit, other) for other in said)


def is_on_another_scale(column: TextColumn, parts: dict[str, NumberParts], unit: str, table: WorkingRows) -> bool:
    """Whether most numbers with the unit are far below or above those without any: `1.81 m` among 160 to 190.

    Not where another column says the unit of their rows.
    """
    if unit in _said_by_rows(column, parts, unit, table):
        return False
    sizes: dict[bool, list[float]] = {True: [], False: []}
    for text, part in parts.items():
        digits = part.digits.replace(" ", "").replace(",", "." if re.fullmatch(r"\d+,\d{1,2}", part.digits) else "")
        if part.unit in ("", unit) and re.fullmatch(r"\d+(\.\d+)?", digits) and (size := float(digits)):
            sizes[part.unit == unit].extend([size] * column.counts[text])
    if not all(sizes.values()):
        return False
    least, most = min(sizes[False]) / _FAR, max(sizes[False]) * _FAR
    return 2 * sum(least <= size <= most for size in sizes[True]) < len(sizes[True])


def _said_by_rows(column: TextColumn, parts: dict[str, NumberParts], unit: str, table: WorkingRows) -> set[str]:
    """What the columns of units or currencies say in the rows of the cells with the unit."""
    beside = [other for other in table.learnt(_of_units, _of_units) if other.name != column.name]
    if not beside:
        return set()
    rows = [row for text, part in parts.items() if part.unit == unit for row in column.places.get(text, ())]
    cells = filter(None, (other.cells[row] for other in beside for row in rows))
    return {UNITS.get(cell.strip().casefold(), "") for cell in cells}


def _of_units(table: WorkingRows) -> list[TextColumn]:
    """The columns whose names say that they hold units or currencies."""
    return [column for column in table.columns if not NAMES_OF_UNITS.isdisjoint(words_of(column.name))]


def _are_rivals(unit: str, said: str) -> bool:
    """Whether the units differ and are for the same; a ratio (t/ha) is never the same as another unit.

    What is counted has no other unit: 3 weeks are no 3 nights. It may have a price.
    """
    if said in COUNTED and unit not in CURRENCIES:
        return unit != said
    return unit != said and ("/" in said or any(unit in units and said in units for units in _DIMENSIONS))


def _said_by_name(column: TextColumn) -> set[str]:
    words = words_of(column.name)
    known = (UNITS.get(word, "") for word in words)
    years = {"yr"} if words & _AGES and "month" not in {*map(UNITS.get, words)} else set[str]()
    return {*known, *units_named_by(column.name).values(), *years} - {""}
