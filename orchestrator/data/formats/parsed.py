"""Rows that a parser found in a file of another format, as a data set. Filled by `run.parse`; read as any other.

Such a file is never written again: what is made of its rows is CSV, or what the name of the result says.
"""

import io
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from orchestrator.data.formats.format_interface import BATCH_ROWS, Batch, Dataset, regroup
from orchestrator.data.formats.private_copy import PrivateCopy
from orchestrator.data.raw_file import RawFile

Values = Sequence[str | None]


class ParsedDataset(Dataset):
    """Rows of texts, kept in a private file. `groups`: the rows, some at once."""

    def __init__(self, file: RawFile, columns: Sequence[str], groups: Iterable[Sequence[Values]]) -> None:
        self._schema = pa.schema([(name, pa.string()) for name in columns])
        self._notes: tuple[str, ...] = ()
        super().__init__(file.path, "csv", PrivateCopy(self._stored(groups), file.sha256))
        self.name, self.place, self.suffix = file.name, file.place, ".csv"
        self._file = file

    @property
    def schema(self) -> pa.Schema:
        return self._schema

    @property
    def notes(self) -> tuple[str, ...]:
        return self._notes

    def say(self, *notes: str) -> None:
        """What a person should know of how it was parsed, in clauses."""
        self._notes = (*self._notes, *notes)

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        return (Batch(table) for table in regroup(self._tables(), rows))

    def check_unchanged(self) -> None:
        self._file.check_unchanged()

    def _tables(self) -> Iterator[pa.Table]:
        with self.content.open("rb") as file, pa.ipc.open_stream(file) as stream:
            for batch in stream:
                yield pa.Table.from_batches([batch])

    def _stored(self, groups: Iterable[Sequence[Values]]) -> Iterator[bytes]:
        sink = io.BytesIO()
        with pa.ipc.new_stream(sink, self._schema) as stream:
            for group in groups:
                columns = [pa.array([row[place] for row in group], pa.string()) for place in range(len(self._schema))]
                stream.write_table(pa.table(columns, schema=self._schema))
                yield sink.getvalue()
                sink.seek(0)
                sink.truncate()
        yield sink.getvalue()
