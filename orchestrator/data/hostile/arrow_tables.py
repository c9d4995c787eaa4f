"""Arrow tables from hostile bytes, and tables to bytes. Called by the judge, by apply, by probes and for cases.

`read_table` is meant to run in a disposable process: it checks what it can before Arrow reads a body, then
validates in full. What it returns has plain columns: no dictionaries, no metadata, no extension types.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.arrow_without_pandas import import_pandas_for
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.ipc_walk import walk
from orchestrator.data.text import clean_text

INDEX = "__index__"
DETECT = "detect"
_ZONE = re.compile(r"[A-Za-z0-9_+\-/:]{1,64}")
_EXTENSION = b"ARROW:extension:name"
_MAX_DEPTH = 3
_MAX_SCALE = 38  # Python's decimals take no more from Arrow
_MAX_NAME = 10_000
_VARIABLE = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
_USUAL = {kind.id for kind in (pa.string(), pa.int64(), pa.float64(), pa.bool_(), pa.null())}  # accepted as they are


@dataclass(frozen=True, slots=True)
class Caps:
    """The limits of one table: bytes, rows, columns, cells."""

    bytes: int = 64 * 2**20
    rows: int = 2_000_000
    columns: int = 2_000
    cells: int = 50_000_000
    batches: int = 4_096


DEFAULT_CAPS = Caps()


def read_table(body: bytes, caps: Caps = DEFAULT_CAPS) -> pa.Table:
    """The table in an Arrow IPC stream. Raises HostileOutput for anything that Arrow's plain writer would not write."""
    if len(body) > caps.bytes:
        raise HostileOutput(f"a table of {len(body)} bytes is larger than the {caps.bytes} allowed")
    _check_frames(body, caps)
    try:
        with pa.ipc.open_stream(pa.py_buffer(body), options=_options()) as reader:
            _check_schema(reader.schema, caps)
            table = pa.Table.from_batches(list(reader), reader.schema)
        table.validate(full=True)
        import_pandas_for(table.schema)
        return _plain(table, caps)
    except (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError) as error:
        raise HostileOutput(f"a table is broken: {clean_text(str(error), 200)}") from None


def read_own_table(body: bytes) -> pa.Table:
    """The table in the bytes of `write_table`, made by a process that is trusted: nothing is checked."""
    with pa.ipc.open_stream(pa.py_buffer(body), options=_options()) as reader:
        table = reader.read_all()
    import_pandas_for(table.schema)
    return _plain(table, DEFAULT_CAPS)


def is_zone(name: str) -> bool:
    """Whether Arrow finds the time zone: an unknown one raises when a value is read."""
    if not _ZONE.fullmatch(name):
        return False
    try:
        pa.lib.string_to_tzinfo(name)
    except (pa.ArrowException, ValueError, OSError):
        return False
    return True


def restored(table: pa.Table, same: Sequence[int], source: pa.Table) -> pa.Table:
    """The table with the source's columns at the positions in `same`, where a child sent placeholders.

    A shorter table has those rows of the source that its column INDEX names. Raises HostileOutput.
    """
    if not same:
        return table
    rows = _kept_rows(table, source.num_rows)
    fields, columns = list(table.schema), table.columns
    sent = {field.name: position for position, field in enumerate(source.schema)}
    for position in same:
        field = fields[position] if position < len(fields) else None
        if field is None or not pa.types.is_null(field.type) or field.name not in sent:
            raise HostileOutput("a table has a placeholder for a column that was not sent")
        own = sent[field.name]
        column = source.column(own)
        fields[position], columns[position] = source.schema.field(own), column if rows is None else column.take(rows)
    return pa.table(columns, schema=pa.schema(fields))


def _kept_rows(table: pa.Table, of: int) -> pa.Array | None:
    """The rows of the source that a shorter table still has; None for all of them. Raises HostileOutput."""
    if table.num_rows == of:
        return None
    index = table.column(INDEX).combine_chunks() if INDEX in table.column_names else pa.nulls(0)
    places = index.to_numpy() if index.type == pa.int64() and not index.null_count else None
    if places is None or (len(places) and (places[0] < 0 or places[-1] >= of or (places[1:] <= places[:-1]).any())):
        raise HostileOutput("a table of another length has placeholders for columns that were sent")
    return index


