"""A unit that goes from a number, or is put at one, against what says the unit of its column. For changed_column.py."""

from collections.abc import Iterable, Sequence
from typing import Any

from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.checks.changed_columns.unit_of_another import unit_of_another
from orchestrator.gate.checks.changed_columns.unit_put_in import unit_put_in
from orchestrator.gate.information.changes import Change
from orchestrator.gate.judge.observations import CaseObservation


def unit_doubted(
    case: CaseObservation,
    name: str,
    cells: Sequence[tuple[int, Any, Any]],
    shown: Sequence[Change],
    others: Iterable[Any],
) -> Suspected | None:
    """`cells`: each changed row with its cell before and after; `shown`: what witnesses show; `others`: all cells."""
    if (row := unit_of_another(case, name, cells, shown)) is not None:
        detail = "a unit goes that is not the one of its column"
        return Suspected("unit-dropped", detail, row, "the unit, or the number in the other")
    if (row := unit_put_in(case, name, cells, shown, others)) is not None:
        return Suspected("words-added", "a number gets a unit that nothing says", row, "the number alone")
    return None
