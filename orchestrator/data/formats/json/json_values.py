"""JSON values as typed cells, and back. Used by the JSONL reader and writer and for records.

A column has one type, found over the whole file: bool, int, float or text. Where values of several kinds meet, and
for lists and objects, the column is text, and a cell whose value is not text holds its JSON. An unchanged row is
written from its source text, so that no value changes its JSON type.
"""

import json
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

_INT64 = 2**63
_EXACT = 2**53
_TYPES = {
    "null": pa.string(),
    "bool": pa.bool_(),
    "int": pa.int64(),
    "float": pa.float64(),
    "text": pa.string(),
}


def kind_of(value: Any) -> str:
    """The kind of one JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if -_EXACT <= value <= _EXACT else "big" if -_INT64 <= value < _INT64 else "text"
    return "float" if isinstance(value, float) else "text"


def column_type(kinds: Iterable[str]) -> pa.DataType:
    """The Arrow type of a column in which these kinds of values occur."""
    found = set(kinds) - {"null"}
    if len(found) == 1:
        (only,) = found
        return _TYPES["int" if only == "big" else only]
    if found == {"int", "big"}:
        return _TYPES["int"]
    if found == {"int", "float"}:
        return _TYPES["float"]
    return pa.string()


def to_cell(value: Any, kind: pa.DataType) -> Any:
    """The value as a cell of a column of that type."""
    if value is None or not pa.types.is_string(kind) or isinstance(value, str):
        return float(value) if value is not None and pa.types.is_floating(kind) else value
    return json.dumps(value, ensure_ascii=False)
