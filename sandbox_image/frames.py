"""DataFrame from Arrow and back, keeping every value exactly. Called by child.py.

In: integers and booleans with nulls become pandas' nullable types, so that no value passes through a float; nested
values become plain Python objects. Out: a column of the input keeps its Arrow type where the value family is the same
and the cast loses nothing; anything else goes out in its natural type, so that the host sees the change of type.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from programs import Unserialisable
from untouched import buffers, column_array, same_values

INDEX = "__index__"
_NULLABLE: dict[pa.DataType, Any] = {
    pa.bool_(): pd.BooleanDtype(),
    pa.int8(): pd.Int8Dtype(),
    pa.int16(): pd.Int16Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.uint8(): pd.UInt8Dtype(),
    pa.uint16(): pd.UInt16Dtype(),
    pa.uint32(): pd.UInt32Dtype(),
    pa.uint64(): pd.UInt64Dtype(),
}


def read_table(blob: Any) -> pa.Table:
    """The table of an IPC stream, without whatever metadata it carries."""
    return pa.ipc.open_stream(blob).read_all().replace_schema_metadata(None)


class InputTable:
    """One input table, and a fresh DataFrame of it as often as one is wanted.

    Text lies in Arrow's own immutable buffers, which a copy of the frame shares: only one conversion is paid for, and a
    column that comes back with the very same buffers has not been touched.
    """

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self._nested = [place for place, kind in enumerate(table.schema.types) if pa.types.is_nested(kind)]
        self._made = to_frame(table)
        arrays = [column_array(self._made, place) for place in range(table.num_columns)]
        self._arrays = dict(zip(table.column_names, arrays, strict=True))
        self._untouched = {name: held for name, each in self._arrays.items() if (held := buffers(each)) is not None}
        self.dtypes = {name: str(each.dtype) for name, each in self._arrays.items()}

    def frame(self) -> pd.DataFrame:
        frame = self._made.copy()
        for place in self._nested:  # a copy would share lists and dicts
            frame.isetitem(place, _objects(self.table.column(place)))
        return frame

    def holds(self, name: str, array: Any, rows: Any) -> bool:
        """Whether the returned column is the input's own in these rows, in which nothing was written."""
        own = self._arrays.get(name)
        if own is None:
            return False
        known = self._untouched.get(name)
        if rows is None and known is not None and buffers(array) is known:
            return True
        return same_values(array, own if rows is None else own[rows])

    def column(self, name: str, series: "pd.Series[Any]") -> Any:
        """The returned column in Arrow. Raises Unserialisable."""
        return _column(series, name, self.table.column(name) if name in self.table.column_names else None)


def to_frame(table: pa.Table) -> pd.DataFrame:
    """A fresh DataFrame of the table's values."""
    alone = [place for place, kind in enumerate(table.schema.types) if pa.types.is_nested(kind) or _may_lack(kind)]
    flat = table
    for place in alone:  # pandas cannot take all of them
        flat = flat.set_column(place, table.column_names[place], pa.nulls(table.num_rows))
    frame: pd.DataFrame = flat.to_pandas(ignore_metadata=True, use_threads=False)
    for position, column in enumerate(table.columns):
        kind = column.type
        if position in alone:
            frame.isetitem(position, _objects(column))
        elif kind in _NULLABLE and column.null_count:
            frame.isetitem(position, _NULLABLE[kind].__from_arrow__(column))
    return frame


def _may_lack(kind: pa.DataType) -> bool:
    """Whether Python may have no value for one: a date beyond the year 9999, a time of day to the nanosecond."""
    return bool(pa.types.is_date(kind) or kind == pa.time64("ns"))


def _objects(column: pa.ChunkedArray) -> Any:
    """Values as plain Python objects, which nobody shares; as text where Python has none for one, or for one in it."""
    try:
        made = column.to_pylist() if pa.types.is_nested(column.type) else column.to_pandas(use_threads=False)
    except (ValueError, OverflowError, pa.ArrowException):  # a time beyond the year 9999
        made = [_object(column, row) for row in range(len(column))]
    values = np.empty(len(column), dtype=object)
    values[:] = [*made, None][: len(column)]
    return values


