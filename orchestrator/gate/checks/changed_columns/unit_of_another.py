"""A unit that goes from a cell though the column is named after another one: `140 mi` as `140` in `distance_km`.

The bare number says kilometres then. A column of the row that names the unit or the currency says as much as the name.
Called by changed_column.py.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from orchestrator.data.writing.unit_columns import NAMES_OF_UNITS
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import rival_unit, same_unit
from orchestrator.gate.judge.observations import CaseObservation

_SIGNS = re.compile(
    r"[^\d\s.,()'\u2019+\u2212-]+(?:/[^\W\d_]+)?(?:[²³]|(?<=[^\W\d_])[23](?![\d.,]))?"  # €3.10 is no cubic euro
)
_SCALES = {"c": "c", "celsius": "c", "f": "f", "fahrenheit": "f"}


def unit_of_another(
    case: CaseObservation, name: str, cells: Sequence[tuple[int, Any, Any]], shown: Sequence[Change]
) -> int | None:
    """The first row whose cell loses a unit that is not the one of its column; None where there is none.

    `cells`: each changed row with its cell before and after; `shown`: what witnesses show, who may drop their units.
    """
    settled = {_dropped(*change) for change in shown}
    dropped = {row: unit for row, *change in cells if (unit := _dropped(*change)) and unit not in settled}
    said = SaidUnits(case, name)
    for row, unit in dropped.items():
        words = said.of(row)
        if any(_is_other(unit, word) for word in words) and not any(is_same(unit, word) for word in words):
            return row
    return None


class SaidUnits:
    """What says the unit of a column's numbers, in small letters."""

    def __init__(self, case: CaseObservation, name: str) -> None:
        self._case, self._words = case, _words(name)

    def of(self, row: int) -> list[str]:
        """The words of the column's name, and the units and currencies that other columns of the row say."""
        said = [cell.strip().casefold() for column in self._beside if isinstance(cell := column[row], str)]
        return [*self._words, *said]

    @cached_property
    def _beside(self) -> list[list[Any]]:
        return _columns_of_units(self._case)


def _columns_of_units(case: CaseObservation) -> list[list[Any]]:
    """The cells of the columns that hold units or currencies, as their names say; of those that are added, too."""
    tables = [table for table in (case.kept_input, case.result) if table is not None]
    return [
        case.values(table, name)
        for table in tables
        for name in table.column_names
        if not NAMES_OF_UNITS.isdisjoint(_words(name))
    ]


def _dropped(before: Any, after: Any) -> str | None:
    """The unit beside the number, in small letters, where the same number stands without any afterwards."""
    if not isinstance(before, str) or (isinstance(after, str) and _SIGNS.search(after)):
        return None
    units = signs_beside(before)
    if len(units) != 1 or (number := reading(before)) is None or number != reading(after):
        return None
    return units[0]


def signs_beside(text: str) -> list[str]:
    """What stands beside the numbers of a text: words, signs of currencies; in small letters."""
    return [unit.casefold().removeprefix("°") for unit in _SIGNS.findall(text)]


def is_same(unit: str, word: str) -> bool:
    if unit == word or same_unit(unit, word) or currency(unit) & currency(word):
        return True
    return _SCALES.get(unit) == _SCALES.get(word, "")


def _is_other(unit: str, word: str) -> bool:
    if currency(unit) and currency(word):
        return True
    return rival_unit(unit, word) or {_SCALES.get(unit), _SCALES.get(word)} == {"c", "f"}


def _words(name: str) -> list[str]:
    """The words of a name, folded, and those that humps part as wholes, too: `use_kWh` has no watt-hours."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [word.casefold() for text in (apart, name) for word in re.split(r"[\s_()\[\].,:°-]+", text) if word]
