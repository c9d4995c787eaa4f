"""Any column as text, one array. Used where cells are looked at as people see them: writing, patterns, quality."""

import json
from typing import Any

import pyarrow as pa


def as_text(values: Any) -> Any:
    """An array of strings; missing values stay missing. Lists, objects and bytes appear as JSON text."""
    kind = values.type
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return pa.array([_json(value) for value in values.to_pylist()], pa.string())
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], kind)
    return values if pa.types.is_string(kind) else values.cast(pa.string())


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, default=str)
