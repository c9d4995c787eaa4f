"""A Parquet file's stored schema as JSON, as the process that reads the file tells it. Called by both sides.

Beside the types of rows a file may store dictionaries, views and a few extensions; its fields and the schema as a whole
carry metadata, which is written back.
"""

import base64
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from orchestrator.data.hostile.type_names import kind_of, named

_EXTENSIONS = {"arrow.uuid": pa.uuid(), "arrow.json": pa.json_(), "arrow.bool8": pa.bool8()}
_NESTED: dict[str, Callable[..., pa.DataType]] = {
    "struct": lambda *fields: pa.struct(fields),
    "map": pa.map_,
    "list": pa.list_,
    "large_list": pa.large_list,
    "fixed_size_list": pa.list_,
}
_VIEWS = {"string_view": pa.string_view(), "binary_view": pa.binary_view()}


def plain_type(kind: pa.DataType) -> pa.DataType:
    """The type of the rows: without dictionary encoding, views or extension, in nested types, too."""
    if pa.types.is_struct(kind):
        return pa.struct([_plain_field(kind.field(place)) for place in range(kind.num_fields)])
    if pa.types.is_map(kind):
        return pa.map_(_plain_field(kind.key_field), _plain_field(kind.item_field))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_plain_field(kind.value_field), kind.list_size)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return (pa.list_ if pa.types.is_list(kind) else pa.large_list)(_plain_field(kind.value_field))
    if isinstance(kind, pa.BaseExtensionType):
        return kind.storage_type
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_string_view(kind):
        return pa.string()
    return pa.binary() if pa.types.is_binary_view(kind) else kind


def _plain_field(field: pa.Field) -> pa.Field:
    return field.with_type(plain_type(field.type)).remove_metadata()


def told(schema: pa.Schema) -> dict[str, Any]:
    """The schema as JSON. Raises HostileOutput for a type that it does not take."""
    fields = [[field.name, _told(field.type), field.nullable, _text(field.metadata)] for field in schema]
    return {"fields": fields, "metadata": _text(schema.metadata)}


def understood(said: Any) -> pa.Schema:
    """The schema of `told`. Raises LookupError, TypeError, ValueError or pa.ArrowException for anything else."""
    fields = [pa.field(str(n), _understood(kind), bool(null), _bytes(more)) for n, kind, null, more in said["fields"]]
    return pa.schema(fields, metadata=_bytes(said["metadata"]))


def _told(kind: pa.DataType) -> Any:
    if pa.types.is_dictionary(kind):
        return {"dictionary": named(kind.value_type), "index": named(kind.index_type), "ordered": kind.ordered}
    special = {str(each): name for name, each in (_EXTENSIONS | _VIEWS).items()}
    if str(kind) in special:
        return {"special": special[str(kind)]}
    fields = _fields(kind)
    if not fields:
        return named(kind)
    size = [kind.list_size] if pa.types.is_fixed_size_list(kind) else []
    return {
        "nested": named(plain_type(kind))[0],
        "fields": [[f.name, _told(f.type), f.nullable] for f in fields],
        "size": size,
    }


def _fields(kind: pa.DataType) -> list[pa.Field]:
    """The fields of a nested type, in the order in which its name tells them; none of any other type."""
    if pa.types.is_struct(kind):
        return [kind.field(place) for place in range(kind.num_fields)]
    if pa.types.is_map(kind):
        return [kind.key_field, kind.item_field]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return [kind.value_field]
    return []


def _understood(said: Any) -> pa.DataType:
    if not isinstance(said, dict):
        return kind_of(said)
    if "special" in said:
        return (_EXTENSIONS | _VIEWS)[said["special"]]
    if "nested" in said:
        fields = [pa.field(str(name), _understood(kind), bool(null)) for name, kind, null in said["fields"]]
        return _NESTED[said["nested"]](*fields, *said["size"])
    return pa.dictionary(kind_of(said["index"]), kind_of(said["dictionary"]), bool(said["ordered"]))


def _text(metadata: dict[bytes, bytes] | None) -> list[list[str]] | None:
    if metadata is None:
        return None
    return [[base64.b64encode(part).decode() for part in pair] for pair in metadata.items()]


def _bytes(pairs: Any) -> dict[bytes, bytes] | None:
    if pairs is None:
        return None
    return {base64.b64decode(key, validate=True): base64.b64decode(value, validate=True) for key, value in pairs}
