"""Arrow's types as JSON and back, so that a schema can be told without Arrow's own formats.

Called by `plain` and for Parquet files. Types that a process may hand on: those whose values are plain buffers. Views,
run ends, unions and extensions are not.
"""

from functools import cache
from typing import Any

import pyarrow as pa

from orchestrator.data.hostile.arrow_tables import is_zone
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.text import clean_text

_UNITS = ("s", "ms", "us", "ns")
_SIMPLE = {
    str(kind): kind
    for kind in (
        pa.null(), pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(),
        pa.uint64(), pa.float16(), pa.float32(), pa.float64(), pa.string(), pa.large_string(), pa.binary(),
        pa.large_binary(), pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"),
        *(pa.timestamp(unit) for unit in _UNITS), *(pa.duration(unit) for unit in _UNITS),
    )
}  # fmt: skip


@cache
def named(kind: pa.DataType) -> Any:
    """A type as JSON; nested types have their fields in it. Raises HostileOutput for a type that has no name here."""
    types = pa.types
    if str(kind) in _SIMPLE and _SIMPLE[str(kind)] == kind:
        return str(kind)
    if types.is_timestamp(kind):
        return ["timestamp", kind.unit, kind.tz]
    if types.is_decimal(kind):
        return [f"decimal{kind.bit_width}", kind.precision, kind.scale]
    if types.is_fixed_size_binary(kind):
        return ["fixed_size_binary", kind.byte_width]
    if types.is_struct(kind):
        return ["struct", *(named_field(kind.field(place)) for place in range(kind.num_fields))]
    if types.is_map(kind):
        return ["map", named_field(kind.key_field), named_field(kind.item_field)]
    if types.is_list(kind) or types.is_large_list(kind):
        return ["list" if types.is_list(kind) else "large_list", named_field(kind.value_field)]
    if types.is_fixed_size_list(kind):
        return ["fixed_size_list", named_field(kind.value_field), kind.list_size]
    raise HostileOutput(f"a type is not accepted: {clean_text(str(kind), 80)}")


def named_field(field: pa.Field) -> list[Any]:
    """A field as JSON: its name, its type, whether it may be null. Raises HostileOutput."""
    try:
        name = field.name
    except UnicodeDecodeError as error:
        raise HostileOutput("the name of a nested field is not UTF-8") from error
    return [name, named(field.type), field.nullable]


_MADE = {
    "timestamp": lambda unit, zone: pa.timestamp(unit, _zone(zone)),
    "decimal32": pa.decimal32,
    "decimal64": pa.decimal64,
    "decimal128": pa.decimal128,
    "decimal256": pa.decimal256,
    "fixed_size_binary": pa.binary,
    "struct": lambda *fields: pa.struct([field_of(*each) for each in fields]),
    "map": lambda key, item: pa.map_(field_of(*key), field_of(*item)),
    "list": lambda value: pa.list_(field_of(*value)),
    "large_list": lambda value: pa.large_list(field_of(*value)),
    "fixed_size_list": lambda value, size: pa.list_(field_of(*value), size),
}


def kind_of(said: Any) -> pa.DataType:
    """The type of `named`. Raises LookupError, TypeError or ValueError for anything else."""
    if isinstance(said, str):
        return _SIMPLE[said]
    name, *arguments = said
    return _MADE[name](*arguments)


def _zone(name: str) -> str:
    if not is_zone(name):
        raise ValueError("a time zone")
    return name


def field_of(name: str, kind: Any, nullable: bool) -> pa.Field:
    """The field of `named_field`."""
    return pa.field(name, kind_of(kind), nullable)
