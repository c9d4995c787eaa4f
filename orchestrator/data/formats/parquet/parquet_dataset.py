"""Reads and writes Parquet, row group by row group. Called through `data.formats`.

A disposable process reads (`parquet_reader`): it is given the open file, and answers with plain values. The file's own
Arrow schema (decimals, narrow integers, time zones, dictionaries, metadata) is kept for writing; the rows that are read
have plain columns.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from orchestrator.core.errors import DataError, OutputError
from orchestrator.data.arrow_without_pandas import import_pandas_for
from orchestrator.data.disposable.disposable_process import DisposableLimits, kept_process
from orchestrator.data.formats.column_names import own_names, renaming_note
from orchestrator.data.formats.format_interface import BATCH_ROWS, Batch, Dataset, Reading, Writer, regroup
from orchestrator.data.formats.input_file import open_input
from orchestrator.data.formats.output_file import output_file
from orchestrator.data.formats.parquet import parquet_reader
from orchestrator.data.formats.parquet.parquet_schema import plain_type, understood
from orchestrator.data.formats.reader_fault import within_limits
from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json
from orchestrator.data.hostile.plain import read_plain
from orchestrator.data.text import clean_text

_LIMITS = DisposableLimits(wall_s=120.0, cpu_s=600, memory_bytes=4 * 2**30)  # of one row group; the wall of one part
_MAX_DEPTH = 60  # of the JSON of a schema: nested columns
_GROUP_ROWS = 131_072


class ParquetDataset(Dataset):
    """A Parquet file. It is read in a disposable process: here are only plain values."""

    def __init__(self, path: Path, reading: Reading) -> None:
        super().__init__(path, "parquet", reading.copy)
        said = self._described()
        try:
            stored = understood(said["schema"])
            self._groups = [_count(rows) for rows in said["groups"]]
            self._compression = str(said["compression"])
        except (pa.ArrowException, LookupError, TypeError, ValueError) as error:
            raise DataError(f"{path} cannot be read: {clean_text(str(error), 150)}") from None
        self._names = tuple(stored.names)
        known = [field.with_name(name) for field, name in zip(stored, own_names(self._names), strict=True)]
        self.stored = pa.schema(known, metadata=stored.metadata)
        import_pandas_for(self.stored)

    @cached_property
    def schema(self) -> pa.Schema:
        return pa.schema([pa.field(field.name, plain_type(field.type)) for field in self.stored])

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(filter(None, [renaming_note(self._names, self.stored.names)]))

    def stored_name(self, name: str) -> str:
        """What the file calls a column."""
        return self._names[self.stored.names.index(name)] if name in self.stored.names else name

    @cached_property
    def rows(self) -> int:
        return sum(self._groups)

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        with self.watched():
            yield from (Batch(table) for table in regroup(self._tables(rows), rows))

    def _tables(self, rows: int) -> Iterator[pa.Table]:
        first_row = 0
        for group, count in enumerate(self._groups):
            request = {"path": str(self.path), "group": group, "first_row": first_row, "rows": rows}
            seen = 0
            for part in self._asked("rows", request):
                table = self._table(part)
                seen += table.num_rows
                yield table
            if seen != count:
                raise DataError(f"{self.path}: row group {group + 1} claims {count:,} rows and holds {seen:,}.")
            first_row += count

    def _table(self, part: bytes) -> pa.Table:
        if part[:1] != parquet_reader.TABLE:
            raise self._fault(part[1:])
        try:
            table = read_plain(part[1:])
        except HostileOutput as error:
            raise DataError(f"{self.path} cannot be read: {error}.") from None
        if table.schema != self.schema:
            raise DataError(f"{self.path} cannot be read: its rows are not of the types that it names.")
        return table

    def _described(self) -> dict[str, Any]:
        try:
            said = strict_json(b"".join(self._asked("describe", {"path": str(self.path)})), max_depth=_MAX_DEPTH)
        except HostileOutput as error:
            raise DataError(f"{self.path} cannot be read: {error}.") from None
        if not isinstance(said, dict):
            raise DataError(f"{self.path} cannot be read.")
        if "fault" in said:
            raise self._fault(json.dumps(said["fault"]).encode())
        return said

    def _asked(self, function: str, request: dict[str, Any]) -> Iterator[bytes]:
        """The parts of an answer. Raises DataError where the process ends instead of answering."""
        advice = "Check where the file comes from, or write it again with smaller row groups."
        with within_limits(self.path, advice), open_input(self.content, self.path) as file:
            process = kept_process(parquet_reader.ENTRY, _LIMITS)
            yield from process.parts(json.dumps(request).encode(), function, file.fileno())

    def _fault(self, said: bytes) -> DataError:
        """What the reader complains of, in its own words."""
        try:
            message, advice = strict_json(said)
        except (TypeError, ValueError):
            message, advice = f"{self.path} cannot be read.", ""
        return DataError(clean_text(str(message), 1000), advice=clean_text(str(advice), 300))

    @property
    def compression(self) -> str:
        return {"UNCOMPRESSED": "none"}.get(self._compression, self._compression.lower())

    @property
    def group_rows(self) -> int:
        """The number of rows of a row group, limited to what fits in memory."""
        return max(1, min(self._groups[0] if self._groups else _GROUP_ROWS, 1_000_000))


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**62:
        raise ValueError("a number of rows")
    return value


@contextmanager
def parquet_writer(path: Path, like: Dataset, schema: pa.Schema) -> Iterator[Writer]:
    """A writer with the stored types of `like` for its columns. Raises OutputError."""
    target = _target(like, schema)
    source = like if isinstance(like, ParquetDataset) else None
    compression = source.compression if source else "snappy"
    with output_file(path) as file:
        try:
            names = [source.stored_name(name) if source else name for name in target.names]
            written = pa.schema(map(pa.Field.with_name, target, names), metadata=target.metadata)
            with pq.ParquetWriter(file, written, compression=compression) as parquet:
                group_rows = source.group_rows if source else _GROUP_ROWS
                writer = _ParquetWriter(parquet, target, names, group_rows, path)
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
        fields.append(stored if plain_type(stored.type) == field.type else pa.field(field.name, field.type))
    metadata = dict(like.stored.metadata or {})
    if schema.names != like.stored.names:
        metadata.pop(b"pandas", None)  # it describes columns that are no longer there
    return pa.schema(fields, metadata=metadata or None)


class _ParquetWriter:
    """Gathers rows until a row group is full. `names`: what the file calls the columns of the schema."""

    def __init__(self, parquet: Any, schema: pa.Schema, names: list[str], group_rows: int, path: Path) -> None:
        self._parquet = parquet
        self._schema = schema
        self._names = names
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
            rows = pa.concat_tables(self._waiting).rename_columns(self._names)
            self._parquet.write_table(rows, row_group_size=self._group_rows)
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
