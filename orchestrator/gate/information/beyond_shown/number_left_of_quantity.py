"""Quantities of which one number is left, though no witness shows one of that kind. Called by character_laws.py.

`400 m` as 400 does not speak for `400 ft` as 400, nor `1/2` as 0.5 for `1 1/2` as 0.5.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import rival_unit

_QUANTITY = re.compile(r"\s*([-+]?\d{1,9}(?:[.,]\d{1,6})?)\s*([^\W\d_]{1,12})\.?\s*")
_MIXED = re.compile(r"\s*\d{1,4}(?:\s+|\s*-\s*|\s+and\s+)(\d{1,4})\s*/\s*(\d{1,4})\s*")


def another_unit_left_out(changed: Sequence[Change], witnesses: Sequence[Change]) -> Found | None:
    """A unit that goes from an unchanged number, where the witnesses show that only of other units for the same."""
    shown = [unit for change in witnesses if (unit := _unit_gone(change))]
    for change in changed if shown else ():
        unit = _unit_gone(change)
        if unit and all(rival_unit(unit, other) for other in shown):
            return "a number loses its unit and stays, and witnesses show that of another unit", change
    return None


def whole_number_gone(changes: Sequence[Change]) -> Found | None:
    """A whole number with a fraction that becomes the fraction alone."""
    found = next((change for change in changes if _is_fraction_alone(*change)), None)
    return None if found is None else ("a whole number in front of a fraction is gone", found)


def _unit_gone(change: Change) -> str:
    before, after = change
    found = _QUANTITY.fullmatch(before) if isinstance(before, str) else None
    same = found is not None and _bare(after) is not None and reading(found[1]) == _bare(after)
    return found[2].casefold() if found is not None and same else ""


def _bare(value: Any) -> Decimal | None:
    """The number of a cell that holds nothing else."""
    return None if isinstance(value, str) and any(map(str.isalpha, value)) else reading(value)


def _is_fraction_alone(before: Any, after: Any) -> bool:
    found = _MIXED.fullmatch(before) if isinstance(before, str) else None
    if found is None or not int(found[2]) or int(found[1]) >= int(found[2]):
        return False
    number = _bare(after)
    return number is not None and abs(number - Decimal(found[1]) / Decimal(found[2])) < Decimal("0.01")
