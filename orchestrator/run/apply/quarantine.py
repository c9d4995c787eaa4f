"""The file of rows that were set aside, as unreadable or because functions failed on them, each with the reason.

Called by `apply`, and by what only reads data.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import pyarrow as pa

from orchestrator.core.errors import OutputUnknown
from orchestrator.data.data_address import DataAddress
from orchestrator.data.formats import Batch, Dataset, Writer
from orchestrator.data.formats.output_file import STDOUT
from orchestrator.data.renamed import open_own_writer
from orchestrator.data.row_numbers import RowNumbers
from orchestrator.data.text import visible_text
from orchestrator.run.apply.earlier_file import EarlierFile

REASON = "cleanroom_reason"
TEXT = "cleanroom_text"
"""A row as it stood in the file, where it could not be read: such rows have no cells."""


def keep_unreadable(place: Path | DataAddress, dataset: Dataset) -> None:
    """Write the rows that could not be read, where nothing is applied; no file where there are none.

    Raises UsageError for a format that is not written, OutputError.
    """
    with Quarantine(place, dataset):
        pass


class Quarantine(AbstractContextManager["Quarantine"]):
    """Makes the file when the first row comes; it appears when the block ends without an error.

    Where no row comes, a file of an earlier call is replaced by one without rows: its rows are not those of this one.
    Rows that the data set could not read come first. `rows`: how many there are in all; `failed`: those on which a
    function failed. Where `undone` is entered before the output and this value after it, what stood there before is
    there again where the output fails in the end.
    """

    def __init__(self, place: Path | DataAddress, dataset: Dataset) -> None:
        self._place, self._dataset = place, dataset
        self._stack = ExitStack()
        self._writer: Writer | None = None
        self._earlier: EarlierFile | None = None
        self.failed = 0

    @property
    def rows(self) -> int:
        return self.failed + len(self._dataset.unreadable)

    def __enter__(self) -> Self:
        if unreadable := self._dataset.unreadable:
            schema = self._dataset.schema
            none = pa.table([pa.nulls(len(unreadable), field.type) for field in schema], schema=schema)
            reasons = [self._placed(row.place, row.reason) for row in unreadable]
            self._write(none, None, reasons, [row.text for row in unreadable])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._writer is None and isinstance(self._place, Path) and self._place.is_file():
            self._write(self._dataset.schema.empty_table(), None, [], [])
        if kind is None and self._writer is not None and isinstance(self._place, Path) and self._place != STDOUT:
            self._earlier = EarlierFile(self._place)
        self._stack.__exit__(kind, error, trace)
        if self._earlier is not None:
            self._earlier.written()

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Take the file back where the block fails after it has appeared, unless the output may be there."""
        try:
            yield
        except BaseException as error:
            if self._earlier is not None and not isinstance(error, OutputUnknown):
                self._earlier.put_back()
            raise
        finally:
            if self._earlier is not None:
                self._earlier.close()

    def take(self, rows: Batch, numbers: Sequence[int], reasons: Sequence[str]) -> None:
        """Add rows on which a function failed, with their numbers in the file."""
        self.failed += len(reasons)
        reasons = [self._placed(f"row {number}", reason) for number, reason in zip(numbers, reasons, strict=True)]
        self._write(rows.table, rows, reasons, [None] * len(reasons))

    def _placed(self, place: str, reason: str) -> str:
        remark = RowNumbers.of(self._dataset).remark if place.startswith("row") else ""
        return f"{place} of the file{remark}: {reason}"

    def _write(
        self, table: pa.Table, source: Batch | None, reasons: Sequence[str], texts: Sequence[str | None]
    ) -> None:
        table = table.append_column(REASON, pa.array([visible_text(reason) for reason in reasons], pa.string()))
        if self._dataset.unreadable:
            table = table.append_column(TEXT, pa.array(texts, pa.string()))
        if self._writer is None:
            writer = open_own_writer(self._place, like=self._dataset, schema=table.schema)
            self._writer = self._stack.enter_context(writer)
        self._writer.write(table, source)
