"""The interface of a format: a data set that is read in batches, and a writer. Used through `data.formats`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from orchestrator.core.errors import DataError
from orchestrator.data.files import file_sha256
from orchestrator.data.formats.input_file import changed_meanwhile, file_state, input_errors, watched
from orchestrator.data.formats.private_copy import PrivateCopy

if TYPE_CHECKING:
    from orchestrator.data.data_address import DataAddress

BATCH_ROWS = 16_384
BATCH_BYTES = 32 * 2**20


class Batch(NamedTuple):
    """Some rows. `raw`: each row's source text, in formats that write unchanged rows back as they were."""

    table: pa.Table
    raw: Sequence[bytes] | None = None

    def take(self, rows: Any) -> "Batch":
        """The rows with these numbers, in this order."""
        if len(rows) == self.table.num_rows and np.array_equal(rows, np.arange(len(rows))):
            return self
        return Batch(self.table.take(rows), None if self.raw is None else [self.raw[i] for i in rows])


class Reading(NamedTuple):
    """How a file shall be read, where that is said. `copy`: its content, where that is not the file itself.

    `set_aside`: rows that cannot be read are kept apart.
    """

    encoding: str | None = None
    sheet: str | None = None
    array: str | None = None  # of JSON: the keys that lead to the rows, with points between
    copy: PrivateCopy | None = None
    set_aside: bool = False
    delimiter: str | None = None  # of CSV and TSV, as a user writes it; None: guessed


class UnreadableRow(NamedTuple):
    """A row that cannot be read: its number (the header of a CSV file is row 1), its text, and why.

    `line`: where it begins in the file, in formats where each line is a row, and in CSV below a blank line.
    """

    number: int
    text: str
    reason: str
    line: int | None = None

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return f"row {self.number}" if self.line is None else f"line {self.line}"


class Dataset(ABC):
    """One file as typed rows. Reading streams; the same rows come in the same order each time.

    `path` is its name for people, `content` where its bytes lie. `unreadable`: rows that were set aside.
    `parser`: what has read it, where that is no format, by its name for people; `parser_sha256`: the hash of its
    source. Then `format` is that of what is made of it.
    """

    unreadable: tuple[UnreadableRow, ...] = ()
    parser: str = ""
    parser_sha256: str = ""

    def __init__(self, path: Path, kind: str, copy: PrivateCopy | None = None) -> None:
        self.path = path
        self.copy = copy
        self.content = path if copy is None else copy.path
        self._opened_as = file_state(self.content)
        self.name = path.name
        self.place: Path | DataAddress = path  # where its user said that it is, for messages
        self.format = kind
        self.suffix = path.suffix or f".{kind}"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.schema.names)

    @property
    @abstractmethod
    def schema(self) -> pa.Schema:
        """Names and types of the columns, without metadata."""

    @abstractmethod
    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        """Batches of `rows` rows (fewer where they are large), then the rest. Raises DataError at an invalid row."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of how it is read, in clauses."""
        return ()

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """The tables of the batches."""
        return (batch.table for batch in self.read(rows))

    @cached_property
    def rows(self) -> int:
        """The number of rows; may cost a pass over the file."""
        return sum(table.num_rows for table in self.batches())

    def without_rows(self) -> DataError:
        """The error of those that cannot do without a row. Files of texts without one are not opened at all."""
        return DataError(f"{self.place} has columns and no rows.", advice="Check what fills it; `apply` takes it so.")

    @cached_property
    def sha256(self) -> str:
        """The hex SHA-256 of the file's bytes when it was first asked for; costs a pass over the file."""
        if self.copy is not None:
            return self.copy.sha256
        with input_errors(self.path):
            return self._digest()

    def check_unchanged(self) -> None:
        """Raise DataError where the file is not what it was when its hash was first asked for.

        Or where it was written to since it was opened, whatever it holds now: rows may have been read in between.
        """
        if self.copy is not None and not self.copy.packed:
            return
        if self.copy is None and file_state(self.content) != self._opened_as:
            raise changed_meanwhile(self.path)
        try:
            now = self._digest()
        except OSError:
            now = ""
        if now != self.sha256:
            raise changed_meanwhile(self.path)

    def watched(self) -> AbstractContextManager[None]:
        """For readers: an error in the block is that the file has changed, where it has."""
        return watched(self.content, self.path, self._opened_as)

    def _digest(self) -> str:
        return file_sha256(self.path)


class Writer(Protocol):
    """Takes tables of the schema with which it was opened."""

    def write(self, table: pa.Table, source: Batch | None = None) -> None:
        """Append the rows; row i of `source`, if given, is row i as it was read."""
        ...


def regroup(tables: Iterator[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The same rows in tables of exactly `rows` rows (fewer where rows are large); the last one holds the rest."""
    waiting: list[pa.Table] = []
    count = size = 0
    for table in tables:
        waiting.append(table)
        count += table.num_rows
        size += table.nbytes
        take = rows if count >= rows else count if size >= BATCH_BYTES else 0
        while take and count >= take:
            joined = pa.concat_tables(waiting)
            yield joined.slice(0, take).combine_chunks()
            rest = joined.slice(take)
            waiting, count, size = [rest] if rest.num_rows else [], rest.num_rows, rest.nbytes
    if count:
        yield pa.concat_tables(waiting).combine_chunks()
