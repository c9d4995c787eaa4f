"""A unit or a currency that is put at a bare number though nothing says it: `12.50` as `$12.50`.

Another unit would be as good. The name of the column says it, a column of units in its row, another cell of the column,
or a witness. Called by changed_column.py.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from orchestrator.gate.checks.changed_columns.unit_of_another import SaidUnits, is_same, signs_beside
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import names_unit
from orchestrator.gate.judge.observations import CaseObservation


def unit_put_in(
    case: CaseObservation,
    name: str,
    cells: Sequence[tuple[int, Any, Any]],
    shown: Sequence[Change],
    others: Iterable[Any],
) -> int | None:
    """The first row whose bare number gets a unit that nothing says; None where there is none.

    `cells`: each changed row with its cell before and after; `shown`: what witnesses show; `others`: all cells of the
    column, as they were.
    """
    put = {row: unit for row, *change in cells if (unit := _put_in(*change))}
    if not put:
        return None
    known = {unit for cell in others if isinstance(cell, str) for unit in signs_beside(cell)}
    known |= {unit for change in shown if (unit := _put_in(*change))}
    said = SaidUnits(case, name)
    return next((row for row, unit in put.items() if not any(is_same(unit, w) for w in (*known, *said.of(row)))), None)


def _put_in(before: Any, after: Any) -> str | None:
    """The unit beside the number afterwards, in small letters, where the same number stood without any."""
    if not isinstance(before, str) or not isinstance(after, str) or signs_beside(before):
        return None
    units, number = signs_beside(after), reading(before)
    if len(units) != 1 or number is None or number != reading(after):
        return None
    return units[0] if names_unit(units[0]) or currency(units[0]) else None
