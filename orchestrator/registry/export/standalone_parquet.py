"""Reads, cleans and writes Parquet files in an exported `cleaning_functions.py`. `export` copies this text into it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

# --- parts ---
from orchestrator.registry.export.standalone_csv import own_names
from orchestrator.registry.export.standalone_files import Source

# --- end of parts ---

# ── Parquet: stored types, compression, row groups and metadata are kept ──


def clean_parquet(source: Source, _kind: str, clean: Callable[[pd.DataFrame], pd.DataFrame], target: BinaryIO) -> None:
    """Clean the file, some thousand rows at a time; a row group is held until it is written. Raises ValueError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with ExitStack() as stack:
        file = stack.enter_context(pq.ParquetFile(source.path))
        stored = file.schema_arrow
        fields = [field.with_type(_usual_maps(field.type)) for field in stored]
        known = pa.schema(map(pa.Field.with_name, fields, own_names(stored.names)), metadata=stored.metadata)
        own = dict(zip(known.names, stored.names, strict=True))
        group = file.metadata.row_group(0) if file.metadata.num_row_groups else None
        compression = group.column(0).compression.lower() if group else "snappy"
        most = max(1, min(group.num_rows if group else 2**17, 1_000_000))
        schema = writer = None
        held: list[Any] = []
        for table in _tables(file, source.path):
            made = _cleaned(table.rename_columns(known.names), known, schema, clean)
            schema = made.schema
            named = [field.with_name(own.get(field.name, field.name)) for field in schema]
            held.append(pa.table(made.columns, schema=pa.schema(named, metadata=schema.metadata)))
            if writer is None:
                packed = compression.replace("uncompressed", "none")
                writer = stack.enter_context(pq.ParquetWriter(target, held[0].schema, compression=packed))
            while sum(one.num_rows for one in held) >= most:
                rows = _joined(held)
                writer.write_table(rows.slice(0, most), row_group_size=most)
                held = [rows.slice(most)]
        if writer is not None and sum(one.num_rows for one in held):
            writer.write_table(_joined(held), row_group_size=most)


def _usual_maps(kind: Any) -> Any:
    """The type with maps as `pa.map_` makes them. Those that are read call their entries by the column's name, which
    no comparison of types shows, and what is written would say so.
    """
    import pyarrow as pa

    def usual(field: Any) -> Any:
        return field.with_type(_usual_maps(field.type))

    if pa.types.is_map(kind):
        return pa.map_(usual(kind.key_field), usual(kind.item_field))
    if pa.types.is_struct(kind):
        return pa.struct([usual(kind.field(place)) for place in range(kind.num_fields)])
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(usual(kind.value_field), kind.list_size)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return (pa.list_ if pa.types.is_list(kind) else pa.large_list)(usual(kind.value_field))
    return kind


def _joined(tables: list[Any]) -> Any:
    import pyarrow as pa

    return pa.concat_tables(tables)


def _tables(file: Any, path: Path) -> Iterator[Any]:
    """The rows, at most 12,800 at a time; one table without rows where there is none."""
    import pyarrow as pa

    waiting: list[Any] = []
    for number in range(file.metadata.num_row_groups):
        _check_size(path, number)
        for batch in file.iter_batches(_ROWS, row_groups=[number]):
            waiting.append(batch)
            if sum(one.num_rows for one in waiting) >= _ROWS:
                table = pa.Table.from_batches(waiting)
                yield table.slice(0, _ROWS)
                waiting = table.slice(_ROWS).to_batches()
    if waiting or not file.metadata.num_rows:
        yield pa.Table.from_batches(waiting, schema=file.schema_arrow)


def _cleaned(table: Any, stored: Any, schema: Any, clean: Callable[[pd.DataFrame], pd.DataFrame]) -> Any:
    """The rows, cleaned, in the types of `schema`; of the first rows: those of the file where they fit."""
    import pyarrow as pa

    columns = {name: _plain(table.column(name)) for name in stored.names}
    frame = pd.DataFrame({name: _arrow_series(column) for name, column in columns.items()})
    cleaned = clean(frame)
    names = [str(name) for name in cleaned.columns]
    rows = _kept(cleaned.index, table.num_rows)
    made = []
    for place, name in enumerate(names):
        before = columns.get(name)
        if before is not None and rows is not None and _untouched(cleaned.iloc[:, place], frame[name], before, rows):
            made.append(before if len(rows) == len(frame) else _taken(before, rows))
        else:
            made.append(_arrow_array(cleaned.iloc[:, place], before))
    if schema is None:
        metadata = dict(stored.metadata or {})
        if names != stored.names:
            metadata.pop(b"pandas", None)  # it describes columns that are no longer there
        fields = [_field(name, array.type, stored, columns) for name, array in zip(names, made, strict=True)]
        schema = pa.schema(fields, metadata=metadata or None)
    if names != schema.names:
        raise ValueError(f"a function gives the columns {names[:20]} in some rows and {schema.names[:20]} in others")
    try:
        arrays = [_restored(array, field.type) for array, field in zip(made, schema, strict=True)]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ValueError(f"a function gives other types in some rows than in others: {error}") from None
    return pa.table(arrays, schema=schema)


def _field(name: str, kind: Any, stored: Any, columns: dict[str, Any]) -> Any:
    import pyarrow as pa

    if name in columns and columns[name].type == kind:
        return stored.field(name)
    return pa.field(name, pa.string() if pa.types.is_null(kind) else kind)


