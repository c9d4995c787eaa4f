"""What the judge knows: the cases that were sent and what came back for each op, decoded. Called by the checks.

The bytes were decoded by another process (`decoding`); here its plain values become tables. What is not as the wire
allows becomes an observation with the status "broken"; what a child did not write before it ended is "ended".
"""

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.candidate import Contract, Example
from orchestrator.core.jobs import Ended, Op
from orchestrator.core.policy import ColumnRule, GatePolicy
from orchestrator.data.hostile.errors import HostileOutput
from orchestrator.data.hostile.frames import DETECT, INDEX, restored
from orchestrator.data.hostile.plain import read_plain
from orchestrator.data.hostile.reply import INPUT, DtypeChange, Record
from orchestrator.data.records import ABSENT, value_of
from orchestrator.gate.judge.compare import Mask, Rows, differing


@dataclass(frozen=True)
class OpResult:
    """The result of one op. `table` for f, ff and input; `flags` for detect and detect_f.

    `same`: columns that are the input's own. `row`: where a function that is called row by row failed. `cells`: what
    detect returned for each text of a column.
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
        cells: list[Any] = table.column(name).to_pylist()
        return [value_of(cell) for cell in cells] if self.by_row else cells

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
        renumbered = np.array_equal(index, np.arange(len(index)))
        if in_order and not renumbered:
            return index
        found = self._found_by_content(op_result.table)
        return found if found is not None else (index if in_order else None)

    def _found_by_content(self, result: pa.Table) -> Rows | None:
        """Match rows greedily by the columns that must not change: the index was reset after rows were dropped."""
        touched = set(self.contract.modifies or ()) | set(self.contract.drops)
        names = [n for n in self.input.column_names if n not in touched and n in result.column_names]
        if not names:
            return None
        wanted = [repr(tuple(row.values())) for row in result.select(names).to_pylist()]
        have = [repr(tuple(row.values())) for row in self.input.select(names).to_pylist()]
        found: list[int] = []
        at = 0
        for row in wanted:
            while at < len(have) and have[at] != row:
                at += 1
            if at == len(have):
                return None
            found.append(at)
            at += 1
        return np.array(found, dtype=np.int64)

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
    user_examples: int = 0  # how many of `examples`, at the end, are the user's and not the candidate's
    problems: Sequence[str] = ()  # examples that do not fit the columns
    promoted: Sequence[str] = ()
    promoted_contracts: Sequence[Contract] = ()
    duplicate_of: str = ""
    namesake: bool = False  # a promoted function has the same name, and would be superseded
    facts: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, ColumnRule] = field(default_factory=dict)
    team: bool = False  # the team has checks of its own, which are judged with the rules in a process of their own
    final: bool = False

    def present(self, *ids: str) -> list[CaseObservation]:
        return [self.cases[name] for name in ids if name in self.cases]


class Results:
    """What came back for each op. Equal bodies are read once."""

    def __init__(self) -> None:
        self._known: dict[bytes, pa.Table] = {}

    def op(self, record: Record, source: pa.Table) -> OpResult:
        """One record with its body read. Whatever is wrong with the body is an observation, too."""
        if record.status != "returned" and not (record.op == INPUT and record.body):
            return OpResult(record.status, record.error, record.type)
        try:
            table = self._read(record.body)
            if record.op in (Op.DETECT, Op.DETECT_F):
                return _mask(table)
            return _table(record, restored(table, record.same, source), source)
        except HostileOutput as error:
            return OpResult("broken", str(error), record.type)

    def _read(self, body: bytes) -> pa.Table:
        if body not in self._known:
            self._known[body] = read_plain(body)
        return self._known[body]


def _table(record: Record, table: pa.Table, source: pa.Table) -> OpResult:
    if not table.column_names or table.column_names[0] != INDEX or table.column(0).type != pa.int64():
        raise HostileOutput("a table came back without its row numbers")
    if table.column(0).null_count:
        raise HostileOutput("a table came back with missing row numbers")
    index = table.column(0).to_numpy(zero_copy_only=False)
    columns = table.drop_columns([INDEX])
    sent = set(source.column_names)
    for name, column in zip(columns.column_names, columns.columns, strict=True):
        if not (pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)):
            continue
        known = name in sent and column.equals(source.column(name))
        if not known and _outside_calendar(column):
            raise HostileOutput(f"column {name[:100]!r} came back with dates outside the years 1 to 9999")
    names = table.column_names
    same = frozenset(names[place] for place in record.same)
    return OpResult("returned", "", record.type, _retyped(columns, source), index, dtypes=record.dtypes, same=same)


def _outside_calendar(column: pa.ChunkedArray) -> bool:
    """Whether dates are outside the years of Python's calendar, with which values are shown and compared."""
    first, last = pc.min_max(pc.year(column)).values()
    return first.is_valid and not 1 <= first.as_py() <= last.as_py() <= 9999


def _retyped(table: pa.Table, source: pa.Table) -> pa.Table:
    """Restore types that pandas cannot keep: of a column without values, and of integers with missing ones."""
    types = {sent.name: sent.type for sent in source.schema}
    for position, came in enumerate(table.schema):
        wanted = types.get(came.name)
        if wanted is None or came.type == wanted:
            continue
        column = table.column(position)
        if column.null_count == len(column):
            table = table.set_column(position, came.name, pa.chunked_array([pa.nulls(len(column), wanted)]))
        elif _type_unknown(column, wanted):
            with contextlib.suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):  # then it is another type indeed
                made = column.cast(wanted, safe=True)
                if not pa.types.is_nested(wanted) or made.to_pylist() == column.to_pylist():
                    table = table.set_column(position, came.name, made)
    return table


def _type_unknown(column: pa.ChunkedArray, wanted: pa.DataType) -> bool:
    """Whether pandas could not keep the type: integers with missing values, lists of nulls."""
    missing_integers = column.null_count and pa.types.is_integer(wanted) and pa.types.is_floating(column.type)
    return bool(missing_integers) or (pa.types.is_nested(wanted) and pa.types.is_nested(column.type))


def _mask(table: pa.Table) -> OpResult:
    if table.column_names != [DETECT] or table.column(0).type != pa.bool_() or table.column(0).null_count:
        raise HostileOutput("detect did not come back as one column of True and False")
    return OpResult("returned", flags=table.column(0).to_numpy(zero_copy_only=False).astype(np.bool_))
