"""Cells as text, as people see them, and the rows in which two columns differ. Used by writers, quality and apply."""

import base64
import json
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this type holds texts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def has_column(table: pa.Table, name: str) -> bool:
    """Whether there is such a column. `column_names` is a list that Arrow makes each time: slow where all are asked."""
    return bool(table.schema.get_all_field_indices(name))


def as_text(values: Any) -> Any:
    """An array of strings; missing values stay missing. Lists and objects appear as JSON text, bytes as base64."""
    kind = values.type
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return pa.array([None if value is None else plain(value) for value in values.to_pylist()], pa.string())
    if pa.types.is_nested(kind):
        return pa.array([_json(value) for value in python_values(values)], pa.string())
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], kind)
    if pa.types.is_string(kind):
        return values
    text = values.cast(pa.string())
    if pa.types.is_decimal(kind) and pc.any(pc.match_substring(text, "E")).as_py():  # 0E-10 where 0.0000000000 is meant
        return pa.array([None if value is None else plain(value) for value in values.to_pylist()], pa.string())
    return text


def plain(value: Any) -> str:
    """What a value is in JSON, which has no kind for it: bytes as base64, decimals in full, others as their text."""
    if isinstance(value, Decimal):
        return format(value, "f")
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


def differing(before: Any, after: Any) -> Any:
    """A mask `bool[n_rows]` of where two columns differ, None if nowhere. Missing equals missing, NaN equals NaN."""
    if before.type == after.type and before.equals(after):
        return None
    if before.type != after.type or pa.types.is_nested(before.type):
        before, after = as_text(before), as_text(after)
    elif pa.types.is_float16(before.type):  # which Arrow cannot compare
        before, after = before.cast(pa.float32()), after.cast(pa.float32())
    different = pc.fill_null(pc.not_equal(before, after), True)
    same = pc.and_(pc.is_null(before), pc.is_null(after))
    if pa.types.is_floating(before.type):
        nan = pc.and_(pc.fill_null(pc.is_nan(before), False), pc.fill_null(pc.is_nan(after), False))
        same = pc.or_(same, nan)
    mask = pc.and_not(different, same)
    return mask if pc.any(mask).as_py() else None


def python_values(values: Any) -> list[Any]:
    """Of a column; Arrow's own text for those that Python does not have, such as a time beyond the year 9999."""
    try:
        made: list[Any] = values.to_pylist()
    except (ValueError, OverflowError):
        return [_object(values, row) for row in range(len(values))]
    return made


def whole_values(values: Any) -> list[Any]:
    """The same for files and tables: a time of day to the nanosecond, which Python would cut off, is text, too."""
    return python_values(as_text(values) if _has_nanoseconds(values) else values)


def python_rows(table: pa.Table) -> list[dict[str, Any]]:
    """The rows of a table, as far as Python has their values."""
    return _rows(table.column_names, [python_values(column) for column in table.columns])


def _object(values: Any, row: int) -> Any:
    try:
        return values[row].as_py()
    except (ValueError, OverflowError):
        one = values.slice(row, 1)
        text: str = one.to_string() if pa.types.is_nested(one.type) else as_text(one)[0].as_py()
        return text


def whole_rows(table: pa.Table) -> list[dict[str, Any]]:
    """The same for files, whole as `whole_values` are."""
    return _rows(table.column_names, [whole_values(column) for column in table.columns])


def _rows(names: list[str], columns: list[list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _has_nanoseconds(values: Any) -> bool:
    """Whether a time of day has some."""
    if values.type != pa.time64("ns"):
        return False
    try:
        values.cast(pa.time64("us"))
    except pa.ArrowInvalid:
        return True
    return False


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, default=plain)
