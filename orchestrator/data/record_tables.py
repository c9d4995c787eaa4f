"""Records (JSON objects) as a lossless table, and as JSON Lines. Called by propose/, gate/, run/ and the JSONL writer.

A record table has one text column per top-level key. A text is stored as it is; a null is null; everything else
begins with a mark: the mark and the value's JSON for numbers, True, False, lists and objects (and for a text that
begins with the mark), the mark alone where the record does not have the key. So equal cells are equal values, `1`,
`1.0`, `"1"` and `true` are four different ones, and checks that compare columns work on records as on tables. The
schema's metadata marks a record table.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from json.encoder import encode_basestring  # the function with which JSONEncoder writes texts
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json
from orchestrator.data.profile.nested_texts import Place, texts_by_place, texts_within

MARK = "\ue000"
ABSENT = MARK
MAX_DEPTH = 100  # the guest's bound on nesting, docs/wire.md
MAX_KEYS = 2_000
_MAX_NAME = 10_000
_MAX_DIGITS = 4_300  # Python reads and writes no longer integers
_METADATA = {b"cleanroom": b"records"}
_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
RecordRow = Mapping[str, str | None]
"""One record: its keys with their cells, without those that it does not have."""


def is_records(table: pa.Table) -> bool:
    """Whether the table holds records."""
    return bool(table.schema.metadata and table.schema.metadata.get(b"cleanroom") == b"records")


def cell_of(value: Any) -> str | None:
    """A JSON value as a cell. Raises ValueError for what JSON cannot represent."""
    if value is None:
        return None
    if type(value) is str and not value.startswith(MARK):
        return value
    try:
        return MARK + _dumps(value)
    except ValueError as error:
        raise ValueError("it holds NaN, or a number beyond 1.8e308") from error


def value_of(cell: str | None) -> Any:
    """The value of a cell; None where the record does not have the key."""
    if cell is None or not cell.startswith(MARK):
        return cell
    return None if cell == ABSENT else json.loads(cell[len(MARK) :])


def kind_of(cell: str | None) -> str:
    """null, absent, text, bool, int, float, list or object."""
    if cell is None:
        return "null"
    if not cell.startswith(MARK):
        return "text"
    if cell == ABSENT:
        return "absent"
    first = cell[len(MARK)]
    kinds = {'"': "text", "{": "object", "[": "list", "t": "bool", "f": "bool"}
    return kinds.get(first) or ("float" if any(char in ".eE" for char in cell) else "int")


def row_of(record: Mapping[str, Any]) -> RecordRow:
    """A record's keys with their cells. Raises ValueError for what JSON cannot represent."""
    return {key: cell_of(value) for key, value in record.items()}


def table_of(rows: Sequence[RecordRow], names: Iterable[str]) -> pa.Table:
    """The rows as a record table with these columns."""
    fields = [pa.field(name, pa.string()) for name in names]
    arrays = [pa.array([row.get(field.name, ABSENT) for row in rows], pa.string()) for field in fields]
    schema = pa.schema(fields, metadata=_METADATA)
    if not arrays:  # a table without columns has no rows
        return pa.table([], schema=schema)
    return pa.table(arrays, schema=schema)


def records_of(table: pa.Table) -> list[dict[str, Any]]:
    """The records of a record table."""
    return [{name: value_of(cell) for name, cell in row.items() if cell != ABSENT} for row in table.to_pylist()]


