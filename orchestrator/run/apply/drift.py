"""Stops an apply whose batches are not what the functions were proved on. Called by `apply` and `check`.

The evidence of a function says what it did to the rows on which it was proved (`core.effects`): which share of the
cells it changed, emptied or made formulas, of the values it made one, of the rows it dropped, and whether its own
`detect` flags all of them. The same is counted here for every batch. A batch is outside when even the least share that
it may stand for is more than the most that the evidence allows: both are one-sided Wilson bounds of 99.9 %. Errors
stand together in real files, so the most has `_ROOM` times the odds. Source: E. B. Wilson, JASA 22 (1927).
"""

import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from orchestrator.core.effects import Effects
from orchestrator.core.errors import ApplyDrifted
from orchestrator.core.promoted import Promoted
from orchestrator.data.profile.effect_counts import count_effects, unflagged
from orchestrator.gate.judge.compare import shown_rows
from orchestrator.run.apply.clean_table import Cleaned
from orchestrator.run.rows.contract import CheckedBatch

MAX_SHOWN = 3
_Z = 3.09  # one-sided 99.9 %
_ROOM = 4.0
_MOST_CHARACTERS = 300  # of a row that is shown
_ADVICE = "Nothing was written. Look at the rows: --drift accept applies it all the same."


class _Measure(NamedTuple):
    """One thing that is counted, as (how many, of how many) where it was proved and in a batch.

    `strict`: where none was seen, none is allowed. `column`: empty for what is counted in rows.
    """

    verb: str
    noun: str
    proved: tuple[int, int]
    seen: tuple[int, int]
    column: str = ""
    strict: bool = False

    @property
    def outside(self) -> bool:
        if not self.seen[0]:
            return False
        return (self.strict and not self.proved[0]) or least(*self.seen) > most(*self.proved)

    @property
    def clause(self) -> str:
        (count, of), (known, of_known) = self.seen, self.proved
        share = f"{self.verb} {count:,} of {of:,} {self.noun} ({count / of:.1%})"
        return f"{share}, and {known:,} of {of_known:,} where it was proved"


_Draws = dict[tuple[int, int], pa.Array]
"""Rows in which different values are counted: one draw does for functions that were proved on as many rows."""


class DriftGuard:
    """Counts what each function does to each batch. Raises ApplyDrifted from `take`, unless drift is accepted.

    `found`: what was accepted, a sentence for each function and kind. `without_band`: functions whose evidence is from
    before effects were recorded; nothing can be said about them.
    """

    def __init__(self, functions: Sequence[Promoted], *, accept: bool) -> None:
        self._functions = functions
        self._accept = accept
        self._found: dict[tuple[str, str, str], str] = {}
        self.without_band = tuple(f.name for f in functions if f.evidence.verdict.effects is None)

    @property
    def found(self) -> tuple[str, ...]:
        return tuple(self._found.values())

    def take(self, cleaned: Cleaned) -> None:
        """Hold one batch against the evidence."""
        drawn: _Draws = {}
        for function, batches in zip(self._functions, cleaned.made, strict=True):
            for batch in batches:
                for measure in _outside(function, batch, drawn):
                    self._say(function, batch, measure)

    def _say(self, function: Promoted, batch: CheckedBatch, measure: _Measure) -> None:
        sentence = f"{function.name} {measure.clause}"
        if self._accept:
            self._found.setdefault((function.name, measure.verb, measure.column), sentence)
            return
        raise ApplyDrifted(
            f"The data is not what the function was proved on: {sentence}. Rows: {_rows(batch, measure)}.",
            function=function.name,
            advice=_ADVICE,
        )


def beyond(function: Promoted, batch: CheckedBatch) -> tuple[str, ...]:
    """What an apply would stop at, were this one of its batches: clauses without the function's name, or cells."""
    return tuple(measure.clause for measure in _outside(function, batch, {}))


def _outside(function: Promoted, batch: CheckedBatch, drawn: _Draws) -> Iterator[_Measure]:
    proved = function.evidence.verdict.effects
    if proved is None:
        return
    of, spread = len(batch.rows), proved.rows - proved.dropped
    if spread < of and (of, spread) not in drawn:
        drawn[of, spread] = pa.array(sorted(random.sample(range(of), spread)))
    some = drawn.get((of, spread))
    seen = count_effects(batch.source, batch.table, batch.rows, batch.masks, batch.flags, some)
    yield from (measure for measure in _measures(proved, seen) if measure.outside)


def _measures(proved: Effects, seen: Effects) -> Iterator[_Measure]:
    if seen.unflagged is not None and proved.unflagged is not None:
        unseen, seen_rows = (proved.unflagged, proved.rows), (seen.unflagged, seen.rows)
        yield _Measure("changes", "rows that its own detect does not flag", unseen, seen_rows, strict=True)
    yield _Measure("drops", "rows", (proved.dropped, proved.rows), (seen.dropped, seen.rows))
    for one in seen.columns:
        known = proved.of(one.name)
        cells, column = f"cells of {one.name[:60]!r}", one.name
        yield _Measure("changes", cells, (known.changed, known.cells), (one.changed, one.cells), column)
        yield _Measure("empties", cells, (known.emptied, known.cells), (one.emptied, one.cells), column)
        yield _Measure("makes formulas of", cells, (known.formulas, known.cells), (one.formulas, one.cells), column)
        values = f"different values of {one.name[:60]!r}"
        yield _Measure("loses", values, (known.lost, known.distinct), (one.lost, one.distinct), column)


def most(seen: int, of: int) -> float:
    """The largest share that the evidence allows: 1 where it says nothing."""
    if seen >= of:
        return 1.0
    share = _wilson(seen, of, _Z)
    odds = _ROOM * share / (1 - share)
    return odds / (1 + odds)


def least(seen: int, of: int) -> float:
    """The smallest share that a batch may stand for."""
    return _wilson(seen, of, -_Z) if seen else 0.0


def _wilson(seen: int, of: int, z: float) -> float:
    share, square = seen / of, z * z
    spread = math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return (share + square / (2 * of) + z * spread) / (1 + square / of)


def _rows(batch: CheckedBatch, measure: _Measure) -> str:
    """The first rows that show it, before and after: of each what changed, or the whole row where it was dropped."""
    places = np.full(batch.source.num_rows, -1, dtype=np.int64)
    places[batch.rows] = np.arange(len(batch.rows))
    if measure.column:
        rows = batch.rows[np.flatnonzero(batch.masks.get(measure.column, np.ones(len(batch.rows), dtype=np.bool_)))]
    elif measure.verb == "drops":
        rows = np.flatnonzero(places < 0)
    else:
        rows = np.flatnonzero(unflagged(batch.rows, batch.masks, batch.flags))
    return "; ".join(_shown(batch, row, int(places[row]), measure.column) for row in rows[:MAX_SHOWN].tolist())


def _shown(batch: CheckedBatch, row: int, place: int, column: str) -> str:
    if place < 0:
        return f"{_cells(batch.source, row)} dropped"
    changed = [column] if column else [name for name, mask in batch.masks.items() if mask[place]]
    there = [name for name in changed if name in batch.source.column_names]  # not where the function adds it
    return f"{_cells(batch.source.select(there), row)} → {_cells(batch.table.select(changed), place)}"


def _cells(table: pa.Table, row: int) -> str:
    text = repr(shown_rows(table, [row])[0] if table.num_columns else {})
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
