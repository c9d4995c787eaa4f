"""Writes rows as a new table of a database, in one transaction. Called by `data.targets`.

The rows are kept in a private temporary file until the last one is there, so that the transaction is short and every
value is known when types are chosen: a column has the type that it had where its values still fit it, else text.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from orchestrator.core.errors import OutputError, UsageError
from orchestrator.data.cells import plain, python_values, whole_values
from orchestrator.data.data_address import DataAddress
from orchestrator.data.databases.postgresql_table import (
    check_postgresql_names,
    postgresql_has,
    postgresql_table,
    postgresql_type,
)
from orchestrator.data.databases.sqlite_table import check_sqlite_names, sqlite_has, sqlite_table, sqlite_type
from orchestrator.data.databases.stored_column import StoredColumn
from orchestrator.data.databases.table_dataset import TableDataset
from orchestrator.data.formats.format_interface import Batch, Dataset, Writer
from orchestrator.data.spool import RoomMeter, Spool, disk_mapped
from orchestrator.data.text import clean_text


def check_new_table(address: DataAddress) -> None:
    """Raise UsageError where the address names no table, or one that is there; OutputError without a database."""
    if not address.table:
        raise UsageError(f"{address} names no table to write.", advice="Name a new table: ?table=NAME.")
    has = postgresql_has if address.scheme == "postgresql" else sqlite_has
    if has(address):
        raise UsageError(
            f"{address.shown} is there already.", advice="Name a new table; an existing one is never changed."
        )


@contextmanager
def new_table(address: DataAddress, like: Dataset, schema: pa.Schema, said: Callable[[str], None]) -> Iterator[Writer]:
    """A writer of the new table, which is there when the block ends without an error. Raises OutputError.

    That is before any work where the database does not take the names of the columns.

    `said` is told of every column that has another type than it had.
    """
    (check_postgresql_names if address.scheme == "postgresql" else check_sqlite_names)(address, schema.names)
    spool = Spool()
    path = spool.folder / "rows.arrow"
    stored = schema.remove_metadata()
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, stored) as stream:
        yield _RowsWriter(stream, stored, RoomMeter(spool, address.shown, OutputError), address)
    columns = _columns(address, like, schema)
    write = postgresql_table if address.scheme == "postgresql" else sqlite_table
    for column in write(address, columns, lambda: _blocks(path)):
        kind = clean_text(column.sql_type, 60)
        why = f"not every value fits {kind}" if kind else "it has no type, and held values of several"
        said(f"'{clean_text(column.name, 60)}' is text in the new table: {why}")
    spool.remove()


def _columns(address: DataAddress, like: Dataset, schema: pa.Schema) -> list[StoredColumn]:
    """The types to try: those of the table that the rows come from, else what is nearest to the type of the rows."""
    same = isinstance(like, TableDataset) and like.format == address.scheme
    known = {column.name: column for column in like.stored} if isinstance(like, TableDataset) and same else {}
    nearest = postgresql_type if address.scheme == "postgresql" else sqlite_type
    columns = []
    for field in schema:
        old = known.get(field.name)
        kept = old is not None and old.kind == field.type
        if old is None or not kept:
            old = StoredColumn(field.name, nearest(field.type), field.type)
        columns.append(old)
    return columns


def _blocks(path: Path) -> Iterator[Sequence[Sequence[Any]]]:
    """The rows in lists, column by column, of Python values that drivers take."""
    with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as stream:
        for batch in stream:
            yield [_values(column) for column in batch.columns]


def _values(column: pa.Array) -> Sequence[Any]:
    kind = column.type
    if pa.types.is_nested(kind):
        values = _nested(column)
        return [None if value is None else json.dumps(value, default=plain, ensure_ascii=False) for value in values]
    if "[ns" in str(kind) or pa.types.is_duration(kind):
        return [None if value is None else str(value) for value in whole_values(column)]
    return whole_values(column)


def _nested(column: pa.Array) -> list[Any]:
    """Maps as objects, unless one has a key twice: then as pairs."""
    try:
        made: list[Any] = column.to_pylist(maps_as_pydicts="strict")
    except (KeyError, ValueError, OverflowError):
        return python_values(column)
    return made


class _RowsWriter:
    def __init__(self, stream: Any, schema: pa.Schema, meter: RoomMeter, address: DataAddress) -> None:
        self._stream = stream
        self._schema = schema
        self._meter = meter
        self._address = address

    def write(self, table: pa.Table, source: Batch | None = None) -> None:  # noqa: ARG002 - tables need none
        made = pa.table([self._fitted(table.column(f.name), f) for f in self._schema], schema=self._schema)
        self._meter.add(made.nbytes)
        with disk_mapped(self._address.shown, OutputError):
            self._stream.write_table(made)

    def _fitted(self, column: pa.ChunkedArray, field: pa.Field) -> pa.ChunkedArray:
        if column.type == field.type:
            return column
        try:
            return column.cast(field.type)
        except pa.ArrowException as error:
            raise OutputError(
                f"{self._address}: column '{clean_text(field.name, 80)}' holds {column.type}, which does not fit "
                f"{field.type}: {clean_text(str(error), 100)}"
            ) from error
