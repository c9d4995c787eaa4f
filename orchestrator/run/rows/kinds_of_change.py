"""Picks, of all that one function changes, some rows of each kind of change. Called by `apply.doubted_changes`.

Which changes are of one kind `change_kinds` tells. Of a column with few changes that do not keep the letters and
figures of the cell, all are picked. Where a column has very many kinds, there is room left for some changes of every
kind of parts. A batch costs two looks at the patterns of the cells that it changes, whatever the other batches held.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import as_text, has_column
from orchestrator.run.rows.change_kinds import ChangeKind, ChangeKinds, Stays
from orchestrator.run.rows.contract import CheckedBatch
from orchestrator.run.rows.rows_beside import MAX_BYTES, MAX_TEXT, NEIGHBOURS, cut, narrowed, together

MOST_OF_KIND = 10  # changes that are picked of each kind, from all over a batch
MOST_ALIKE = 100  # of a column, up to which every change is picked that keeps not all letters and figures
MOST = 400  # of a column, half of them with the letters and figures of the cell
MOST_CHARACTERS = 45_000  # of a column, before and after: the laws take long on long texts, and somebody waits
RESERVED_CHARACTERS = 15_000
RESERVED = 100  # of these for changes whose parts are of a kind that is not picked yet
MOST_OF_PARTS = 3  # of each such kind
UNCHANGED = 100  # rows without a change, beside which a change is looked at
SEARCHED = 8  # batches in which a cell is looked for that has been what a changed one has become

_Pair = tuple[str, str]


class KindsOfChange:
    """Takes what one function made, batch after batch. `own`: the columns that it is about."""

    def __init__(self, own: tuple[str, ...]) -> None:
        self._own = own
        self._columns: dict[str, _Column] = {}
        self._kinds = ChangeKinds()
        self._before: list[pa.Table] = []
        self._after: list[pa.Table] = []
        self._unchanged: list[int] = []
        self._batches = self._rows = self._bytes = 0

    def take(self, batch: CheckedBatch) -> None:
        """Pick the rows of this batch that show a kind of change of which few are picked so far."""
        if self._bytes > MAX_BYTES:
            return
        self._batches += 1
        kept, made = narrowed(batch.kept, self._own), narrowed(batch.table, self._own)
        picked: dict[str, list[int]] = {}
        touched = np.zeros(len(batch.rows), np.bool_)
        for name, mask in batch.masks.items():
            touched |= mask
            if mask.any() and has_column(kept, name) and has_column(made, name):
                picked[name] = self._new(name, kept.column(name), made.column(name), mask)
        if self._batches <= SEARCHED:
            for name, column in self._columns.items():
                if has_column(kept, name):
                    others = column.others(kept.column(name), batch.masks.get(name))
                    picked[name] = [*picked.get(name, ()), *others]
        still = np.flatnonzero(~touched)[: UNCHANGED - len(self._unchanged)].tolist()
        rows = sorted({*still, *(row for some in picked.values() for row in some)})
        if not rows:
            return
        place = {row: self._rows + at for at, row in enumerate(rows)}
        for name, some in picked.items():
            self._columns[name].places += [place[row] for row in some]
        self._unchanged += [place[row] for row in still]
        self._rows += len(rows)
        for table, parts in ((kept, self._before), (made, self._after)):
            parts.append(cut(table.take(pa.array(rows))))
            self._bytes += parts[-1].nbytes

    def columns(self) -> dict[str, int]:
        """The changed columns, and of how many changes that were picked the letters and figures are other ones."""
        return {name: len(column.picked) - column.kept for name, column in self._columns.items()}

    def rows_of(self, name: str) -> tuple[pa.Table, pa.Table]:
        """Rows before and after: those that were picked for a changed column, and some in which nothing changes."""
        rows = pa.array(sorted({*self._columns[name].places, *self._unchanged}))
        before, after = (self._beside(name, together(parts)).take(rows) for parts in (self._before, self._after))
        return before.combine_chunks(), after.combine_chunks()

    @property
    def changed(self) -> int:
        """How many cells were changed in all."""
        return sum(column.cells for column in self._columns.values())

    def cells(self, name: str) -> int:
        """How many cells of a column were changed."""
        return self._columns[name].cells

    def _new(self, name: str, given: pa.ChunkedArray, made: pa.ChunkedArray, mask: Any) -> list[int]:
        column = self._columns.setdefault(name, _Column())
        column.cells += int(mask.sum())
        if len(column.picked) >= MOST or column.characters >= MOST_CHARACTERS:
            return []
        places = np.flatnonzero(mask)
        before, after = (_texts(values, places) for values in (given, made))
        distinct = _distinct(before, after)
        if not distinct.num_rows:
            return []
        old, new = (distinct.column(n).combine_chunks() for n in ("before", "after"))
        found: list[int] = []
        if not column.wild:
            found += column.pick(self._kinds.of(old, new, MOST_OF_KIND), old, new)
        if column.full:
            found += column.pick(self._kinds.of_parts(old, new, MOST_OF_PARTS), old, new)
        first = distinct.column("row").to_numpy()
        return [int(places[first[at]]) for at in found]

    @staticmethod
    def _beside(name: str, table: pa.Table) -> pa.Table:
        """The column and some others: what stands beside a cell may speak for it."""
        others = [other for other in table.column_names if other != name]
        return table if len(others) <= NEIGHBOURS else table.select([name, *others[:NEIGHBOURS]])


@dataclass
class _Column:
    """What was picked of one column, and how many changes of each kind.

    `kept`: how many of those that are picked have their letters and figures; `characters`: of all of them, before and
    after. `places`: the rows, among all that were picked. `alone`: what no cell has been that stays.
    """

    cells: int = 0
    kept: int = 0
    characters: int = 0
    places: list[int] = field(default_factory=list)
    alone: set[str] = field(default_factory=set)
    picked: set[_Pair] = field(default_factory=set)
    of_kind: dict[ChangeKind, int] = field(default_factory=dict)

    @property
    def wild(self) -> bool:
        """Whether there is no room any more but what is reserved."""
        return len(self.picked) >= MOST - RESERVED or self.characters >= MOST_CHARACTERS - RESERVED_CHARACTERS

    @property
    def full(self) -> bool:
        """Whether a change may have been left out although few of its kind are picked."""
        return self.wild or self.kept >= MOST // 2

    def pick(self, kinds: Mapping[ChangeKind, Sequence[int]], before: pa.Array, after: pa.Array) -> Iterator[int]:
        """The changes to pick, by their place."""
        for kind, places in kinds.items():
            for at in places:
                if not self._wants(kind):
                    break
                pair = before[at].as_py(), after[at].as_py()
                if pair not in self.picked:
                    self.picked.add(pair)
                    self.alone.add(pair[1])
                    self.of_kind[kind] = self.of_kind.get(kind, 0) + 1
                    self.kept += kind.stays >= Stays.CONTENT
                    self.characters += len(pair[0]) + len(pair[1])
                    yield at

    def _wants(self, kind: ChangeKind) -> bool:
        if self.characters >= MOST_CHARACTERS - (0 if kind.part else RESERVED_CHARACTERS):
            return False
        seen = self.of_kind.get(kind, 0)
        if kind.part:
            return seen < MOST_OF_PARTS and len(self.picked) < MOST
        if kind.stays >= Stays.CONTENT:
            return seen < MOST_OF_KIND and self.kept < MOST // 2
        return len(self.picked) < (MOST - RESERVED if seen < MOST_OF_KIND else MOST_ALIKE)

    def others(self, given: pa.ChunkedArray, mask: Any) -> list[int]:
        """Rows that stay, and have what a picked cell of other rows has become: it is a value of the column."""
        if not self.alone:
            return []
        places = np.arange(len(given)) if mask is None else np.flatnonzero(~mask)
        there = _texts(given, places)
        found = pc.drop_null(pc.index_in(pa.array(sorted(self.alone), pa.string()), there))
        self.alone.difference_update(there.take(found).to_pylist())
        return [int(places[at]) for at in found.to_pylist()]


def _distinct(before: pa.Array, after: pa.Array) -> pa.Table:
    """The different changes: `before`, `after` and the first `row`; without those of long cells."""
    row = pa.array(np.arange(len(before)))
    changes = pa.table({"before": before, "after": after, "row": row})
    counted = changes.group_by(["before", "after"], use_threads=False).aggregate([("row", "min")])
    counted = counted.rename_columns(["before", "after", "row"])
    long = pc.max(pc.binary_length(before)).as_py(), pc.max(pc.binary_length(after)).as_py()
    if max(long) <= MAX_TEXT:
        return counted
    short = (pc.less_equal(pc.utf8_length(counted.column(n)), MAX_TEXT) for n in ("before", "after"))
    return counted.filter(pc.and_(*short))


def _texts(values: pa.ChunkedArray, places: Any) -> pa.Array:
    """As text, with what is missing as none."""
    return pc.fill_null(as_text(values.take(pa.array(places))), "")
