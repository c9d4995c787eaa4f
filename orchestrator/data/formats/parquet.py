"""Reads and writes Parquet, row group by row group. Called through `data.formats`.

The file's own Arrow schema (decimals, narrow integers, time zones, dictionaries, metadata) is kept for writing; the
rows that are read have plain columns.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from orchestrator.core.errors import DataError, OutputError
from orchestrator.data.arrow_without_pandas import import_pandas_for
from orchestrator.data.files import atomic_file
from orchestrator.data.formats.base import BATCH_ROWS, Batch, Dataset, Writer, regroup
from orchestrator.data.formats.dense_text import DenseText, text_columns
from orchestrator.data.text import clean_text

_GROUP_ROWS = 131_072


class ParquetDataset(Dataset):
    """A Parquet file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "parquet")
        try:
            with pq.ParquetFile(path) as file:
                self.stored = file.schema_arrow
                self.metadata = file.metadata
        except (pa.ArrowException, OSError) as error:
            raise DataError(
                f"{path} is not a readable Parquet file: {clean_text(str(error), 150)}",
                advice="Check that it was written completely.",
            ) from error
        twice = [name for name, count in Counter(self.stored.names).items() if count > 1]
        if twice:
            raise DataError(f"{path}: two columns are called '{clean_text(twice[0], 80)}'.", advice="Rename one.")
        import_pandas_for(self.stored)

    @cached_property
    def schema(self) -> pa.Schema:
        return pa.schema([pa.field(field.name, _plain(field.type)) for field in self.stored])

    @cached_property
    def rows(self) -> int:
        count: int = self.metadata.num_rows
        return count

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        return (Batch(table) for table in regroup(self._tables(rows), rows))

    def _tables(self, rows: int) -> Iterator[pa.Table]:
        try:
            with pq.ParquetFile(self.path, read_dictionary=text_columns(self.stored)) as file:
                first_row = 0
                for group in range(self.metadata.num_row_groups):
                    text = DenseText(self.path, self.schema, first_row)
                    for batch in file.iter_batches(rows, row_groups=[group], use_threads=False):
                        yield from text.parts(batch)
                    first_row += self.metadata.row_group(group).num_rows
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"{self.path} cannot be read: {clean_text(str(error), 150)}") from error

    @property
    def compression(self) -> str:
        if not self.metadata.num_row_groups or not self.metadata.num_columns:
            return "snappy"
        name: str = self.metadata.row_group(0).column(0).compression
        return {"UNCOMPRESSED": "none"}.get(name, name.lower())

    @property
    def group_rows(self) -> int:
        """The number of rows of a row group, limited to what fits in memory."""
        largest = self.metadata.row_group(0).num_rows if self.metadata.num_row_groups else _GROUP_ROWS
        return max(1, min(largest, 1_000_000))


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type without dictionary encoding or views; all other types unchanged."""
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_string_view(kind):
        return pa.string()
    return pa.binary() if pa.types.is_binary_view(kind) else kind


@contextmanager
def parquet_writer(path: Path, like: Dataset, schema: pa.Schema) -> Iterator[Writer]:
    """A writer with the stored types of `like` for its columns. Raises OutputError."""
    target = _target(like, schema)
    source = like if isinstance(like, ParquetDataset) else None
    compression = source.compression if source else "snappy"
    with atomic_file(path) as file:
        try:
            with pq.ParquetWriter(file, target, compression=compression) as parquet:
                writer = _ParquetWriter(parquet, target, source.group_rows if source else _GROUP_ROWS, path)
                yield writer
                writer.flush()
        except pa.ArrowException as error:
            raise OutputError(f"{path} cannot be written: {clean_text(str(error), 200)}") from error


def _target(like: Dataset, schema: pa.Schema) -> pa.Schema:
    if not isinstance(like, ParquetDataset):
        return schema.remove_metadata()
    fields = []
    for field in schema:
        stored = like.stored.field(field.name) if field.name in like.stored.names else field
        fields.append(stored if _plain(stored.type) == field.type else pa.field(field.name, field.type))
    metadata = dict(like.stored.metadata or {})
    if schema.names != like.stored.names:
        metadata.pop(b"pandas", None)  # it describes columns that are no longer there
    return pa.schema(fields, metadata=metadata or None)


class _ParquetWriter:
    """Gathers rows until a row group is full."""

    def __init__(self, parquet: Any, schema: pa.Schema, group_rows: int, path: Path) -> None:
        self._parquet = parquet
        self._schema = schema
        self._group_rows = group_rows
        self._path = path
        self._waiting: list[pa.Table] = []
        self._count = 0

    def write(self, table: pa.Table, source: Batch | None = None) -> None:  # noqa: ARG002 - Parquet needs none
        columns = [self._fitted(table.column(field.name), field) for field in self._schema]
        made = pa.table(columns, schema=self._schema)
        while made.num_rows:
            part = made.slice(0, self._group_rows - self._count)
            self._waiting.append(part)
            self._count += part.num_rows
            made = made.slice(part.num_rows)
            if self._count == self._group_rows:
                self.flush()

    def flush(self) -> None:
        if self._count:
            self._parquet.write_table(pa.concat_tables(self._waiting), row_group_size=self._group_rows)
        self._waiting, self._count = [], 0

    def _fitted(self, column: pa.ChunkedArray, field: pa.Field) -> pa.ChunkedArray:
        if column.type == field.type:
            return column
        try:
            if pa.types.is_dictionary(field.type):
                return column.cast(field.type.value_type).dictionary_encode().cast(field.type)
            return column.cast(field.type)
        except pa.ArrowException as error:
            raise OutputError(
                f"{self._path}: column '{clean_text(field.name, 80)}' holds {column.type}, which does not fit "
                f"{field.type}: {clean_text(str(error), 100)}"
            ) from error
