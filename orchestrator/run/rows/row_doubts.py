"""What the gate doubts of rows before and after, in this process. Called by `run.apply.doubted_changes`.

It is loaded late: the gate's laws on information are more than two hundred modules.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.candidate import ExampleSource
from orchestrator.core.jobs import Op
from orchestrator.core.policy import GatePolicy
from orchestrator.core.promoted import Promoted
from orchestrator.gate.checks.changed_columns.changed_column import ChangedColumn
from orchestrator.gate.checks.changed_columns.column_doubts import doubts
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.checks.formula_concerns import KIND, planted_rows
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
    candidate, witnesses = function.candidate, function.witnesses
    result = OpResult("returned", table=after, index=np.arange(after.num_rows, dtype=np.int64))
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
    mask = case.masks.get(name)
    column = {} if mask is None else {name: ChangedColumn(case, observations, name, mask)}
    found = [one for _, one in doubts(column)]
    if rows := planted_rows(case, name, observations.witnesses):
        found.append(Suspected(KIND, "a cell becomes a formula that a spreadsheet computes", rows[0], "", len(rows)))
    for one in found:
        if one.kind not in _OF_SHARES:
            old, new = (case.values(table, name)[one.row] for table in (before, after))
            yield RowDoubt(name, one.kind, one.detail, old, new, max(1, one.rows))
