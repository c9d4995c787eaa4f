"""A data set whose columns have other names than in its file. For `apply --map`: the names that functions know.

What is written has the file's own names again.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from orchestrator.data.data_address import DataAddress
from orchestrator.data.formats import Batch, Dataset, Writer
from orchestrator.data.formats.format_interface import BATCH_ROWS
from orchestrator.data.targets import open_target


class RenamedDataset(Dataset):
    """`names`: by the file's own name, the name under which a column is read."""

    def __init__(self, inner: Dataset, names: Mapping[str, str]) -> None:
        super().__init__(inner.path, inner.format, inner.copy)
        self.suffix, self.name, self.place = inner.suffix, inner.name, inner.place
        self.parser, self.parser_sha256 = inner.parser, inner.parser_sha256
        self.inner = inner
        self.unreadable = inner.unreadable
        self._names = dict(names)
        self._own = {name: own for own, name in names.items()}

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([field.with_name(self._names.get(field.name, field.name)) for field in self.inner.schema])

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        return (Batch(self.known(batch.table), batch.raw) for batch in self.inner.read(rows))

    @property
    def notes(self) -> tuple[str, ...]:
        return self.inner.notes

    @cached_property
    def rows(self) -> int:
        return self.inner.rows

    @cached_property
    def sha256(self) -> str:
        return self.inner.sha256

    def check_unchanged(self) -> None:
        """As its own data set does: a table of a database, an object of a store and a file each in their way."""
        self.inner.check_unchanged()

    def known(self, table: pa.Table) -> pa.Table:
        """A table of the file under the names that are read."""
        return _renamed(table, self._names)

    def back(self, table: pa.Table) -> pa.Table:
        """A table under the file's own names."""
        return _renamed(table, self._own)


def _renamed(table: pa.Table, names: Mapping[str, str]) -> pa.Table:
    """With its metadata, which says whether it holds records."""
    made = table.rename_columns([names.get(name, name) for name in table.column_names])
    return made.replace_schema_metadata(table.schema.metadata)


@contextmanager
def open_own_writer(
    place: Path | DataAddress, *, like: Dataset, schema: pa.Schema, said: Callable[[str], None] = lambda _: None
) -> Iterator[Writer]:
    """`open_target` for the rows of a data set that may be renamed: with the names of its file."""
    if not isinstance(like, RenamedDataset):
        with open_target(place, like=like, schema=schema, said=said) as writer:
            yield writer
        return
    own = like.back(schema.empty_table()).schema
    with open_target(place, like=like.inner, schema=own, said=said) as writer:
        yield _OwnNames(writer, like)


class _OwnNames:
    def __init__(self, writer: Writer, like: RenamedDataset) -> None:
        self._writer = writer
        self._like = like

    def write(self, table: pa.Table, source: Batch | None = None) -> None:
        own = None if source is None else Batch(self._like.back(source.table), source.raw)
        self._writer.write(self._like.back(table), own)
