"""A value that is written otherwise in some of its rows only. Called by changed_column.py."""

from collections.abc import Sequence

from orchestrator.core.candidate import Shape
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.row_evidence.rewritten_values import rewritten_in_some_rows
from orchestrator.gate.judge.observations import CaseObservation


def rewritten_cells(case: CaseObservation, cells: Sequence[Change], shown: Sequence[Change]) -> Suspected | None:
    """Where other columns decide how one value is written, unless a witness shows it. `cells`: the column, row by row.

    Not of a fitted function: the rows of one key agree on their own way to write it.
    """
    if case.contract.shape is Shape.FITTED or not (rows := rewritten_in_some_rows(cells, shown)):
        return None
    detail = "a value is written otherwise in some of its rows only"
    return Suspected("sign-changed", detail, rows[0], "the value written in one way", len(rows))
