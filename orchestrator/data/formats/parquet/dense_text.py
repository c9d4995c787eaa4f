"""Text of a Parquet file made dense in bounded parts: a few hundred bytes can stand for gigabytes.

A dictionary page holds a long text once and a run of numbers repeats it, so that neither the file's size nor its
metadata says how large the rows are. Text is therefore read as dictionaries, in lists and structs too; its dense size
is added up first, and only so many rows are made dense at a time. Called by `parquet_reader`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.errors import DataError
from orchestrator.data.formats.format_interface import BATCH_BYTES
from orchestrator.data.text import clean_text

MAX_CELL = 8 * 2**20  # bytes of one text; as much as a row of CSV or JSON Lines may have
MAX_GROUP = 2 * 2**30  # bytes of all texts in a row group
_NUMBER = 8  # bytes of a value that is no text, in a list
_Sizes = np.ndarray[Any, np.dtype[np.int64]]


class DenseText:
    """Takes the batches of one row group. Raises DataError that names file, column and row where text is too large.

    `first_row`: the number of the row group's first row in the file, from 0.
    """

    def __init__(self, path: str, schema: pa.Schema, first_row: int) -> None:
        self._path = path
        self._schema = schema
        self._row = first_row
        self._total = 0

    def parts(self, batch: pa.RecordBatch) -> Iterator[pa.Table]:
        """The same rows with dense columns, in tables of about `BATCH_BYTES` of text."""
        ends = np.cumsum(self._row_bytes(batch))
        start = 0
        while start < batch.num_rows:
            done = int(ends[start - 1]) if start else 0
            end = max(start + 1, int(np.searchsorted(ends, done + BATCH_BYTES, side="right")))
            yield self._dense(pa.Table.from_batches([batch.slice(start, end - start)]))
            start = end
        self._row += batch.num_rows

    def _dense(self, table: pa.Table) -> pa.Table:
        """With the schema's types; a cast of nulls in lists to themselves would break them."""
        pairs = zip(table.columns, self._schema.types, strict=True)
        return pa.table([c if c.type == kind else c.cast(kind) for c, kind in pairs], schema=self._schema)

    def _row_bytes(self, batch: pa.RecordBatch) -> _Sizes:
        """The dense size of each row's texts: int64[n_rows]."""
        total = np.zeros(batch.num_rows, np.int64)
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            nested = pa.types.is_nested(column.type)
            if not nested and not pa.types.is_dictionary(column.type):
                continue
            sizes = _sizes(column)
            self._refuse(name, sizes, MAX_CELL, "a nested value" if nested else "a text")
            total += sizes
            self._refuse(name, self._total + np.cumsum(total), MAX_GROUP, "the texts of a row group up to here")
        self._total += int(total.sum())
        return total

    def _refuse(self, name: str, sizes: _Sizes, most: int, what: str) -> None:
        over = np.flatnonzero(sizes > most)
        if len(over):
            raise DataError(
                f"{self._path}, column '{clean_text(name, 80)}', row {self._row + int(over[0]) + 1}: {what} would take "
                f"{int(sizes[over[0]]):,} bytes of memory; at most {most:,} are allowed.",
                advice="Check where the file comes from, or write it again with smaller row groups.",
            )


def _sizes(column: pa.Array) -> _Sizes:
    """The dense size of each value: int64[n_rows]. Numbers count as eight bytes."""
    kind: Any = column.type
    if pa.types.is_dictionary(kind):
        if not _has_bytes(kind.value_type):
            return np.full(len(column), _NUMBER, np.int64)
        lengths = pc.fill_null(pc.binary_length(column.dictionary).take(column.indices), 0)
        return np.asarray(lengths.to_numpy(zero_copy_only=False), np.int64)
    if pa.types.is_struct(kind):
        fields = [_sizes(column.field(place)) for place in range(kind.num_fields)]
        return np.sum(fields, axis=0, dtype=np.int64) if fields else np.zeros(len(column), np.int64)
    if pa.types.is_map(kind):
        return _between(column.offsets, _sizes(column.keys) + _sizes(column.items))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _between(column.offsets, _sizes(column.values))
    if pa.types.is_fixed_size_list(kind):
        start = column.offset * kind.list_size
        own = _sizes(column.values.slice(start, len(column) * kind.list_size))
        return np.asarray(own.reshape(len(column), -1).sum(axis=1), np.int64)
    return np.full(len(column), _NUMBER, np.int64)


def _between(offsets: pa.Array, sizes: _Sizes) -> _Sizes:
    """The sums of the sizes from each offset to the next."""
    sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    at = offsets.to_numpy(zero_copy_only=False)
    return np.asarray(sums[at[1:]] - sums[at[:-1]], np.int64)


def _has_bytes(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    )  # fmt: skip
