"""Reads what came back for an op of a table: plain values become tables and masks. Called by the judge.

What is not as the wire allows becomes an observation with the status "broken".
"""

import contextlib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.jobs import Op
from orchestrator.data.hostile.arrow_tables import DETECT, INDEX, restored
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.plain import read_plain
from orchestrator.data.hostile.reply import INPUT, OpRecord
from orchestrator.gate.judge.observations import OpResult


class Results:
    """What came back for each op. Equal bodies are read once."""

    def __init__(self) -> None:
        self._known: dict[bytes, pa.Table] = {}

    def op(self, record: OpRecord, source: pa.Table) -> OpResult:
        """One record with its body read. Whatever is wrong with the body is an observation, too."""
        if record.status != "returned" and not (record.op == INPUT and record.body):
            row = record.row if record.row is not None and record.row < source.num_rows else None
            return OpResult(record.status, record.error, record.type, row=row, line=record.line)
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


def _table(record: OpRecord, table: pa.Table, source: pa.Table) -> OpResult:
    if not table.column_names or table.column_names[0] != INDEX or table.column(0).type != pa.int64():
        raise HostileOutput("a table came back without its row numbers")
    if table.column(0).null_count:
        raise HostileOutput("a table came back with missing row numbers")
    index = table.column(0).to_numpy(zero_copy_only=False)
    columns = table.drop_columns([INDEX])
    sent = set(source.column_names)
    for name, column in zip(columns.column_names, columns.columns, strict=True):
        if not (pa.types.is_temporal(column.type) or pa.types.is_nested(column.type)):
            continue
        known = name in sent and column.equals(source.column(name))
        if not known and _outside_calendar(column):
            raise HostileOutput(f"column {name[:100]!r} came back with times outside the years 1 to 9999")
    names = table.column_names
    same = frozenset(names[place] for place in record.same)
    return OpResult("returned", "", record.type, _retyped(columns, source), index, dtypes=record.dtypes, same=same)


def _outside_calendar(column: pa.ChunkedArray) -> bool:
    """Whether dates or durations are beyond those of Python's calendar, with which values are shown and compared."""
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        first, last = pc.min_max(pc.year(column)).values()
        return first.is_valid and not 1 <= first.as_py() <= last.as_py() <= 9999
    try:
        if pa.types.is_nested(column.type):
            column.to_pylist()
        else:
            numbers = column.cast(pa.int64() if column.type.bit_width == 64 else pa.int32())
            for end in pc.min_max(numbers).values():
                pa.scalar(end.as_py(), column.type).as_py()
    except (OverflowError, ValueError):
        return True
    return False


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
