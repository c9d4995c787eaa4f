"""Text of a Parquet file made dense in bounded parts: a few hundred bytes can stand for gigabytes. Called by `parquet`.

A dictionary page holds a long text once and a run of numbers repeats it, so that neither the file's size nor its
metadata says how large the rows are. Text is therefore read as dictionaries, its dense size is added up first, and only
so many rows are made dense at a time.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.errors import DataError
from orchestrator.data.formats.base import BATCH_BYTES
from orchestrator.data.text import clean_text

MAX_CELL = 8 * 2**20  # bytes of one text; as much as a row of CSV or JSON Lines may have
MAX_GROUP = 2 * 2**30  # bytes of all texts in a row group


def text_columns(stored: pa.Schema) -> list[str]:
    """The columns that must be read as dictionaries."""
    return [field.name for field in stored if _has_bytes(field.type)]


class DenseText:
    """Takes the batches of one row group. Raises DataError that names file, column and row where text is too large.

    `first_row`: the number of the row group's first row in the file, from 0.
    """

    def __init__(self, path: Path, schema: pa.Schema, first_row: int) -> None:
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
            yield pa.Table.from_batches([batch.slice(start, end - start)]).cast(self._schema)
            start = end
        self._row += batch.num_rows

    def _row_bytes(self, batch: pa.RecordBatch) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        """The dense size of each row's texts: int64[n_rows]."""
        total = np.zeros(batch.num_rows, np.int64)
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if not pa.types.is_dictionary(column.type) or not _has_bytes(column.type.value_type):
                continue
            lengths = pc.fill_null(pc.binary_length(column.dictionary).take(column.indices), 0)
            sizes = lengths.to_numpy(zero_copy_only=False).astype(np.int64)
            self._refuse(name, sizes, MAX_CELL, "a text")
            total += sizes
            self._refuse(name, self._total + np.cumsum(total), MAX_GROUP, "the texts of a row group up to here")
        self._total += int(total.sum())
        return total

    def _refuse(self, name: str, sizes: "np.ndarray[tuple[int], np.dtype[np.int64]]", most: int, what: str) -> None:
        over = np.flatnonzero(sizes > most)
        if len(over):
            raise DataError(
                f"{self._path}, column '{clean_text(name, 80)}', row {self._row + int(over[0]) + 1}: {what} would take "
                f"{int(sizes[over[0]]):,} bytes of memory; at most {most:,} are allowed.",
                advice="Check where the file comes from, or write it again with smaller row groups.",
            )


def _has_bytes(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    )  # fmt: skip
