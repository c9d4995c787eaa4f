"""What the gate doubts of rows before and after, in this process. Called by `run.apply.doubted_changes`.

It is loaded late: the gate's laws on information are more than two hundred modules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.candidate import ExampleSource
from orchestrator.core.jobs import Op
from orchestrator.core.policy import GatePolicy
from orchestrator.core.promoted import Promoted
from orchestrator.data.cells import python_rows
from orchestrator.gate.checks.changed_columns.changed_column import ChangedColumn
from orchestrator.gate.checks.changed_columns.column_doubts import doubts
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.checks.formula_concerns import KIND, planted_rows
from orchestrator.gate.checks.removed import removed_rows
from orchestrator.gate.inputs.example_case import example_case
from orchestrator.gate.judge.observations import CaseObservation, Observations, OpResult

_OF_SHARES = {"values-collapse", "column-constant"}


@dataclass(frozen=True, slots=True)
class RowDoubt:
    """`kind`: as of a concern; `detail`: a sentence without subject; `before`, `after`: the cell that shows it."""

    column: str
    kind: str
    detail: str
    before: Any
    after: Any
    rows: int


def row_doubts(function: Promoted, name: str, before: pa.Table, after: pa.Table) -> Iterator[RowDoubt]:
    """What the gate doubts in a column where the function makes row i of `after` from row i of `before`.

    The witnesses that are signed settle what they show. That different values become one is left out: whoever picks
    rows changes the shares on which that rests.
    """
    case, observations = _observed(function, before, after, np.arange(after.num_rows))
    mask = case.masks.get(name)
    column = {} if mask is None else {name: ChangedColumn(case, observations, name, mask)}
    found = [one for _, one in doubts(column)]
    if rows := planted_rows(case, name, observations.witnesses):
        found.append(Suspected(KIND, "a cell becomes a formula that a spreadsheet computes", rows[0], "", len(rows)))
    for one in found:
        if one.kind not in _OF_SHARES:
            old, new = (case.values(table, name)[one.row] for table in (before, after))
            yield RowDoubt(name, one.kind, one.detail, old, new, max(1, one.rows))


def doubted_rows(function: Promoted, given: pa.Table, stays: Sequence[bool]) -> list[dict[str, Any]]:
    """The rows that the function drops though they hold something, and that no witness shows or says to go."""
    left = np.flatnonzero(stays)
    case, observations = _observed(function, given, given.take(pa.array(left)), left)
    return python_rows(given.take(pa.array(removed_rows(case, observations), pa.int64())))


def _observed(function: Promoted, before: pa.Table, after: pa.Table, rows: Any) -> tuple[CaseObservation, Observations]:
    """As the judge has what a function makes. `rows`: of `before`, which `after` has."""
    candidate, witnesses = function.candidate, function.witnesses
    result = OpResult("returned", table=after, index=rows.astype(np.int64))
    case = CaseObservation("working", before, candidate.contract, {Op.F: result})
    shown = example_case(candidate, witnesses.examples, before.schema, witnesses.tests, witnesses.conventions, [before])
    others = [n for n, source in enumerate(shown.sources) if source is not ExampleSource.OWN]
    observations = Observations(
        contract=candidate.contract,
        has_detect=False,
        policy=GatePolicy(),
        cases={case.id: case},
        examples=[shown.used[n] for n in others],
        sources=[shown.sources[n] for n in others],
        declared=shown.declared,
        conventions=shown.conventions,
        instruction=witnesses.instruction,
        asked=candidate.contract.adds,
    )
    return case, observations
