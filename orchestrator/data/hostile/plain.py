"""Tables as plain values: the buffers of their columns, one after the other, under a JSON header that names types.

What one process decoded from hostile bytes goes to another one in this form, because the first may have been taken over
by what it read. Here nothing is compressed, encoded or found by an offset that the bytes name: reading is checking
names, types and lengths, and then the values (`validate`). Arrow's own formats, which need a parser, are read by the
decoding process only. Called by the decoders (`write_plain`) and by whoever uses what they say (`read_plain`).

`u32 header length`, the header, zeros up to a multiple of eight, then each buffer, filled up with zeros likewise.
"""

import json
import struct
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from orchestrator.data.arrow_without_pandas import import_pandas_for
from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json
from orchestrator.data.hostile.type_names import kind_of, named
from orchestrator.data.text import clean_text

MAX_HEADER = 8 * 2**20
MAX_ROWS = 2**31
_ALIGNED = 8
_MAX_DEPTH = 60  # of JSON: nested columns
_LENGTH = struct.Struct("<I")
_NULL = pa.null()
Node = list[Any]
"""An array without its values: its length, the sizes of its buffers (null where it has none), its children's nodes."""


def write_plain(table: pa.Table) -> bytes:
    """The table's bytes for `read_plain`. Raises HostileOutput for a type that it does not take."""
    fields, nodes, buffers = [], [], list[pa.Buffer]()
    for field, column in zip(table.schema, table.columns, strict=True):
        fields.append([field.name, named(field.type)])
        nodes.append(None if field.type == _NULL else _taken_apart(_one_chunk(column), buffers))
    header = json.dumps({"rows": table.num_rows, "fields": fields, "nodes": nodes}, separators=(",", ":")).encode()
    parts: list[bytes | memoryview] = [_LENGTH.pack(len(header)), header, bytes(-(_LENGTH.size + len(header)) % 8)]
    for buffer in buffers:
        parts += [memoryview(buffer), bytes(-buffer.size % 8)]
    return b"".join(parts)


def refused(why: str) -> bytes:
    """Bytes of which `read_plain` says why there is no table."""
    header = json.dumps({"refused": why}).encode()
    return _LENGTH.pack(len(header)) + header


def read_plain(body: bytes | memoryview) -> pa.Table:
    """The table in the bytes of `write_plain`, which stay in use.

    Raises HostileOutput for any others, and for those of `refused`.
    """
    if len(body) < _LENGTH.size or (size := _LENGTH.unpack_from(body)[0]) > MAX_HEADER:
        raise HostileOutput("plain values have no header")
    header = strict_json(bytes(body[_LENGTH.size : _LENGTH.size + size]), max_depth=_MAX_DEPTH)
    if not isinstance(header, dict):
        raise HostileOutput("plain values have no header")
    if "refused" in header:
        raise HostileOutput(clean_text(str(header["refused"])))
    try:
        table = _table(header, _Buffers(body, _LENGTH.size + size))
        table.validate(full=True)
        import_pandas_for(table.schema)
    except (pa.ArrowException, LookupError, TypeError, ValueError, OverflowError) as error:
        raise HostileOutput(f"plain values are broken: {clean_text(str(error), 200)}") from None
    return table


def _table(header: dict[str, Any], buffers: "_Buffers") -> pa.Table:
    fields = [pa.field(name, kind_of(kind)) for name, kind in header["fields"]]
    rows = header["rows"]
    arrays = [
        pa.nulls(_length(rows)) if node is None else _put_together(field.type, node, buffers)
        for field, node in zip(fields, header["nodes"], strict=True)
    ]
    if len({field.name for field in fields}) != len(fields) or {len(array) for array in arrays} - {rows}:
        raise ValueError("columns of one name, or of another length")
    return pa.table(arrays, schema=pa.schema(fields))


def _one_chunk(column: pa.ChunkedArray) -> pa.Array:
    """The column as one array that begins where its buffers begin."""
    if column.num_chunks == 1:
        array = column.chunk(0)
    else:
        array = column.combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            raise HostileOutput("a column is larger than two gigabytes")
    return array.take(pa.array(range(len(array)), pa.int64())) if array.offset else array


def _taken_apart(array: pa.Array, buffers: list[pa.Buffer]) -> Node:
    own, children = _own_buffers(array), list(_children(array))
    buffers += [buffer for buffer in own if buffer is not None]
    sizes = [None if buffer is None else buffer.size for buffer in own]
    return [len(array), sizes, [_taken_apart(child, buffers) for child in children]]


def _own_buffers(array: pa.Array) -> list[pa.Buffer | None]:
    """The array's buffers without its children's, of which `buffers()` gives all in one list."""
    if pa.types.is_struct(array.type) or pa.types.is_fixed_size_list(array.type):
        return list(array.buffers()[:1])
    return list(array.buffers()[: 2 if pa.types.is_nested(array.type) else None])


def _children(array: pa.Array) -> Iterator[pa.Array]:
    kind = array.type
    if pa.types.is_struct(kind):
        yield from (array.field(place) for place in range(kind.num_fields))
    elif pa.types.is_map(kind):
        yield pa.StructArray.from_arrays([array.keys, array.items], fields=[kind.key_field, kind.item_field])
    elif pa.types.is_nested(kind):
        yield array.values


def _put_together(kind: pa.DataType, node: Node, buffers: "_Buffers") -> pa.Array:
    length, sizes, children = node
    own = [buffers.next(size) for size in sizes]
    kinds = _child_kinds(kind)
    made = [_put_together(each, child, buffers) for each, child in zip(kinds, children, strict=True)]
    if pa.types.is_map(kind):
        _check_entries(made[0])
    return pa.Array.from_buffers(kind, _length(length), own, children=made or None)


def _check_entries(entries: pa.StructArray) -> None:
    """Of a map: Arrow ends the process where one is made of missing entries or keys, before it can be validated."""
    entries.validate(full=True)
    if entries.null_count or entries.field(0).null_count:
        raise ValueError("a map without its keys")


def _child_kinds(kind: pa.DataType) -> list[pa.DataType]:
    if pa.types.is_struct(kind):
        return [kind.field(place).type for place in range(kind.num_fields)]
    if pa.types.is_map(kind):
        return [pa.struct([kind.key_field, kind.item_field])]
    return [kind.value_type] if pa.types.is_nested(kind) else []


def _length(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MAX_ROWS:
        raise ValueError("a length")
    return value


class _Buffers:
    """The buffers of a body in their order, without a copy where the body lies as Arrow wants it."""

    def __init__(self, body: bytes | memoryview, at: int) -> None:
        self._body = pa.py_buffer(body)
        if self._body.address % _ALIGNED:
            self._body = pa.py_buffer(bytes(body))
        self._at = at + -at % 8

    def next(self, size: int | None) -> pa.Buffer | None:
        if size is None:
            return None
        if type(size) is not int or not 0 <= size <= self._body.size - self._at:
            raise ValueError("a size")
        buffer = self._body.slice(self._at, size)
        self._at += size + -size % 8
        return buffer
