"""Picks, of all that one function changes, some rows of each kind of change. Called by `doubted_changes`.

Two changes are of one kind where their cells look alike before and after (`patterns`), and where either both or neither
keep the letters and figures of the cell. Of a column with few different changes, all are picked. A batch costs two
looks at the patterns of the cells that it changes, whatever the other batches held.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import as_text, has_column
from orchestrator.data.profile.patterns import own_bytes, patterns_of
from orchestrator.run.rows.contract import CheckedBatch

MOST_OF_KIND = 3  # changes that are picked of each kind
MOST_ALIKE = 100  # of a column, up to which every change is picked
MOST = 400  # of a column, half of them with the letters and figures of the cell
UNCHANGED = 200  # rows without a change, beside which a change is looked at
SEARCHED = 8  # batches in which a cell is looked for that has been what a changed one has become
MAX_TEXT = 1_000  # characters; longer cells are not looked at
_NEIGHBOURS = 30  # columns that are kept beside the changed ones

_Pair = tuple[str, str]


class KindsOfChange:
    """Takes what one function made, batch after batch. `own`: the columns that it is about."""

    def __init__(self, own: tuple[str, ...]) -> None:
        self._own = own
        self._columns: dict[str, _Column] = {}
        self._weights = _weights()
        self._before: list[pa.Table] = []
        self._after: list[pa.Table] = []
        self._unchanged = 0
        self._batches = 0

    def take(self, batch: CheckedBatch) -> None:
        """Pick the rows of this batch that show a kind of change of which few are picked so far."""
        self._batches += 1
        picked: set[int] = set()
        touched = np.zeros(len(batch.rows), np.bool_)
        for name, mask in batch.masks.items():
            touched |= mask
            if mask.any() and has_column(batch.kept, name) and has_column(batch.table, name):
                picked |= self._new(name, batch, mask)
        if self._batches <= SEARCHED:
            picked.update(row for name, column in self._columns.items() for row in _others(name, column, batch))
        if self._unchanged < UNCHANGED:
            still = np.flatnonzero(~touched)[: UNCHANGED - self._unchanged].tolist()
            self._unchanged += len(still)
            picked.update(still)
        if picked:
            rows = pa.array(sorted(picked))
            self._before.append(self._narrow(batch.kept).take(rows))
            self._after.append(self._narrow(batch.table).take(rows))

    def tables(self) -> tuple[pa.Table, pa.Table] | None:
        """The picked rows before and after, row by row the same ones; None where nothing was changed."""
        if not self._columns:
            return None
        parts = self._before, self._after
        before, after = (pa.concat_tables(some, promote_options="permissive").combine_chunks() for some in parts)
        return before, after

    def cells(self, name: str) -> int:
        """How many cells of a column were changed in all."""
        return self._columns[name].cells if name in self._columns else 0

    def _new(self, name: str, batch: CheckedBatch, mask: Any) -> set[int]:
        column = self._columns.setdefault(name, _Column())
        column.cells += int(mask.sum())
        if len(column.picked) >= MOST:
            return set()
        places = np.flatnonzero(mask)
        before, after = (_texts(table.column(name), places) for table in (batch.kept, batch.table))
        distinct = _distinct(before, after)
        if not distinct.num_rows:
            return set()
        old, new = (distinct.column(n).combine_chunks() for n in ("before", "after"))
        found = column.pick(self._kinds(old, new), old, new)
        first = distinct.column("row").to_numpy()
        return {int(places[first[at]]) for at in found}

    def _kinds(self, before: pa.Array, after: pa.Array) -> dict["_Kind", Any]:
        """The kinds of the changes, each with the places of its first ones."""
        old, new = (patterns_of(texts).dictionary_encode() for texts in (before, after))
        kept = self._content(before) == self._content(after)
        codes = (old.indices.to_numpy() * np.int64(len(new.dictionary)) + new.indices.to_numpy()) * 2 + kept
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        ends = np.append(starts[1:], len(order))
        names = (old.dictionary.to_pylist(), new.dictionary.to_pylist())
        found = {}
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            places = order[start:end]
            one = int(places[0])
            kind = names[0][old.indices[one].as_py()], names[1][new.indices[one].as_py()], bool(kept[one])
            found[kind] = places[:MOST_ALIKE]
        return found

    def _content(self, texts: pa.Array) -> Any:
        """A number for each text that is the same for texts of the same letters and figures, in any order."""
        lengths = pc.binary_length(texts).to_numpy()
        data = np.frombuffer(own_bytes(texts), np.uint8)
        ends = np.cumsum(lengths)
        sums = np.concatenate([[0], np.cumsum(self._weights[data], dtype=np.uint64)]).astype(np.uint64)
        return sums[ends] - sums[ends - lengths]

    def _narrow(self, table: pa.Table) -> pa.Table:
        if table.num_columns <= len(self._own) + _NEIGHBOURS:
            return table
        own = [name for name in self._own if has_column(table, name)]
        others = [name for name in table.column_names if name not in own][:_NEIGHBOURS]
        return table.select([*own, *others])


_Kind = tuple[str, str, bool]


@dataclass
class _Column:
    """What was picked of one column, and how many changes of each kind. `alone`: what no cell has been that stays."""

    cells: int = 0
    alone: set[str] = field(default_factory=set)
    picked: set[_Pair] = field(default_factory=set)
    of_kind: dict[_Kind, int] = field(default_factory=dict)
    kept: int = 0  # of those that are picked, how many have their letters and figures

    def pick(self, kinds: dict[_Kind, Any], before: pa.Array, after: pa.Array) -> Iterator[int]:
        """The changes to pick, by their place."""
        for kind, places in kinds.items():
            *_, kept = kind
            for at in places.tolist():
                of_kind = self.of_kind.get(kind, 0)
                if len(self.picked) >= (MOST if of_kind < MOST_OF_KIND else MOST_ALIKE):
                    break
                if kept and self.kept >= MOST // 2:
                    break
                pair = before[at].as_py(), after[at].as_py()
                if pair not in self.picked:
                    self.picked.add(pair)
                    self.alone.add(pair[1])
                    self.of_kind[kind] = of_kind + 1
                    self.kept += kept
                    yield at


def _others(name: str, column: _Column, batch: CheckedBatch) -> list[int]:
    """Rows that stay, and have what a picked cell of other rows has become: it is a value of the column."""
    if not column.alone or not has_column(batch.kept, name):
        return []
    mask = batch.masks.get(name)
    places = np.arange(len(batch.rows)) if mask is None else np.flatnonzero(~mask)
    there = _texts(batch.kept.column(name), places)
    found = pc.drop_null(pc.index_in(pa.array(sorted(column.alone), pa.string()), there))
    column.alone.difference_update(there.take(found).to_pylist())
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


def _weights() -> Any:
    """A number for each byte, none for signs and blanks, the same for a letter in both cases.

    Drawn anew in each process: nobody can make two texts whose sums are the same.
    """
    weights = np.frombuffer(secrets.token_bytes(256 * 8), np.uint64).copy()
    for byte in range(128):
        weights[byte] = weights[ord(chr(byte).lower())] if chr(byte).isalnum() else 0
    return weights