def _object(column: pa.ChunkedArray, row: int) -> Any:
    try:
        return column[row].as_py()
    except (ValueError, OverflowError, pa.ArrowException):
        one = column.slice(row, 1)
        return one.to_string() if pa.types.is_nested(one.type) else one.cast(pa.string())[0].as_py()


def table_bytes(frame: object, source: InputTable, header: dict[str, Any]) -> pa.Buffer:
    """The stream of what a function returned for `source`, with `__index__` in front. Raises Unserialisable.

    Columns that are the input's own are left out, as columns of nulls; their places go into the record's header.
    """
    checked = require_frame(frame)
    index = _index(checked)
    arrays, same, kept = [index], [], _Kept.of(index.to_numpy(), source.table.num_rows)
    for place, name in enumerate(checked.columns):
        if kept is not None and source.holds(name, column_array(checked, place), kept.rows):
            arrays.append(pa.nulls(len(checked)))
            same.append(place + 1)
        else:
            arrays.append(source.column(name, checked.iloc[:, place]))
    header["same"] = same
    return stream([INDEX, *checked.columns], arrays)


def require_frame(frame: object) -> pd.DataFrame:
    """The value itself when it is a plain DataFrame with usable column names. Raises Unserialisable."""
    if type(frame) is not pd.DataFrame:
        raise Unserialisable(f"it returned {_a(frame)} instead of a DataFrame")
    names = list(frame.columns)
    for name in names:
        if type(name) is not str:
            raise Unserialisable(f"the column name {str(name)[:100]!r} is {_a(name)}, not a str")
        if any("\ud800" <= char <= "\udfff" for char in name):
            raise Unserialisable(f"the column name {name[:100]!r} is no valid Unicode")
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Unserialisable(f"there are several columns called {twice[:100]!r}")
    if INDEX in names:
        raise Unserialisable(f"the column name {INDEX} is reserved")
    return frame


def mask_bytes(result: object, rows: int) -> pa.Buffer:
    """The stream of what a detect function returned: one bool per row. Raises Unserialisable."""
    if not isinstance(result, pd.Series | np.ndarray | list | pd.api.extensions.ExtensionArray):
        raise Unserialisable(f"detect returned {_a(result)} instead of one bool per row")
    try:
        mask = pa.array(result, from_pandas=True)
    except Exception as error:  # noqa: BLE001 - foreign array types may raise anything
        raise Unserialisable(f"detect returned values that are not all bool: {_short(error)}") from None
    mask = mask.combine_chunks() if isinstance(mask, pa.ChunkedArray) else mask
    if len(mask) != rows:
        raise Unserialisable(f"detect returned {len(mask)} values for {rows} rows")
    if rows == 0:
        mask = pa.array([], pa.bool_())
    if mask.type != pa.bool_():
        raise Unserialisable(f"detect returned values of type {mask.type}, not bool")
    return stream(["detect"], [mask.fill_null(False)])  # as pandas takes what is missing when it selects rows by a mask


def stream(names: list[str], arrays: list[Any]) -> pa.Buffer:
    """One uncompressed IPC stream with one batch, in as much memory as it needs."""
    table = pa.Table.from_arrays(arrays, names=names).combine_chunks()
    counted = pa.MockOutputStream()
    _write_stream(table, counted)
    made = pa.allocate_buffer(counted.size())
    _write_stream(table, pa.FixedSizeBufferWriter(made))
    return made


def _write_stream(table: pa.Table, sink: Any) -> None:
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


class _Kept(NamedTuple):
    """The rows of the input that a result still has, in their order; None for all of them."""

    rows: Any

    @classmethod
    def of(cls, index: Any, rows: int) -> "_Kept | None":
        """None where the index does not say which rows they are."""
        if len(index) == rows:
            return cls(None)
        said = len(index) == 0 or (index[0] >= 0 and index[-1] < rows and bool((np.diff(index) > 0).all()))
        return cls(index) if said else None


