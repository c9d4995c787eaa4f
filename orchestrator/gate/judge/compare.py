"""Compares columns and tables cell by cell, and turns cells into plain JSON. Called by the checks, in the judge.

Two cells are the same when type and value are: null = null, NaN = NaN = null in float columns, -0.0 ≠ 0.0. Whole
columns are compared by Arrow; only what Arrow cannot compare is looked at value by value.
"""

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.verdict import Counterexample
from orchestrator.data.cells import python_rows
from orchestrator.data.record_tables import is_records, records_of

Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]
MAX_CELL = 200
MAX_SHOWN_COLUMNS = 12


def differing(one: pa.ChunkedArray, other: pa.ChunkedArray) -> Mask:
    """True where the cells differ. The columns must be equally long."""
    one, other = _unified(one), _unified(other)
    if one.type != other.type:
        return _differing_objects(one, other)
    inexact = pa.types.is_floating(one.type) or pa.types.is_nested(one.type)  # Arrow takes 0.0 for -0.0
    if not inexact and one.equals(other):
        return np.zeros(len(one), dtype=np.bool_)
    if pa.types.is_floating(one.type):
        return _differing_floats(one, other)
    if pa.types.is_nested(one.type):
        return _differing_objects(one, other)
    try:
        unequal = pc.fill_null(pc.not_equal(one, other), False)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return _differing_objects(one, other)
    made: Mask = pc.or_(unequal, pc.xor(one.is_null(), other.is_null())).to_numpy(zero_copy_only=False)
    return made


def _unified(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
        return column.cast(pa.string())
    return column


def _differing_floats(one: pa.ChunkedArray, other: pa.ChunkedArray) -> Mask:
    left, right = _floats(one), _floats(other)
    same = (left.view(np.int64) == right.view(np.int64)) | (np.isnan(left) & np.isnan(right))
    made: Mask = ~same
    return made


def _floats(column: pa.ChunkedArray) -> npt.NDArray[np.float64]:
    wide = column.cast(pa.float64())
    return np.ascontiguousarray(wide.to_numpy(zero_copy_only=False).astype(np.float64, copy=False))


def _differing_objects(one: pa.ChunkedArray, other: pa.ChunkedArray) -> Mask:
    pairs = zip(one.to_pylist(), other.to_pylist(), strict=True)
    return np.fromiter((not same_value(a, b) for a, b in pairs), dtype=np.bool_, count=len(one))


def same_value(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        both_nan = math.isnan(one) and math.isnan(other)
        return both_nan or (one == other and math.copysign(1.0, one) == math.copysign(1.0, other))
    if isinstance(one, list):
        return len(one) == len(other) and all(same_value(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same_value(value, other[key]) for key, value in one.items())
    return bool(one == other)


def difference(wanted: pa.Table, got: pa.Table) -> tuple[str, int | None, list[str]]:
    """How `got` differs from `wanted`: a sentence ("" when it does not), the first such row, the columns in it."""
    if wanted.column_names != got.column_names:
        return f"the columns are {_names(got.column_names)} instead of {_names(wanted.column_names)}", None, []
    if wanted.num_rows != got.num_rows:
        return f"there are {got.num_rows} rows instead of {wanted.num_rows}", None, []
    masks = {name: differing(wanted.column(name), got.column(name)) for name in wanted.column_names}
    masks = {name: mask for name, mask in masks.items() if mask.any()}
    if not masks:
        return "", None, []
    rows = np.logical_or.reduce(list(masks.values()))
    row = int(np.argmax(rows))
    columns = [name for name, mask in masks.items() if mask[row]]
    other = other_type(wanted.select(list(masks)), got)
    of_type = f" ({other})" if other else ""
    return f"{int(rows.sum())} of {wanted.num_rows} rows differ, in {_names(list(masks))}{of_type}", row, columns


def other_type(wanted: pa.Table, got: pa.Table) -> str:
    """Which column of the first table has another type in the second one, and what types these are; "" for none."""
    for name in wanted.column_names:
        kinds = [_unified(table.column(name)).type for table in (got, wanted) if name in table.column_names]
        if len({*kinds}) == 2:
            one, other = (str(kind).replace("double", "float64") for kind in kinds)
            return f"{one} instead of {other} in {name[:60]!r}"
    return ""


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:60]) for name in names[:6])
    return shown + (f" and {len(names) - 6} more" if len(names) > 6 else "") if names else "none"


def names_text(names: Sequence[str]) -> str:
    """Column names for a sentence: quoted, the first six."""
    return _names(names)


def shown_rows(table: pa.Table, rows: Iterable[int], columns: Iterable[str] = ()) -> tuple[dict[str, Any], ...]:
    """Rows as plain JSON. Of a wide table only the named columns, if any are named."""
    names = list(table.column_names)
    if len(names) > MAX_SHOWN_COLUMNS:
        names = [name for name in columns if name in names] or names
    narrow = table.select(names).take(pa.array(list(rows), pa.int64())) if names else table
    if is_records(narrow):
        return tuple({name: plain(value) for name, value in record.items()} for record in records_of(narrow))
    return tuple({name: plain(value) for name, value in row.items()} for row in python_rows(narrow))


def narrowed(shown: Counterexample | None, matter: Sequence[str]) -> Counterexample | None:
    """The same rows with at most twelve columns: of those that differ those that matter, the others, the first ones."""
    if shown is None:
        return None
    rows = [*shown.input, *shown.output]
    names = list(dict.fromkeys(name for row in rows for name in row))
    if len(names) <= MAX_SHOWN_COLUMNS:
        return shown
    pairs = list(zip(shown.input, shown.output, strict=False))
    differ = [name for name in names if any(repr(one.get(name)) != repr(other.get(name)) for one, other in pairs)]
    told = [name for name in matter if name in names]
    first = dict.fromkeys([*(name for name in told if name in differ), *differ, *told, *names])
    kept = [name for name in names if name in list(first)[:MAX_SHOWN_COLUMNS]]
    given, made = ([{n: row[n] for n in kept if n in row} for row in side] for side in (shown.input, shown.output))
    return shown.model_copy(update={"input": tuple(given), "output": tuple(made)})


def plain(value: Any) -> Any:
    """A cell as JSON can carry it, at most 200 characters."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, list | dict):
        return _cut(json.dumps(value, default=str, ensure_ascii=False))
    return _cut(value if isinstance(value, str) else str(value))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"
