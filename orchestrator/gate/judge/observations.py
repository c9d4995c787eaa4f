"""What the judge knows: the cases that were sent and what came back for each op, decoded. Called by the checks.

The bytes were decoded by another process (`decoding`); here its plain values become tables. What is not as the wire
allows becomes an observation with the status "broken"; what a child did not write before it ended is "ended".
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.candidate import Contract, Example, ExampleSource
from orchestrator.core.conventions import ColumnConvention
from orchestrator.core.jobs import Ended, Op
from orchestrator.core.policy import ColumnRule, GatePolicy
from orchestrator.data.cells import has_column, python_values
from orchestrator.data.hostile.reply import DtypeChange
from orchestrator.data.record_tables import ABSENT, value_of
from orchestrator.data.rows_by_content import renumbered, rows_by_content
from orchestrator.data.typed_cells import read_cell
from orchestrator.gate.fitted.agreement import AgreedAnswers
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.judge.compare import Mask, Rows, differing


@dataclass(frozen=True)
class OpResult:
    """The result of one op. `table` for f, ff and input; `flags` for detect and detect_f.

    `same`: columns that are the input's own. `row`: the row at which it failed, where that is known. `line`: of
    the source, at which it failed. `cells`: what detect returned for each text of a column.
    """

    status: str  # returned | raised | unserialisable | missing | broken | ended
    error: str = ""
    type: str = ""
    table: pa.Table | None = None
    index: Rows | None = None
    flags: Mask | None = None
    dtypes: tuple[DtypeChange, ...] = ()
    same: frozenset[str] = frozenset()
    row: int | None = None
    line: int | None = None
    cells: Mapping[str, Mask] = field(default_factory=dict)

    @property
    def returned(self) -> bool:
        return self.status == "returned"


NOTHING = OpResult("ended")


@dataclass(frozen=True)
class CaseObservation:
    """One case: its input and the result of each op, by the op's name.

    `kinds`: of records, which kinds of values each key has in the sample.
    """

    id: str
    input: pa.Table
    contract: Contract
    results: Mapping[str, OpResult]
    kinds: Mapping[str, Collection[str]] = field(default_factory=dict)

    @property
    def by_row(self) -> bool:
        """Whether the tables hold records, on which the function was called one by one."""
        return self.contract.shape.by_row

    @cached_property
    def columns(self) -> list[str]:
        """The columns that the input really has: of records, the keys that at least one of them has."""
        return [n for n in self.input.column_names if not self.by_row or self.lacking(n) < self.input.num_rows]

    def lacking(self, name: str) -> int:
        """How many records of the input do not have the key."""
        return int(pc.sum(pc.equal(self.input.column(name), ABSENT)).as_py() or 0)

    def values(self, table: pa.Table | None, name: str) -> list[Any]:
        """The values of one column of the input or of a result."""
        if table is None:
            return []
        cells = python_values(table.column(name))
        return [value_of(cell) for cell in cells] if self.by_row else cells

    def other_columns(self, name: str) -> Iterator[list[Any]]:
        """The values of the input's other columns, of the rows that are still there."""
        given = self.kept_input
        return (self.values(given, other) for other in (given.column_names if given else ()) if other != name)

    @cached_property
    def filled(self) -> dict[str, list[Any]]:
        """By column, what came to stand in its empty cells; without those in which nothing did."""
        found = {}
        for name, mask in self.masks.items():
            rows = np.flatnonzero(mask)
            tables = (self.kept_input, self.result)
            cells = [self.values(None if t is None else t.select([name]).take(rows), name) for t in tables]
            both = zip(rows.tolist(), *cells, strict=True)
            if came := {row: new for row, old, new in both if is_missing(old) and holds_something(new)}:
                found[name] = [came.get(row) for row in range(self.result.num_rows if self.result is not None else 0)]
        return found

    def pairs(self, name: str) -> list[tuple[Any, Any]]:
        """The cells of one column before and after; none where it stands in one of both only."""
        tables = self.kept_input, self.result
        if any(table is None or not has_column(table, name) for table in tables):
            return []
        return list(zip(*(self.values(table, name) for table in tables), strict=True))

    def op(self, op: Op | str) -> OpResult:
        return self.results.get(str(op), NOTHING)

    @property
    def result(self) -> pa.Table | None:
        return self.op(Op.F).table

    @cached_property
    def origin(self) -> Rows | None:
        """For each row of f's result, the row of the input that it comes from; None when that is unknown."""
        op_result = self.op(Op.F)
        if op_result.table is None or op_result.index is None:
            return None
        rows = self.input.num_rows
        if op_result.table.num_rows == rows:
            return np.arange(rows, dtype=np.int64)
        if not self.contract.drops_rows or op_result.table.num_rows > rows:
            return None
        index = op_result.index
        in_order = bool(np.all(np.diff(index) > 0)) and (len(index) == 0 or (index[0] >= 0 and index[-1] < rows))
        if in_order and not renumbered(index, rows):
            return index
        touched = {*(self.contract.modifies or ()), *self.contract.drops}
        names = [n for n in self.input.column_names if n not in touched and has_column(op_result.table, n)]
        found: Rows | None = rows_by_content(self.input, op_result.table, names)
        return found if found is not None else (index if in_order else None)

    @cached_property
    def kept_input(self) -> pa.Table | None:
        """The input rows that the result's rows come from, in the result's order."""
        if self.origin is None:
            return None
        if len(self.origin) == self.input.num_rows:
            return self.input
        return self.input.take(pa.array(self.origin))

    @cached_property
    def comparable(self) -> list[str]:
        """Columns of the input that the result still has."""
        result = self.result
        if result is None:
            return []
        kept = set(result.column_names)
        return [name for name in self.input.column_names if name in kept]

    @cached_property
    def masks(self) -> dict[str, Mask]:
        """For each column that f changed: True where the cell differs from the input's."""
        before, after = self.kept_input, self.result
        if before is None or after is None:
            return {}
        same = self.op(Op.F).same if before is self.input else ()
        made = {n: differing(before.column(n), after.column(n)) for n in self.comparable if n not in same}
        return {name: mask for name, mask in made.items() if mask.any()}

    @cached_property
    def changed(self) -> Mask | None:
        """True for rows of the result with a cell that differs from the input's, or with a column that is new."""
        if self.result is None or self.kept_input is None:
            return None
        rows = np.zeros(self.result.num_rows, dtype=np.bool_)
        for mask in self.masks.values():
            rows |= mask
        if set(self.result.column_names) - set(self.input.column_names):
            rows[:] = True
        return rows

    @property
    def rows_changed(self) -> int:
        """Rows that f changed or dropped."""
        if self.changed is None or self.result is None:
            return 0
        dropped = self.input.num_rows - self.result.num_rows
        columns = 0 if len(self.comparable) == self.input.num_columns else self.result.num_rows
        return max(int(self.changed.sum()), columns) + int(dropped)