def _index(frame: pd.DataFrame) -> pa.Array:
    index = frame.index
    if type(index) is pd.RangeIndex or (isinstance(index.dtype, np.dtype) and index.dtype.kind == "i"):
        return pa.array(index.to_numpy().astype(np.int64), pa.int64())
    return pa.array(np.full(len(frame), -1, dtype=np.int64))


def _column(series: "pd.Series[Any]", name: str, before: pa.ChunkedArray | None) -> Any:
    if before is not None and pa.types.is_nested(before.type):
        made = _as_before(series, before.type)
        if made is not None:
            return made
    try:
        natural = pa.array(series, from_pandas=not _keeps_nan(before))
    except Exception as error:  # noqa: BLE001 - foreign array types may raise anything
        raise Unserialisable(f"column {name[:100]!r} holds values that do not fit together: {_short(error)}") from None
    if isinstance(natural.type, pa.BaseExtensionType):
        raise Unserialisable(f"column {name[:100]!r} has the special type {series.dtype}")
    if pa.types.is_large_string(natural.type) or pa.types.is_string_view(natural.type):
        natural = natural.cast(pa.string())
    if before is None or natural.type == before.type:
        return natural
    if natural.null_count == len(natural):  # pandas has no type for a column without values
        return pa.nulls(len(natural), before.type)
    if pa.types.is_integer(before.type) and pa.types.is_floating(natural.type):
        return _or_natural(natural, before.type)  # nor an integer that is missing, or that an assignment left out
    return _exact_cast(natural, before.type)


def _as_before(series: "pd.Series[Any]", wanted: pa.DataType) -> Any:
    """Nested values in the type that they came in; None where it cannot hold them exactly."""
    try:
        made = pa.array(series, wanted)
        back = _objects(made)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None
    return made if series.dtype == object and same_values(series.to_numpy(), back) else None


def _or_natural(natural: Any, wanted: pa.DataType) -> Any:
    try:
        return natural.cast(wanted, safe=True)
    except pa.ArrowInvalid:
        return natural


def _keeps_nan(before: pa.ChunkedArray | None) -> bool:
    """A float column that came with NaN and without nulls goes back with NaN; everywhere else NaN means missing."""
    if before is None or not pa.types.is_floating(before.type) or before.null_count:
        return False
    return bool(pc.any(pc.is_nan(before)).as_py())


def _exact_cast(natural: Any, wanted: pa.DataType) -> Any:
    """`natural` as `wanted` when the family is the same and nothing is lost, else `natural` itself."""
    if pa.types.is_null(natural.type):
        return natural.cast(wanted)
    if _family(natural.type) != _family(wanted):
        return natural
    try:
        made = natural.cast(wanted, safe=True)
        if pa.types.is_floating(wanted) or pa.types.is_nested(wanted):
            exact = made.cast(natural.type, safe=True).equals(natural) and made.null_count == natural.null_count
            return made if exact else natural
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        return natural
    return made


def _family(kind: pa.DataType) -> str:
    types = pa.types
    tests = [
        ("bool", types.is_boolean),
        ("integer", types.is_integer),
        ("float", types.is_floating),
        ("string", lambda t: types.is_string(t) or types.is_large_string(t) or types.is_string_view(t)),
        ("decimal", types.is_decimal),
        ("date", types.is_date),
        ("time", types.is_time),
        ("duration", types.is_duration),
        ("binary", lambda t: types.is_binary(t) or types.is_large_binary(t) or types.is_fixed_size_binary(t)),
        ("dictionary", types.is_dictionary),
        ("list", lambda t: types.is_list(t) or types.is_large_list(t) or types.is_fixed_size_list(t)),
        ("struct", types.is_struct),
    ]
    if types.is_timestamp(kind):
        return f"timestamp {kind.tz}"
    return next((name for name, test in tests if test(kind)), str(kind))


def _a(value: object) -> str:
    return f"a {type(value).__name__}"[:100]


def _short(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:500]
