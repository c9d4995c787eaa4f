"""Cleans a table with promoted functions and finds the rows on which they fail. Called wherever they are applied.

Each function runs on all that the one before it left. When it fails, its table is cut in pieces (`failing_rows`), until
the failing rows stand alone. What fails only because a batch is large succeeds once it is small. A function that fails
on single rows from all over a batch does not fit this data, which is said at once instead of row by row.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from orchestrator.core.promoted import Promoted
from orchestrator.data.cells import differing
from orchestrator.run.apply.failing_rows import FailedRow, PlacedRows, RowSearch
from orchestrator.run.apply.function_runner import FunctionFailed, FunctionRunner

if TYPE_CHECKING:
    from orchestrator.run.rows.contract import CheckedBatch

OnMade = Callable[[int, "tuple[CheckedBatch, ...]"], None]
"""Receives the number of a function and what it made of a batch, in one or several pieces."""

_TRIED = 16  # rows from all over a batch: a function that takes one row in five fails on all of them once in 35 times
_WORTH_TRYING = 2 * _TRIED


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
    return _Cleaning(runner, table, max_failures, functions, give_up).result(on_made, begun)


class _Cleaning:
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
        self._hopeless = False
        self._give_up = give_up
        self._tried = 0

    def result(self, on_made: OnMade | None, begun: "Sequence[CheckedBatch]") -> Cleaned:
        pieces = [PlacedRows(self._whole, np.arange(self._whole.num_rows))]
        made: list[tuple[CheckedBatch, ...]] = []
        for number, function in enumerate(self._functions):
            if number < len(begun):
                found = [(pieces[0], begun[number])]
            else:
                found = [one for piece in pieces for one in self._solve(function, piece)]
            made.append(tuple(batch for _, batch in found))
            if on_made is not None:
                on_made(number, made[-1])
            pieces = [PlacedRows(batch.table, piece.places[batch.rows]) for piece, batch in found]
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

    def _solve(self, function: Promoted, rows: PlacedRows) -> "list[tuple[PlacedRows, CheckedBatch]]":
        """What the function makes of the rows, together or in parts."""
        if self._hopeless or self._tried or len(self._failed) >= self._max_failures:
            return []
        count = rows.table.num_rows
        try:
            return [(rows, self._runner.run(function, rows.table, self._runner.access.limits.wall_s))]
        except FunctionFailed as failure:
            reason = str(failure)
        if count <= 1:
            self._failed += [FailedRow(int(rows.places[0]), function.name, reason)] if count else []
            return []
        search = RowSearch(self._runner, function, rows, self._max_failures - len(self._failed))
        if self._give_up and count >= _WORTH_TRYING:
            tried = np.linspace(0, count - 1, _TRIED).astype(int).tolist()
            if first := search.every_one_fails(tried):
                self._failed.append(first)
                self._tried = _TRIED
                return []
        search.run(reason)
        self._failed += search.failed
        self._hopeless = search.hopeless
        return search.made


def _changed(source: pa.Table, result: pa.Table, rows: Any, made: "Sequence[Sequence[CheckedBatch]]") -> dict[str, int]:
    """How many cells of each column differ after the last function from what they were before the first."""
    whole = len(rows) == source.num_rows
    kept = source if whole else source.take(rows)
    totals = [_summed(batch.changed for batch in batches) for batches in made]
    counts = {}
    both = {*source.column_names} & {*result.column_names}
    for name in dict.fromkeys(name for total in totals for name in total):
        if name not in both:
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