def present(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A mask `bool[n_rows]`: True where the record has the key, even with the value null."""
    return pc.fill_null(pc.not_equal(column, ABSENT), True)


def texts_in(column: pa.ChunkedArray) -> pa.Array:
    """Every text of a column of a record table, also those in lists and objects."""
    return pa.array(texts_within(map(value_of, column.to_pylist())), pa.string())


def places_in(column: pa.ChunkedArray, name: str) -> dict[Place, pa.Array]:
    """The same by place: texts of different places are no forms of one thing."""
    found = texts_by_place(name, map(value_of, column.to_pylist()))
    return {place: pa.array(texts, pa.string()) for place, texts in found.items()}


def lines_of(table: pa.Table) -> bytes:
    """The records of a record table as JSON Lines, without a line end after the last one."""
    columns = []
    for name in table.column_names:
        start = f"{_dumps(name)}:"
        columns.append([_member(start, cell) for cell in table.column(name).to_pylist()])
    if not columns:
        return b""
    return "\n".join("{" + ",".join(m for m in row if m) + "}" for row in zip(*columns, strict=True)).encode()


def _member(start: str, cell: str | None) -> str:
    if cell is None:
        return f"{start}null"
    if not cell.startswith(MARK):
        return start + encode_basestring(cell)
    return "" if cell == ABSENT else start + cell[len(MARK) :]


class LinesReader:
    """Reads JSON Lines that may be hostile. Equal lines are read once.

    `names` are all keys seen, in their order; `distinct` are all different records.
    """

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.distinct: list[RecordRow] = []
        self._known: dict[str, int] = {}

    def rows(self, body: bytes, count: int | None = None) -> list[RecordRow]:
        """The records in the body. Raises HostileOutput."""
        return [self.distinct[number] for number in self.numbers(body, count)]

    def numbers(self, body: bytes, count: int | None = None) -> list[int]:
        """The records in the body, as indices into `distinct`; `count`: how many are due. Raises HostileOutput."""
        try:
            lines = body.decode().split("\n") if body else []
        except UnicodeDecodeError:
            raise HostileOutput("records are not UTF-8") from None
        if count is not None and len(lines) != count:
            raise HostileOutput(f"{count} records went in and {len(lines)} came out")
        for line in lines:
            if line not in self._known:
                self.distinct.append(self._read(line))
                self._known[line] = len(self.distinct) - 1
        return [self._known[line] for line in lines]

    def _read(self, line: str) -> RecordRow:
        record = strict_json(line.encode(), max_depth=MAX_DEPTH + 1, max_digits=_MAX_DIGITS)
        if not isinstance(record, dict):
            raise HostileOutput("a record is not a JSON object")
        row = row_of(record)
        try:
            "".join([*row, *(cell for cell in row.values() if cell is not None)]).encode()
        except UnicodeEncodeError:
            raise HostileOutput("a text in a record is not valid Unicode") from None
        new = dict.fromkeys(name for name in row if name not in self.names)
        if len(self.names) + len(new) > MAX_KEYS or any(len(name) > _MAX_NAME for name in new):
            raise HostileOutput(f"records have more than {MAX_KEYS} different keys, or longer ones than {_MAX_NAME}")
        self.names |= new
        return row


def from_table(table: pa.Table) -> pa.Table:
    """Any table as a record table; a record table is returned unchanged. Raises ValueError for values not in JSON."""
    if is_records(table):
        return table
    arrays = [pa.array(_cells(table.column(name), name), pa.string()) for name in table.column_names]
    schema = pa.schema([pa.field(name, pa.string()) for name in table.column_names], metadata=_METADATA)
    return pa.table(arrays, schema=schema)


def _cells(column: pa.ChunkedArray, name: str) -> list[str | None]:
    if not _in_json(column.type):
        raise ValueError(f"column {name[:60]!r} is {column.type}, which JSON does not have")
    try:
        return [cell_of(_finite(value)) for value in column.to_pylist()]
    except ValueError:
        raise ValueError(f"column {name[:60]!r} holds NaN or infinity, which JSON does not have") from None


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(value)
    return value


def _in_json(kind: pa.DataType) -> bool:
    types = pa.types
    if types.is_struct(kind):
        return all(_in_json(kind.field(i).type) for i in range(kind.num_fields))
    if types.is_list(kind) or types.is_large_list(kind):
        return _in_json(kind.value_type)
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_boolean(kind)
        or types.is_null(kind)
    )
