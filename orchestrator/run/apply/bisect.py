"""Cleans a table with promoted functions and finds the rows on which they fail. Called wherever they are applied.

Each function runs on all that the one before it left. When it fails, its table is cut in two, and again, until the
failing rows stand alone. What fails only because a batch is large succeeds once it is small. A function that fails on
single rows from all over a batch does not fit this data, which is said at once instead of row by row.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from orchestrator.core.promoted import Promoted
from orchestrator.data.cells import differing
from orchestrator.run.apply.function_runner import FunctionFailed, FunctionRunner

if TYPE_CHECKING:
    from orchestrator.run.rows.contract import CheckedBatch

OnMade = Callable[[int, "tuple[CheckedBatch, ...]"], None]
"""Receives the number of a function and what it made of a batch, in one or several pieces."""

_ATTEMPTS = 64  # per batch, and for each failing row found as many again as finding it may take
_ATTEMPTS_PER_ROW = 40
_TRIED = 16  # rows from all over a batch: a function that takes one row in five fails on all of them once in 35 times
_WORTH_TRYING = 2 * _TRIED


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A row on which the functions fail: its place in the batch, the function at fault, and why in one clause."""

    row: int
    function: str
    reason: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What became of one batch. `rows[i]` is the place in the source of row i; counts are cells by column.

    `made`: for each function, what it made of what it was given, in one or several pieces.
    `records`: what functions of records were given and made, where `table` holds them as rows of the data set.
    """

    table: pa.Table | None  # None: no row came through
    rows: Any
    changed: dict[str, int]
    made: "tuple[tuple[CheckedBatch, ...], ...]"
    failed: tuple[FailedRow, ...] = ()
    records: tuple[pa.Table, pa.Table] | None = None
    hopeless: bool = False  # the search was given up: `failed` ends with the first row of what was not resolved
    tried: int = 0  # so many single rows were tried, and all of them fail: the batch was given up

    @property
    def by_function(self) -> tuple[dict[str, int], ...]:
        """For each function, how many cells of each column it changed."""
        return tuple(_summed(batch.changed for batch in batches) for batches in self.made)


def clean(
    runner: FunctionRunner,
    table: pa.Table,
    *,
    max_failures: int,
    functions: Sequence[Promoted] | None = None,
    give_up: bool = False,
    on_made: OnMade | None = None,
    begun: "Sequence[CheckedBatch]" = (),
) -> Cleaned:
    """Apply the functions, all of the runner if none are named; stops looking for failing rows after `max_failures`.

    `give_up`: do not look for all rows of a batch of which every row that is tried fails. `on_made` receives what each
    function made, as soon as it has. `begun`: what the first functions made of the whole table. Raises SandboxError.
    """
    functions = runner.functions if functions is None else functions
    return _Bisection(runner, table, max_failures, functions, give_up).result(on_made, begun)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Rows on the way: what the functions so far made of them, and their places in the whole."""

    table: pa.Table
    places: Any


class _Bisection:
    def __init__(
        self,
        runner: FunctionRunner,
        table: pa.Table,
        max_failures: int,
        functions: Sequence[Promoted],
        give_up: bool,
    ) -> None:
        self._runner = runner
        self._functions = functions
        self._whole = table
        self._max_failures = max_failures
        self._failed: list[FailedRow] = []
        self._attempts = 0
        self._hopeless = False
        self._give_up = give_up
        self._tried = 0

    def result(self, on_made: OnMade | None, begun: "Sequence[CheckedBatch]") -> Cleaned:
        pieces = [_Piece(self._whole, np.arange(self._whole.num_rows))]
        made: list[tuple[CheckedBatch, ...]] = []
        for number, function in enumerate(self._functions):
            if number < len(begun):
                found = [(pieces[0], begun[number])]
            else:
                found = [one for piece in pieces for one in self._solve(function, piece, piece.table.num_rows)]
            made.append(tuple(batch for _, batch in found))
            if on_made is not None:
                on_made(number, made[-1])
            pieces = [_Piece(batch.table, piece.places[batch.rows]) for piece, batch in found]
        table, rows = None, np.zeros(0, int)
        if pieces:
            table = pa.concat_tables([piece.table for piece in pieces], promote_options="permissive")
            rows = np.concatenate([piece.places for piece in pieces])
        return Cleaned(
            table=table,
            rows=rows,
            changed={} if table is None else _changed(self._whole, table, rows, made),
            made=tuple(made),
            failed=tuple(self._failed if self._hopeless else sorted(self._failed, key=lambda failed: failed.row)),
            hopeless=self._hopeless,
            tried=self._tried,
        )

    def _solve(self, function: Promoted, piece: _Piece, of: int) -> "list[tuple[_Piece, CheckedBatch]]":
        """What the function makes of the piece, whole or in smaller ones; `of`: the rows before it was cut."""
        if self._hopeless or self._tried or len(self._failed) >= self._max_failures:
            return []
        count = piece.table.num_rows
        self._attempts += 1
        try:
            return [(piece, self._runner.run(function, piece.table, self._wall(count, of)))]
        except FunctionFailed as failure:
            most = _ATTEMPTS + _ATTEMPTS_PER_ROW * len(self._failed) + len(self._functions)
            self._hopeless = self._attempts > most
            if not count:
                return []
            if count == 1 or self._hopeless:
                self._failed.append(FailedRow(int(piece.places[0]), function.name, str(failure)))
                return []
            if self._give_up and count == of >= _WORTH_TRYING and self._fails_everywhere(function, piece):
                return []
        half = count // 2
        halves = (slice(0, half), slice(half, count))
        cut = [_Piece(piece.table.slice(h.start, h.stop - h.start), piece.places[h]) for h in halves]
        return [found for part in cut for found in self._solve(function, part, of)]

    def _fails_everywhere(self, function: Promoted, piece: _Piece) -> bool:
        """Whether the function fails on single rows from all over the piece, alone."""
        count = piece.table.num_rows
        first: FailedRow | None = None
        for row in np.linspace(0, count - 1, _TRIED).astype(int).tolist():
            try:
                self._runner.run(function, piece.table.slice(row, 1), self._wall(1, count))
            except FunctionFailed as failure:
                first = first or FailedRow(int(piece.places[row]), function.name, str(failure))
            else:
                return False
        self._failed += [first] if first else []
        self._tried = _TRIED
        return True

    def _wall(self, count: int, of: int) -> float:
        """Fewer rows get less time, or a row that hangs would cost the whole limit at every cut."""
        limit = self._runner.access.limits.wall_s
        return limit if count == of else min(limit, max(2.0, limit * count / of))


def _changed(source: pa.Table, result: pa.Table, rows: Any, made: "Sequence[Sequence[CheckedBatch]]") -> dict[str, int]:
    """How many cells of each column differ after the last function from what they were before the first."""
    whole = len(rows) == source.num_rows
    kept = source if whole else source.take(rows)
    totals = [_summed(batch.changed for batch in batches) for batches in made]
    counts = {}
    for name in dict.fromkeys(name for total in totals for name in total):
        if name not in source.column_names or name not in result.column_names:
            continue
        own = [total[name] for total in totals if name in total]
        if len(own) == 1 and whole:
            counts[name] = own[0]
        else:
            mask = differing(kept.column(name), result.column(name))
            counts[name] = 0 if mask is None else int(mask.to_numpy(zero_copy_only=False).sum())
    return counts


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for one in counts:
        for name, count in one.items():
            total[name] = total.get(name, 0) + count
    return total
