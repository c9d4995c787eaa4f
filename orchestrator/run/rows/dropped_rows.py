"""Picks, of all rows that one function drops, some of each kind. Called by `apply.doubted_changes`.

Two rows are of one kind where the same cells are empty, and where those that the function is about look alike; in a
column of few values, are the same. Beside them some rows are kept that stay.
"""

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import as_text
from orchestrator.data.profile.patterns import patterns
from orchestrator.run.rows.contract import CheckedBatch
from orchestrator.run.rows.rows_beside import MAX_BYTES, cut, narrowed, together

MOST_OF_KIND = 10
MOST = 400
STAYING = 100  # rows that stay
FEW = 50  # values of a column


class DroppedRows:
    """Takes what one function made, batch after batch. `own`: the columns that it is about."""

    def __init__(self, own: tuple[str, ...]) -> None:
        self._own = own
        self._kinds: Counter[str] = Counter()
        self._values: dict[str, set[str]] = {name: set() for name in own}
        self._parts: list[pa.Table] = []
        self._stays: list[bool] = []
        self._bytes = self._staying = 0
        self.dropped = 0

    def take(self, batch: CheckedBatch) -> None:
        """Pick of the rows that it dropped those of a kind of which few are picked so far."""
        gone = np.ones(batch.source.num_rows, np.bool_)
        gone[batch.rows] = False
        self.dropped += int(gone.sum())
        if self._bytes > MAX_BYTES:
            return
        stay = np.flatnonzero(~gone)[: STAYING - self._staying].tolist()
        self._staying += len(stay)
        rows = sorted([*stay, *self._new(batch.source, np.flatnonzero(gone).tolist())])
        if rows:
            self._parts.append(cut(narrowed(batch.source.take(pa.array(rows)), self._own)))
            self._stays += [not gone[row] for row in rows]
            self._bytes += self._parts[-1].nbytes

    def picked(self) -> tuple[pa.Table, list[bool]]:
        """The rows, and whether each stays."""
        return together(self._parts).combine_chunks(), self._stays

    def _new(self, source: pa.Table, gone: list[int]) -> list[int]:
        if not gone or self._kinds.total() >= MOST:
            return []
        found = []
        for row, kind in zip(gone, self._kinds_of(source.take(pa.array(gone))), strict=True):
            if self._kinds[kind] < MOST_OF_KIND and self._kinds.total() < MOST:
                self._kinds[kind] += 1
                found.append(row)
        return found

    def _kinds_of(self, rows: pa.Table) -> list[str]:
        near = cut(narrowed(rows, self._own))
        parts = []
        for name in near.column_names:
            text = pc.fill_null(as_text(near.column(name)), "")
            if name not in self._values:
                parts.append(pc.if_else(pc.equal(pc.utf8_trim_whitespace(text), ""), "", "x"))
                continue
            seen = self._values[name]
            if len(seen) <= FEW:
                seen.update(pc.unique(text).slice(0, FEW + 1).to_pylist())
            parts.append(text if len(seen) <= FEW else pc.fill_null(patterns(near.column(name)), ""))
        return pc.binary_join_element_wise(*parts, "\x1f").to_pylist() if parts else [""] * rows.num_rows
