"""What is left of a run's input without the rows that it set aside because functions failed. Called by `diff`.

A function treats rows with the same cells alike. So a row is one of those if its cells are those of a row in the run's
quarantine.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.data.cells import as_text
from orchestrator.data.formats import Batch, Dataset
from orchestrator.data.formats.format_interface import BATCH_ROWS
from orchestrator.data.row_numbers import RowNumbers
from orchestrator.run.apply.quarantine import REASON, TEXT


class RowsLeft(Dataset):
    """The rows of a data set that are not in the quarantine, which is read into memory."""

    def __init__(self, inner: Dataset, quarantine: Dataset) -> None:
        super().__init__(inner.path, inner.format, inner.copy)
        self.suffix = inner.suffix
        self.unreadable = inner.unreadable
        self._inner = inner
        self._gone: set[tuple[str, ...]] = set()
        self._left_out: list[int] = []
        self._names = [name for name in inner.columns if name in quarantine.columns]
        for table in quarantine.batches():
            unread = as_text(table.column(TEXT)).to_pylist() if TEXT in table.column_names else [""] * table.num_rows
            rows = _rows(table, self._names) if REASON in table.column_names else []
            self._gone |= {row for row, text in zip(rows, unread, strict=False) if not text}

    @property
    def schema(self) -> pa.Schema:
        return self._inner.schema

    @property
    def notes(self) -> tuple[str, ...]:
        return self._inner.notes

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        done = 0
        self._left_out = []
        for batch in self._inner.read(rows):
            left = [row not in self._gone for row in _rows(batch.table, self._names)]
            self._left_out += [done + place for place, stays in enumerate(left) if not stays]
            done += len(left)
            yield batch if all(left) else batch.take(np.flatnonzero(left))

    def numbers(self) -> RowNumbers:
        """How the rows that were read so far are numbered in the file."""
        known = RowNumbers.of(self._inner)
        gone = {*known.unreadable, *map(known.of_row, self._left_out)}
        return known._replace(unreadable=tuple(sorted(gone)))


def numbers_of(dataset: Dataset) -> RowNumbers:
    """How people are told which of its rows is meant."""
    return dataset.numbers() if isinstance(dataset, RowsLeft) else RowNumbers.of(dataset)


def _rows(table: pa.Table, names: list[str]) -> list[tuple[Any, ...]]:
    return list(zip(*(as_text(table.column(name)).fill_null("").to_pylist() for name in names), strict=True))