@dataclass(frozen=True)
class ChildEnd:
    """How one child ended and what it was doing then. `tried`: files, sockets, processes that it tried to get at."""

    ended: Ended
    case: str
    op: str
    wall_s: float
    broken: str = ""
    tried: tuple[str, ...] = ()


@dataclass
class Observations:
    """All that the checks of one stage may look at. `final` is True once the confirming container has run."""

    contract: Contract
    has_detect: bool
    policy: GatePolicy
    cases: Mapping[str, CaseObservation]
    ends: Sequence[ChildEnd] = ()
    orders: Mapping[str, Sequence[int]] = field(default_factory=dict)
    examples: Sequence[Example] = ()
    sources: Sequence[ExampleSource] = ()  # whose each of `examples` is
    numbers: Sequence[int] = ()  # which of theirs it is
    declared: Sequence[Example] = ()  # what the conventions show, and rows that stay
    instruction: str = ""  # the user's words
    agreed: Mapping[str, AgreedAnswers] = field(default_factory=dict)  # what rows support
    conventions: Mapping[str, ColumnConvention] = field(default_factory=dict)  # of the columns that it modifies
    asked: Sequence[str] = ()  # columns that the user asked for
    matter: Sequence[str] = ()  # columns that a counterexample in a wide table shows first
    reads: Sequence[str] = ()  # columns that the candidate is about, or that its source names
    problems: Sequence[str] = ()  # examples that do not fit the columns
    promoted: Sequence[str] = ()
    promoted_contracts: Sequence[Contract] = ()
    duplicate_of: str = ""
    namesake: bool = False  # a promoted function has the same name, and would be superseded
    facts: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, ColumnRule] = field(default_factory=dict)
    team: bool = False  # the team has checks of its own, which are judged with the rules in a process of their own
    final: bool = False

    @cached_property
    def lot(self) -> bytes:
        """What a choice among the function's own rows is drawn from: it knows them, and must not know the choice."""
        return hashlib.sha256(repr(self.orders.get("lot")).encode()).digest()

    @cached_property
    def witnesses(self) -> list[Example]:
        """The examples that settle concerns: all but the candidate's own."""
        given = zip(self.examples, self.sources, strict=True) if self.sources else ()
        shown = [*(example for example, source in given if source is not ExampleSource.OWN), *self.declared]
        return [self._typed(example) for example in shown]

    def _typed(self, example: Example) -> Example:
        """The example with dates and the like as the sample's columns hold them."""
        sample = self.sample
        if sample is None or sample.by_row:
            return example
        kinds = {field.name: field.type for field in sample.input.schema}
        rows = {
            side: {name: read_cell(cell, kinds[name]) if name in kinds else cell for name, cell in row.items()}
            for side, row in (("input", example.input), ("output", example.output))
            if isinstance(row, dict)
        }
        return example.model_copy(update=rows)

    def shown(self, name: str) -> list[Example]:
        """The witnesses that show a cell of the column."""
        rows = ((one, (one.input, one.output)) for one in self.witnesses)
        return [one for one, both in rows if all(isinstance(row, dict) and name in row for row in both)]

    @property
    def sample(self) -> CaseObservation | None:
        """The case with the working rows: of the first container, or of the second."""
        return self.cases.get("working") or self.cases.get("confirm")

    def beside(self, case: CaseObservation) -> list[CaseObservation]:
        """The cases with other rows of the sample, whose cells are evidence, too."""
        return [one for one in (self.sample, self.cases.get("rest")) if one is not None and one is not case]

    def present(self, *ids: str) -> list[CaseObservation]:
        return [self.cases[name] for name in ids if name in self.cases]
