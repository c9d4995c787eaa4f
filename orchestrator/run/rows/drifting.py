"""Holds what rows look like, and what a function does to them, against its signed baseline. Called by `proof_check`.

Never against the last check: what creeps in month after month is seen in the end. Something has drifted where the
lower limit of its ratio (`share_ratio`) is above 1 for kinds of values that were never seen, and above `ROOM` for all
else. All limits of a check hold together but for `ERROR`: each comparison gets its part of it, and each pattern a part
of its column's. In a column where hardly any kind of value is rare, one that was overlooked is unlikely, and a new one
gets more of it; where many are, as in names, the next rows bring new ones, and each gets less.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.baseline import ColumnBaseline, DataBaseline, ValueKinds
from orchestrator.data.cells import as_text, has_column
from orchestrator.data.profile.baseline_counts import category_names, kind_names
from orchestrator.data.profile.effect_counts import empty
from orchestrator.data.text import visible_text
from orchestrator.run.rows.contract import CheckedBatch
from orchestrator.run.rows.drift_finding import MAX_EXAMPLES, DriftFinding, DriftKind, RowExample, finite
from orchestrator.run.rows.share_ratio import chance_of_none, share_ratio

ERROR = 0.005
ROOM = 2.0
_OVERLOOKED = 0.05
"""How many rare kinds of values are expected in a column in which none was seen. Measured, as the whole is."""
_MOST_ERROR = 0.02
_MOST_FINDINGS = 20
_MOST_FEW = 3


@dataclass(frozen=True, slots=True)
class SeenRows:
    """The new rows that a function was given, and what it made of them; None where it failed on some.

    `numbers`: `int64[n_rows]`, where they are among the rows of data in the file, from 0. `header`, `how`: how a person
    counts them (`RowNumbers`).
    """

    source: pa.Table
    batch: CheckedBatch | None
    numbers: Any
    header: int = 0
    how: str = ""

    @property
    def touched(self) -> int:
        """How many rows it changed or dropped."""
        if self.batch is None:
            return 0
        rows, masks = self.batch.rows, self.batch.masks.values()
        changed = np.logical_or.reduce([np.zeros(len(rows), np.bool_), *masks])
        dropped: int = self.source.num_rows - len(rows)
        return dropped + int(changed.sum())

    @property
    def flagged(self) -> int | None:
        """How many rows its `detect` flags; None where it has none."""
        return None if self.batch is None or self.batch.flags is None else int(self.batch.flags.sum())


def comparisons(proved: DataBaseline) -> int:
    """How many things `drifts` compares, patterns counted once for each column."""
    columns = sum(2 + sum(k is not None for k in (c.changed, c.made, c.categories)) for c in proved.columns)
    return 2 + columns + sum(bool(mended(c)) for c in proved.columns)


def mended(column: ColumnBaseline) -> dict[str, int]:
    """The patterns of which the function left no cell as it was, and how many cells it was given of each."""
    if column.changed is None or column.made is None or not column.made.whole:
        return {}
    known, made = column.kinds.counts, column.made.counts
    return {
        name: count for name, count in column.changed.counts.items() if known.get(name) == count and name not in made
    }


def drifts(proved: DataBaseline, seen: SeenRows, error: float) -> tuple[DriftFinding, ...]:
    """What is more frequent than the baseline allows, columns first. `error`: of one comparison.

    That a new pattern is changed, or comes out again, is not said once more, nor that one which is left comes out.
    """
    found = list(_Comparison(proved, seen, error).findings())
    given = {(one.column, one.value) for one in found if one.kind in {DriftKind.NEW_PATTERN, DriftKind.LEAVES_PATTERN}}
    passed_on = {DriftKind.CHANGES_PATTERN, DriftKind.MAKES_PATTERN, DriftKind.LEAVES_MORE}
    told = [one for one in found if one.kind not in passed_on or (one.column, one.value) not in given]
    return tuple(told[:_MOST_FINDINGS])


def too_few(proved: DataBaseline, seen: SeenRows, found: Sequence[DriftFinding]) -> Iterator[str]:
    """Sentences about new patterns in columns that had few, which occur too seldom to be told from chance."""
    named = {(one.column, one.value) for one in found}
    for column in proved.columns:
        if not has_column(seen.source, column.name) or column.kinds.rest or column.kinds.rare:
            continue
        names = kind_names(seen.source.column(column.name))
        new = [name for name in pc.unique(pc.drop_null(names)).to_pylist() if name not in column.kinds.counts]
        for name in [name for name in new if (column.name, name) not in named][:_MOST_FEW]:
            places = np.flatnonzero(pc.fill_null(pc.equal(names, name), False).to_numpy(zero_copy_only=False))
            row = f"row {int(seen.numbers[places[0]]) + 1 + seen.header}{seen.how and f'; {seen.how}'}"
            what = f"{len(places)} of {len(names):,} cells look like {name!r}, which is new"
            yield f"{column.name[:60]!r}: {what} ({row}): too few to tell from chance"


@dataclass(frozen=True, slots=True)
class _Comparison:
    """`names`: by column, the pattern of each cell that the function is given; to find them is what takes the time."""

    proved: DataBaseline
    seen: SeenRows
    error: float
    names: dict[str, pa.Array] = field(default_factory=dict)

    def findings(self) -> Iterator[DriftFinding]:
        for column in self.proved.columns:
            if has_column(self.seen.source, column.name):
                yield from self._given(column)
        if self.seen.batch is None:
            return
        for column in self.proved.columns:
            if has_column(self.seen.batch.source, column.name):
                yield from self._done(column, self.seen.batch)
        yield from self._rows(self.seen.batch)

    def _given(self, column: ColumnBaseline) -> Iterator[DriftFinding]:
        """Missing cells, patterns and categories of what it is given."""
        values = self.seen.source.column(column.name)
        missing = empty(values).combine_chunks()
        before, now = (column.missing, column.cells), (int(pc.sum(missing).as_py() or 0), len(values))
        shown = self._examples(values, lambda: missing)
        yield from self._more(DriftKind.MORE_MISSING, column.name, "", before, now, shown)
        names = self.names[column.name] = kind_names(values, missing)
        yield from self._kinds(column, column.kinds, names, DriftKind.NEW_PATTERN, DriftKind.MORE_OF_PATTERN, values)
        if column.categories is None:
            return
        names = category_names(values, self.proved.salt)
        yield from self._kinds(column, column.categories, names, DriftKind.NEW_CATEGORY, None, values)

    def _done(self, column: ColumnBaseline, batch: CheckedBatch) -> Iterator[DriftFinding]:
        """Patterns of the cells that it changes, and of those that it makes."""
        kept, mask = batch.kept.column(column.name), pa.array(self._changed(column.name, batch))
        forms = self._forms(column.name, batch)
        yield from self._left(column, forms, kept, mask, batch.rows)
        if pc.any(mask).as_py():
            names = pc.if_else(mask, forms, pa.scalar(None, pa.string()))
            known = column.changed or ValueKinds(cells=0)
            kind = DriftKind.CHANGES_PATTERN
            yield from self._kinds(column, known, names, kind, kind, kept, batch.rows)
        if column.made is not None and has_column(batch.table, column.name):
            made = batch.table.column(column.name)
            kind = DriftKind.MAKES_PATTERN
            names = pc.replace_with_mask(forms, mask, kind_names(made.filter(mask)))
            for one in self._kinds(column, column.made, names, kind, None, made, batch.rows):
                is_made = pc.any(pc.and_(mask, pc.equal(names, one.value))).as_py()
                yield one if is_made else one.model_copy(update={"kind": DriftKind.LEAVES_MORE})

    @staticmethod
    def _changed(name: str, batch: CheckedBatch) -> Any:
        mask = batch.masks.get(name)
        return np.zeros(len(batch.rows), np.bool_) if mask is None else mask

    def _forms(self, name: str, batch: CheckedBatch) -> pa.Array:
        """The patterns of the cells in the rows that are still there, before the function."""
        if batch.source is not self.seen.source or name not in self.names:
            return kind_names(batch.kept.column(name))
        names = self.names[name]
        return names if len(batch.rows) == len(names) else names.take(pa.array(batch.rows))

    def _left(
        self, column: ColumnBaseline, names: pa.Array, kept: pa.ChunkedArray, changed: pa.Array, rows: Any
    ) -> Iterator[DriftFinding]:
        """Cells that stay as they are though they look like those that it mended one and all."""
        forms = mended(column)
        for name, count in forms.items():
            like = pc.fill_null(pc.equal(names, name), False)
            left = pc.and_not(like, changed)
            now = (int(pc.sum(left).as_py() or 0), int(pc.sum(like).as_py() or 0))
            if now[0] and chance_of_none(count, now) < self.error / len(forms):
                found = share_ratio((0, count), now, self.error)
                yield DriftFinding(
                    kind=DriftKind.LEAVES_PATTERN,
                    column=column.name,
                    value=name,
                    before=(0, count),
                    now=now,
                    low=found.low,
                    examples=self._examples(kept, lambda left=left: left, rows)(),  # type: ignore[misc]
                )

    def _rows(self, batch: CheckedBatch) -> Iterator[DriftFinding]:
        rows, flagged = batch.source.num_rows, self.seen.flagged
        if self.proved.flagged is not None and flagged is not None:
            before = (self.proved.flagged, self.proved.rows)
            yield from self._more(DriftKind.MORE_FLAGGED, "", "", before, (flagged, rows), lambda: ())
        before, now = (self.proved.touched, self.proved.rows), (self.seen.touched, rows)
        yield from self._more(DriftKind.MORE_CHANGED, "", "", before, now, lambda: ())

    def _kinds(
        self,
        column: ColumnBaseline,
        known: ValueKinds,
        names: pa.Array,
        new: DriftKind,
        more: DriftKind | None,
        values: pa.ChunkedArray,
        rows: Any = None,
    ) -> Iterator[DriftFinding]:
        """New kinds of values and, where `more` says so, known ones that are more frequent."""
        counted = pc.value_counts(pc.drop_null(names))
        found = Counter(dict(zip(counted.field(0).to_pylist(), counted.field(1).to_pylist(), strict=True)))
        cells = len(values)
        unlisted = sum(count for name, count in found.items() if name not in known.counts)
        rare = min(known.cells, known.rest + known.rare)
        for name, count in found.most_common():
            listed = known.counts.get(name, 0)
            if listed and more is None:
                continue
            before = (listed or known.least, column.cells)
            chances = len(known.counts) if listed else known.rare + (0 if known.whole else len(known.counts))
            kind = more if listed and more is not None else new
            room = ROOM if listed or not known.whole else 1.0
            error = min(_MOST_ERROR, self.error / (chances + _OVERLOOKED))
            shown = self._examples(values, lambda name=name: pc.equal(names, name), rows)  # type: ignore[misc]
            value = name
            if kind is DriftKind.NEW_CATEGORY:
                value = next((one.cell for one in shown()), "")
            yield from self._more(kind, column.name, value, before, (count, cells), shown, room, error)
        if new is DriftKind.NEW_PATTERN:
            yield from self._more(
                DriftKind.MORE_UNLISTED, column.name, "", (rare, column.cells), (unlisted, cells), lambda: ()
            )

    def _more(
        self,
        kind: DriftKind,
        column: str,
        value: str,
        before: tuple[int, int],
        now: tuple[int, int],
        shown: "Callable[[], tuple[RowExample, ...]]",
        room: float = ROOM,
        error: float | None = None,
    ) -> Iterator[DriftFinding]:
        if not before[1] or now[0] * before[1] <= room * before[0] * now[1]:
            return
        found = share_ratio(before, now, error or self.error)
        if found.low > room:
            ratio, high = finite(found.ratio), finite(found.high)
            yield DriftFinding(
                kind=kind,
                column=column,
                value=value,
                before=before,
                now=now,
                low=found.low,
                ratio=ratio,
                high=high,
                examples=shown(),
            )

    def _examples(
        self, values: pa.ChunkedArray, mask: Callable[[], Any], rows: Any = None
    ) -> Callable[[], tuple[RowExample, ...]]:
        """The first cells of the mask. `rows[i]`: which of the rows cell i is of, where some are gone."""

        def shown() -> tuple[RowExample, ...]:
            places = np.flatnonzero(pc.fill_null(mask(), False).to_numpy(zero_copy_only=False))[:MAX_EXAMPLES]
            cells = as_text(values.take(pa.array(places, pa.int64()))).to_pylist()
            numbers = self.seen.numbers[places if rows is None else rows[places]]
            pairs = zip(numbers.tolist(), cells, strict=True)
            rows_shown = ((row + 1, visible_text((cell or "")[:80])) for row, cell in pairs)
            return tuple(RowExample(row=row, file_row=row + self.seen.header, cell=cell) for row, cell in rows_shown)

        return shown
