"""What every format offers: a data set to be read in batches, and a writer. Called through `data.formats`."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol

import pyarrow as pa

BATCH_ROWS = 16_384


class Batch(NamedTuple):
    """Some rows. `raw` holds each row's own text where the format needs it to write unchanged rows as they were."""

    table: pa.Table
    raw: Sequence[bytes] | None = None


class Dataset(ABC):
    """One file as typed rows. Reading streams; the same rows come in the same order each time."""

    def __init__(self, path: Path, kind: str) -> None:
        self.path = path
        self.name = path.name
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
        """Batches of exactly `rows` rows, the last one of what is left. Raises DataError at a row that is wrong."""

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """The tables of the batches."""
        return (batch.table for batch in self.read(rows))

    @cached_property
    def rows(self) -> int:
        """The number of rows; may cost a pass over the file."""
        return sum(table.num_rows for table in self.batches())

    def sha256(self) -> str:
        """The hex SHA-256 of the file's bytes."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


class Writer(Protocol):
    """Takes tables of the schema with which it was opened."""

    def write(self, table: pa.Table, raw: Sequence[bytes] | None = None) -> None:
        """Append the rows; `raw[i]` is the source text of row i where the data set gave one."""
        ...


def regroup(tables: Iterator[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The same rows in tables of exactly `rows` rows, the last one of what is left."""
    waiting: list[pa.Table] = []
    count = 0
    for table in tables:
        waiting.append(table)
        count += table.num_rows
        while count >= rows:
            joined = pa.concat_tables(waiting)
            yield joined.slice(0, rows).combine_chunks()
            rest = joined.slice(rows)
            waiting, count = ([rest], rest.num_rows) if rest.num_rows else ([], 0)
    if count:
        yield pa.concat_tables(waiting).combine_chunks()
