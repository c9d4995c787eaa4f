"""A table or the result of a query as a data set. Called by `data.sources`; what reads it is chosen here.

It is read once, in one snapshot of the database, into a private temporary file: the same rows come in the same order
however often they are needed, no transaction stays open for the length of a run, and memory stays small.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import pyarrow as pa

from orchestrator.core.errors import DataError
from orchestrator.data.data_address import DataAddress
from orchestrator.data.databases import postgresql_rows, sqlite_rows
from orchestrator.data.databases.stored_column import StoredColumn
from orchestrator.data.formats.format_interface import BATCH_BYTES, BATCH_ROWS, Batch, Dataset, regroup
from orchestrator.data.spool import RoomMeter, Spool, disk_mapped
from orchestrator.data.text import clean_text

_BLOCK_ROWS = 8192
_FIRST_ROWS = 4  # how large the rows are is not known yet
_SHOWN = 8  # columns that a note names
Fetch = Callable[[int], Sequence[Any]]  # at most so many rows; none at the end
_Opened = AbstractContextManager[tuple[list[StoredColumn], Fetch]]
_TEXTS = ("text", "varchar", "char", "bpchar", "name", "citext", "clob", "nvarchar", "character", "")


class _Database(NamedTuple):
    rows: Callable[[DataAddress], _Opened]
    convert: Callable[[Sequence[Any], StoredColumn], pa.Array]


_DATABASES = {
    "postgresql": _Database(postgresql_rows.postgresql_rows, postgresql_rows.convert),
    "sqlite": _Database(sqlite_rows.sqlite_rows, sqlite_rows.convert),
}


class TableDataset(Dataset):
    """The rows of a table, or of a query, as they were when it was opened. `stored`: the types of the database."""

    def __init__(self, address: DataAddress) -> None:
        self._spool = Spool()
        super().__init__(self._spool.folder / "rows.arrow", address.scheme)
        self.address = address
        self.name, self.place = address.name, address
        self.suffix = ".parquet"  # what a run writes for itself: it keeps types
        database = _DATABASES[address.scheme]
        digest = hashlib.sha256()
        with database.rows(address) as (self.stored, fetch):
            _check_names(self.stored, address)
            digest.update(json.dumps([[c.name, c.sql_type, str(c.kind)] for c in self.stored]).encode())
            self.rows = self._keep(_hashed(fetch, digest), database.convert)
        self.sha256 = digest.hexdigest()

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([pa.field(column.name, column.kind) for column in self.stored])

    @property
    def notes(self) -> tuple[str, ...]:
        texts = [c for c in self.stored if self.rows and pa.types.is_string(c.kind)]
        other = [c for c in texts if c.mixed or not _is_text(c.sql_type)]
        kinds = [clean_text(c.sql_type, 40) or "values of several types" for c in other[:_SHOWN]]
        said = ", ".join(f"'{clean_text(c.name, 40)}' ({kind})" for c, kind in zip(other, kinds, strict=False))
        said += f" and {len(other) - _SHOWN} more" if len(other) > _SHOWN else ""
        return (f"{said} {'are' if len(other) > 1 else 'is'} read as text",) if other else ()

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        return (Batch(table) for table in regroup(self._tables(), rows))

    def check_unchanged(self) -> None:
        """Nothing to do: what was read is one moment of the database, whatever became of it since."""

    def _tables(self) -> Iterator[pa.Table]:
        with pa.OSFile(str(self.path)) as file, pa.ipc.open_stream(file) as stream:
            for batch in stream:
                yield pa.Table.from_batches([batch])

    def _keep(self, lists: Iterator[Sequence[Any]], convert: Callable[[Sequence[Any], StoredColumn], pa.Array]) -> int:
        """Write the rows to the temporary file; how many there are."""
        meter, count = RoomMeter(self._spool, self.address.shown, DataError), 0
        with (
            disk_mapped(self.address.shown, DataError),
            pa.OSFile(str(self.path), "wb") as file,
            pa.ipc.new_stream(file, self.schema) as stream,
        ):
            for rows in lists:
                columns = zip(*rows, strict=True)
                arrays = [self._array(v, c, count, convert) for v, c in zip(columns, self.stored, strict=True)]
                batch = pa.RecordBatch.from_arrays(arrays, schema=self.schema)
                meter.add(batch.nbytes)
                stream.write_batch(batch)
                count += len(rows)
        return count

    def _array(
        self,
        values: Sequence[Any],
        column: StoredColumn,
        before: int,
        convert: Callable[[Sequence[Any], StoredColumn], pa.Array],
    ) -> pa.Array:
        try:
            return convert(values, column)
        except (ValueError, OverflowError, pa.ArrowException):
            pass
        row = next((row for row, value in enumerate(values) if not _fits(value, column, convert)), 0)
        raise DataError(
            f"{self.address.shown}, row {before + row + 1}, column '{clean_text(column.name, 80)}': "
            f"{clean_text(repr(values[row]), 60)} does not fit {column.kind}.",
            advice="Read the column as text, with ?query=SELECT CAST(… AS TEXT) …",
        )


def _hashed(fetch: Fetch, digest: Any) -> Iterator[Sequence[Any]]:
    """Lists of rows, each added to the digest as its values are: no library's layout is in it.

    Large rows come fewer at a time.
    """
    most = _FIRST_ROWS
    while rows := fetch(most):
        text = "\n".join([repr(tuple(row)) for row in rows]).encode("utf-8", "surrogatepass")
        digest.update(text)
        digest.update(b"\n")
        most = max(1, min(_BLOCK_ROWS, 4 * most, BATCH_BYTES * len(rows) // len(text)))
        yield rows


def _check_names(columns: Sequence[StoredColumn], address: DataAddress) -> None:
    twice = [name for name, count in Counter(column.name for column in columns).items() if count > 1]
    if twice:
        raise DataError(
            f"{address.shown}: two columns are called '{clean_text(twice[0], 80)}'.",
            advice="Give one another name with AS.",
        )


def _fits(value: Any, column: StoredColumn, convert: Callable[[Sequence[Any], StoredColumn], pa.Array]) -> bool:
    try:
        convert([value], column)
    except (ValueError, OverflowError, pa.ArrowException):
        return False
    return True


def _is_text(sql_type: str) -> bool:
    return sql_type.partition("(")[0].strip().lower() in _TEXTS and not sql_type.endswith("[]")