def write_table(table: pa.Table) -> bytes:
    """The table as an uncompressed Arrow IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    made: bytes = sink.getvalue().to_pybytes()
    return made


def _options() -> Any:
    return pa.ipc.IpcReadOptions(use_threads=False, ensure_native_endian=False)


def _check_frames(body: bytes, caps: Caps) -> None:
    rows = cells = 0
    for frame in walk(body, caps.batches):
        if not frame.dictionary:
            rows += frame.rows
        cells += sum(frame.nodes)
        if rows > caps.rows or frame.rows > caps.rows:
            raise HostileOutput(f"a table claims more than {caps.rows} rows")
        if cells > caps.cells:
            raise HostileOutput(f"a table claims more than {caps.cells} cells")


def _check_schema(schema: pa.Schema, caps: Caps) -> None:
    if len(schema) > caps.columns:
        raise HostileOutput(f"a table has {len(schema)} columns, more than the {caps.columns} allowed")
    seen: set[str] = set()
    for field in schema:
        name, kind = field.name, field.type
        if len(name) > _MAX_NAME:
            raise HostileOutput(f"a column's name is longer than {_MAX_NAME} characters")
        if name in seen:
            raise HostileOutput(f"a table has two columns named '{clean_text(name, 80)}'")
        seen.add(name)
        if not (kind.id in _USUAL or _allowed(kind, 0)) or _EXTENSION in (field.metadata or {}):
            raise HostileOutput(
                f"column '{clean_text(name, 80)}' has a type that is not accepted: {clean_text(str(kind), 80)}"
            )


def _allowed(kind: pa.DataType, depth: int) -> bool:
    types = pa.types
    if isinstance(kind, pa.BaseExtensionType) or depth > _MAX_DEPTH:
        return False
    if types.is_dictionary(kind):
        return depth == 0 and types.is_integer(kind.index_type) and _scalar(kind.value_type)
    if types.is_list(kind) or types.is_large_list(kind):
        return _allowed(kind.value_type, depth + 1)
    if types.is_struct(kind):
        fields = [kind.field(i) for i in range(kind.num_fields)]
        names = {field.name for field in fields}
        return len(names) == len(fields) <= 200 and all(_allowed(field.type, depth + 1) for field in fields)
    return _scalar(kind)


def _scalar(kind: pa.DataType) -> bool:
    types = pa.types
    if types.is_timestamp(kind):
        return kind.tz is None or is_zone(kind.tz)
    if types.is_decimal128(kind):
        return bool(abs(kind.scale) <= _MAX_SCALE)
    return bool(
        types.is_boolean(kind)
        or types.is_integer(kind)
        or types.is_floating(kind)
        or any(is_kind(kind) for is_kind in _VARIABLE)
        or types.is_date(kind)
        or types.is_time(kind)
        or types.is_duration(kind)
        or types.is_null(kind)
    )


def _plain(table: pa.Table, caps: Caps) -> pa.Table:
    """The table without dictionaries and metadata, which could hide what its cells mean."""
    if not table.num_columns:
        return table.replace_schema_metadata(None)
    columns = [_decoded(column, caps) for column in table.columns]
    fields = [pa.field(name, column.type) for name, column in zip(table.column_names, columns, strict=True)]
    return pa.table(columns, schema=pa.schema(fields))


def _decoded(column: pa.ChunkedArray, caps: Caps) -> pa.ChunkedArray:
    if not pa.types.is_dictionary(column.type):
        return column
    chunks = [_undictionary(chunk, caps) for chunk in column.chunks]
    return pa.chunked_array(chunks, column.type.value_type)


def _undictionary(chunk: pa.DictionaryArray, caps: Caps) -> pa.Array:
    """Decode one dictionary, unless short indices into long values would unfold to more than the cap."""
    values = chunk.dictionary
    if any(is_kind(values.type) for is_kind in _VARIABLE):
        sizes = pc.binary_length(values).cast(pa.int64())
        total = pc.sum(sizes.take(chunk.indices)).as_py() or 0
        if total > caps.bytes:
            raise HostileOutput(f"a dictionary unfolds to {total} bytes, more than the {caps.bytes} allowed")
    return chunk.dictionary_decode()
