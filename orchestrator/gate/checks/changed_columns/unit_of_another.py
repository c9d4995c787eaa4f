"""A unit that goes from a cell though the column is named after another one: `140 mi` as `140` in `distance_km`.

The bare number says kilometres then. A column of the row that names the unit or the currency says as much as the name.
Called by changed_column.py.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import dimensions, other_unit, same_unit

_OF_UNITS = {"unit", "units", "uom", "currency", "currencies", "ccy", "curr", "waehrung", "währung", "devise", "moneda"}
_SIGNS = re.compile(r"[^\d\s.,()'\u2019+\u2212-]+(?:/[^\W\d_]+)?[²³23]?")
_SCALES = {"c": "c", "celsius": "c", "f": "f", "fahrenheit": "f"}


def columns_of_units(names: Iterable[str]) -> list[str]:
    """Those of the columns that hold units or currencies, as their names say."""
    return [name for name in names if not _OF_UNITS.isdisjoint(_words(name))]


def unit_of_another(
    name: str, cells: Sequence[Change], beside: Sequence[Sequence[Any]], shown: Sequence[Change], rows: Sequence[int]
) -> int | None:
    """The first of the rows whose cell loses a unit that is not the one of its column; None where there is none.

    `beside`: the cells of the columns of units; `shown`: the changes that witnesses show, which may drop their units.
    """
    dropped = {_dropped(*change) for change in shown}
    own = _words(name)
    for row in rows:
        unit = _dropped(*cells[row])
        if unit is None or unit in dropped or any(_is_same(unit, word) for word in own):
            continue
        said = [cell.strip().casefold() for column in beside if isinstance(cell := column[row], str)]
        if any(_is_other(unit, word) for word in [*own, *said]) and not any(_is_same(unit, word) for word in said):
            return row
    return None


def _dropped(before: Any, after: Any) -> str | None:
    """The unit beside the number, in small letters, where the same number stands without any afterwards."""
    if not isinstance(before, str) or (isinstance(after, str) and _SIGNS.search(after)):
        return None
    units = _SIGNS.findall(before)
    if len(units) != 1 or (number := reading(before)) is None or number != reading(after):
        return None
    return str(units[0]).casefold().removeprefix("°")


def _is_same(unit: str, word: str) -> bool:
    if unit == word or same_unit(unit, word) or currency(unit) & currency(word):
        return True
    return _SCALES.get(unit) == _SCALES.get(word, "")


def _is_other(unit: str, word: str) -> bool:
    if currency(unit) and currency(word):
        return True
    alike = other_unit(unit, word) and bool(dimensions(unit) & dimensions(word))
    return alike or {_SCALES.get(unit), _SCALES.get(word)} == {"c", "f"}


def _words(name: str) -> list[str]:
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [word.casefold() for word in re.split(r"[\s_()\[\].,:°-]+", apart) if word]
