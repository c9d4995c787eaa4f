"""Reads, cleans and writes Parquet files in an exported `cleaning_functions.py`. `export` copies this text into it."""

import io
from collections.abc import Callable
from typing import Any

import pandas as pd

# ── Parquet: stored types, compression, row groups and metadata are kept ──


def clean_parquet(data: bytes, _kind: str, clean: Callable[[pd.DataFrame], pd.DataFrame]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    _check_size(data)
    with pq.ParquetFile(io.BytesIO(data)) as file:
        stored, table = file.schema_arrow, file.read()
        group = file.metadata.row_group(0) if file.metadata.num_row_groups else None
        compression = group.column(0).compression.lower() if group else "snappy"
        rows = group.num_rows if group else 2**17
    columns = {name: _plain(table.column(name)) for name in stored.names}
    frame = pd.DataFrame({name: _arrow_series(column) for name, column in columns.items()})
    cleaned = clean(frame)
    arrays, fields = [], []
    for position, name in enumerate(map(str, cleaned.columns)):
        array = _arrow_array(cleaned.iloc[:, position], columns.get(name))
        field = stored.field(name) if name in columns else pa.field(name, array.type)
        fits = name not in columns or columns[name].type == array.type
        fields.append(field if fits else pa.field(name, array.type))
        arrays.append(_restored(array, fields[-1].type))
    metadata = dict(stored.metadata or {})
    if [field.name for field in fields] != stored.names:
        metadata.pop(b"pandas", None)  # it describes columns that are no longer there
    made = pa.table(arrays, schema=pa.schema(fields, metadata=metadata or None))
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, made.schema, compression=compression.replace("uncompressed", "none")) as writer:
        writer.write_table(made, row_group_size=max(1, min(rows, 1_000_000)))
    return sink.getvalue()


MAX_BYTES = 4 * 2**30


def _check_size(data: bytes) -> None:
    """Refuse a small file that stands for gigabytes: repeated text is counted before it is made dense."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(io.BytesIO(data)) as file:
        leaves = [file.schema.column(place) for place in range(len(file.schema))]
        groups = [file.metadata.row_group(place) for place in range(file.metadata.num_row_groups)]
    values = sum(group.column(place).num_values for group in groups for place in range(group.num_columns))
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    total = 8 * values
    with pq.ParquetFile(io.BytesIO(data), read_dictionary=texts) as file:
        for batch in [] if total > MAX_BYTES else file.iter_batches(1_000):
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
    return array.cast(kind)


def _arrow_series(column: Any) -> Any:
    """The column for pandas: integers and booleans with missing values stay such, nested values are objects."""
    import pyarrow as pa

    kind = column.type
    if column.null_count and (pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        name = "boolean" if pa.types.is_boolean(kind) else str(kind).replace("u", "U").replace("int", "Int")
        return pd.Series(column.to_pylist(), dtype=name)
    if pa.types.is_nested(kind):
        return pd.Series(column.to_pylist(), dtype=object)
    return column.to_pandas()


def _arrow_array(series: "pd.Series[Any]", before: Any) -> Any:
    """The values as Arrow has them: of the type that the column had, where that loses nothing."""
    import pyarrow as pa
    import pyarrow.compute as pc

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
