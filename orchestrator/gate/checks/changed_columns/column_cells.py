"""The cells of one changed column of one case, before and after, with what witnesses and other rows show of them.

Made by changed_column.py, for the modules that look for one kind of loss each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.core.candidate import Example
from orchestrator.core.jobs import Op
from orchestrator.core.policy import GatePolicy
from orchestrator.gate.checks.changed_columns.cell_keys import joined, plain_key
from orchestrator.gate.checks.changed_columns.column_labels import without_labels
from orchestrator.gate.checks.changed_columns.filled_cells import finds_known_cells
from orchestrator.gate.checks.changed_columns.inside_doubts import with_values_read
from orchestrator.gate.checks.changed_columns.settled_cells import given_away, unsettled, unsettled_beside
from orchestrator.gate.information.changes import Change, both_text
from orchestrator.gate.information.equivalence import Equivalence
from orchestrator.gate.information.nested import read_pairs
from orchestrator.gate.information.row_evidence.filled import is_fill
from orchestrator.gate.information.row_evidence.said_beside import ends_left_out, said_beside
from orchestrator.gate.judge.compare import Mask
from orchestrator.gate.judge.observations import CaseObservation, Observations


@dataclass(frozen=True)
class ColumnCells:
    """`before` and `after`: each cell of the column; `rows`: those in which it differs; `elsewhere`: of other rows."""

    case: CaseObservation
    policy: GatePolicy
    name: str
    rows: Sequence[int]
    before: Sequence[Any]
    after: Sequence[Any]
    witnesses: Sequence[Example]
    elsewhere: Sequence[Change]

    @cached_property
    def pairs(self) -> list[Change]:
        return [*zip(self.before, self.after, strict=True)]

    @cached_property
    def shown(self) -> list[Change]:
        """What witnesses show of the column."""
        return [(one.input[self.name], one.output[self.name]) for one in self.witnesses]

    @cached_property
    def shown_texts(self) -> list[Change]:
        return [pair for pair in self.shown if both_text(pair)]

    @cached_property
    def with_added(self) -> Sequence[Any]:
        """`after`, with what is new in the row: a part may be in an added column, or in an empty cell."""
        case, result = self.case, self.case.result
        names = [] if result is None else [name for name in case.contract.adds if name in result.column_names]
        columns = [case.values(result, name) for name in names]
        columns += [cells for name, cells in case.filled.items() if name not in (self.name, *names)]
        if result is not None and not case.by_row:
            columns += said_beside(result, self.name, ends_left_out(self.before, self.after, self.rows))
        return [joined(cells) for cells in zip(self.after, *columns, strict=True)] if columns else self.after

    def joined_output(self, example: Example) -> Any:
        return joined([example.output.get(name) for name in (self.name, *self.case.contract.adds)])

    @cached_property
    def equivalence(self) -> Equivalence:
        return Equivalence(
            list(dict.fromkeys(zip(map(plain_key, self.before), map(plain_key, self.after), strict=True)))
        )

    def all_flagged(self) -> bool:
        """Whether `detect` flags every row that is changed here."""
        flags = self.case.op(Op.DETECT).flags
        return flags is not None and self.case.origin is not None and bool(flags[self.case.origin[self.rows]].all())


def column_cells(
    case: CaseObservation, observations: Observations, name: str, mask: Mask, *, closely: bool
) -> ColumnCells:
    """The cells of a column, without what witnesses settle whole.

    `closely`: beside all other rows and the columns that change with it, and without slips that its row tells.
    """
    before = case.values(case.kept_input, name)
    rows: list[int] = np.flatnonzero(mask).tolist()
    witnesses = [with_values_read(one, name) for one in observations.shown(name)]
    after = unsettled(case, observations, name, before, rows)
    if closely:
        after = unsettled_beside(case, observations, name, before, after, rows)
    if finds_known_cells(observations, name):
        before = [other if is_fill(one, other) else one for one, other in zip(before, after, strict=True)]
    others = [one for one in observations.beside(case) if closely or one is observations.sample]
    elsewhere = without_labels(name, read_pairs(pair for one in others for pair in one.pairs(name)))
    if closely:
        slips = given_away(case, list(zip(before, after, strict=True)), rows, others, name)
        before = [after[row] if row in slips else cell for row, cell in enumerate(before)]
    read = read_pairs(zip(before, after, strict=True))
    return ColumnCells(
        case, observations.policy, name, rows, [one for one, _ in read], [one for _, one in read], witnesses, elsewhere
    )