_ROWS = 12_800
MAX_BYTES = 4 * 2**30


def _check_size(path: Path, group: int) -> None:
    """Refuse a small row group that stands for gigabytes: repeated text is counted before it is made dense."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        leaves = [file.schema.column(place) for place in range(len(file.schema))]
        columns = file.metadata.row_group(group)
        total = 8 * sum(columns.column(place).num_values for place in range(columns.num_columns))
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    with pq.ParquetFile(path, read_dictionary=texts) as file:
        for batch in [] if total > MAX_BYTES else file.iter_batches(1_000, row_groups=[group]):
            total += sum(_text_bytes(column) for column in batch.columns)
            if total > MAX_BYTES:
                break
    if total > MAX_BYTES:
        raise ValueError(f"its rows would take more than {MAX_BYTES:,} bytes of memory")


def _text_bytes(column: Any) -> int:
    """The bytes of the texts of a column, also in lists, structs and maps, as if each was stored by itself."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        if column.type.value_type not in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()):
            return 0
        sizes = pc.binary_length(column.dictionary).take(column.indices)
        return int(pc.sum(sizes.cast(pa.int64())).as_py() or 0)
    if pa.types.is_struct(column.type):
        return sum(_text_bytes(column.field(place)) for place in range(column.type.num_fields))
    if pa.types.is_map(column.type):
        return _text_bytes(column.keys) + _text_bytes(column.items)
    return _text_bytes(column.values) if pa.types.is_nested(column.type) else 0


def _plain(column: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    if pa.types.is_string_view(column.type):
        return column.cast(pa.string())
    return column.cast(pa.binary()) if pa.types.is_binary_view(column.type) else column


def _restored(array: Any, kind: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return array.cast(kind.value_type).dictionary_encode().cast(kind)
    return array if array.type == kind else array.cast(kind)


def _arrow_series(column: Any) -> Any:
    """The column for pandas: integers and booleans with missing values stay such, nested values are objects."""
    import pyarrow as pa

    kind = column.type
    if column.null_count and (pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        name = "boolean" if pa.types.is_boolean(kind) else str(kind).replace("u", "U").replace("int", "Int")
        return pd.Series(column.to_pylist(), dtype=name)
    if not pa.types.is_nested(kind):
        try:
            return column.to_pandas()
        except (ValueError, OverflowError, pa.ArrowException):  # a time of day to the nanosecond
            pass
    return pd.Series(_objects(column), dtype=object)


def _objects(column: Any) -> Any:
    """Values as Python's, which nobody shares; as text where Python has no value for one, or for one in it."""
    import numpy as np
    import pyarrow as pa

    def one(row: int) -> Any:
        try:
            return column[row].as_py()
        except (ValueError, OverflowError, pa.ArrowException):  # a time beyond the year 9999
            part = column.slice(row, 1)
            return part.to_string() if pa.types.is_nested(part.type) else part.cast(pa.string())[0].as_py()

    values = np.empty(len(column), dtype=object)
    values[:] = [*map(one, range(len(column))), None][: len(column)]
    return values


def _kept(index: Any, count: int) -> Any:
    """The rows that the result still has, in their order; None where its index does not say which they are."""
    import numpy as np

    rows = index.to_numpy()
    said = rows.dtype.kind == "i" and (np.diff(rows) > 0).all() and (not len(rows) or 0 <= rows[0] <= rows[-1] < count)
    return rows if said else None


def _taken(column: Any, rows: Any) -> Any:
    import pyarrow as pa

    try:
        return column.take(pa.array(rows))
    except pa.ArrowNotImplementedError:  # views inside lists
        return pa.array(_objects(column)[rows], column.type)


def _untouched(series: "pd.Series[Any]", before: "pd.Series[Any]", column: Any, rows: Any) -> bool:
    """Whether a column holds the file's own values in these rows, bit for bit: then Arrow's are taken, of any type."""
    import numpy as np
    import pyarrow as pa

    if series.dtype != before.dtype:
        return False
    if pa.types.is_nested(column.type):  # a function may have changed a list in its place
        return all(map(_alike, series.tolist(), _objects(column)[rows].tolist()))
    old, new = before.iloc[rows], series
    if old.dtype == object:
        return all(map(_alike, new.tolist(), old.tolist()))
    if isinstance(old.dtype, np.dtype):
        left, right = (np.ascontiguousarray(one.to_numpy()).view(np.uint8) for one in (new, old))
        return np.array_equal(left, right)
    return bool(new.array.equals(old.array))


def _alike(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(_alike, one.values(), other.values()))
    return repr(one) == repr(other) if isinstance(one, float) else bool(one == other)  # NaN, and the sign of zero


def _arrow_array(series: "pd.Series[Any]", before: Any) -> Any:
    """The values as Arrow has them: of the type that the column had, where that loses nothing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if before is not None and pa.types.is_nested(before.type):
        try:
            array = pa.array(series, before.type)
            if all(map(_alike, series.tolist(), _objects(array).tolist())):
                return array
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            pass  # the type of what is there is taken
    keeps_nan = before is not None and pa.types.is_floating(before.type) and not before.null_count
    array = pa.array(series, from_pandas=not (keeps_nan and pc.any(pc.is_nan(before)).as_py()))
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    array = array.cast(pa.string()) if pa.types.is_large_string(array.type) else array
    if before is None or array.type == before.type:
        return array
    try:
        return array.cast(before.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return array
