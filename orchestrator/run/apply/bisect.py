"""Cleans a table with promoted functions and finds the rows on which they fail. Called wherever they are applied.

All functions run on the whole table first. When that fails, it is cut in two, and again, until the failing rows stand
alone; a row is then tried with the first function, the first two, and so on, which names the function at fault. What
fails only because a batch is large succeeds once it is small.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from orchestrator.run.apply.runner import FunctionRunner, FunctionsFailed

if TYPE_CHECKING:
    from orchestrator.run.apply.contract import CheckedBatch

_ATTEMPTS = 64  # per batch, and for each failing row found as many again as finding it may take
_ATTEMPTS_PER_ROW = 40


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A row on which the functions fail: its place in the batch, the function at fault, and why in one clause."""

    row: int
    function: str
    reason: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What became of one batch. `rows[i]` is the place in the source of row i; counts are cells by column.

    `records`: what functions of records were given and made, where `table` holds them as rows of the data set.
    """

    table: pa.Table | None  # None: no row came through
    rows: Any
    changed: dict[str, int]
    by_function: tuple[dict[str, int], ...]
    failed: tuple[FailedRow, ...] = ()
    records: tuple[pa.Table, pa.Table] | None = None
    hopeless: bool = False  # the search was given up: `failed` ends with the first row of what was not resolved

    @property
    def as_given(self) -> "Cleaned":
        """The same in terms of what the functions were given and made: of records, those that came through."""
        if self.records is None:
            return self
        return replace(self, table=self.records[1], rows=np.arange(self.records[0].num_rows), failed=())


def clean(runner: FunctionRunner, table: pa.Table, *, max_failures: int) -> Cleaned:
    """Apply all functions of the runner to the table; stops looking for failing rows after `max_failures` of them.

    Raises SandboxError.
    """
    return _Bisection(runner, table, max_failures).result()


class _Bisection:
    def __init__(self, runner: FunctionRunner, table: pa.Table, max_failures: int) -> None:
        self._runner = runner
        self._whole = table
        self._max_failures = max_failures
        self._parts: list[tuple[CheckedBatch, int]] = []
        self._by_function: list[dict[str, int]] = [{} for _ in runner.functions]
        self._failed: list[FailedRow] = []
        self._attempts = 0
        self._hopeless = False

    def result(self) -> Cleaned:
        self._solve(0, self._whole.num_rows)
        changed: dict[str, int] = {}
        for part, _ in self._parts:
            _add(changed, part.changed)
        if len(self._runner.functions) == 1:
            self._by_function = [{name: count for name, count in changed.items() if count}]
        table = None
        if self._parts:
            table = pa.concat_tables([part.table for part, _ in self._parts], promote_options="permissive")
        rows = np.concatenate([part.rows + start for part, start in self._parts]) if self._parts else np.zeros(0, int)
        return Cleaned(table, rows, changed, tuple(self._by_function), tuple(self._failed), hopeless=self._hopeless)

    def _solve(self, start: int, count: int) -> None:
        if self._hopeless or len(self._failed) >= self._max_failures:
            return
        table = self._whole.slice(start, count)
        self._attempts += 1
        try:
            part, by_function = self._runner.run(table, self._runner.functions, self._wall(count))
        except FunctionsFailed as failure:
            self._hopeless = self._attempts > _ATTEMPTS + _ATTEMPTS_PER_ROW * len(self._failed)
            if not count:
                return
            if count == 1 or self._hopeless:
                self._failed.append(self._failed_row(start, table, str(failure)))
                return
            half = count // 2
            self._solve(start, half)
            self._solve(start + half, count - half)
            return
        self._parts.append((part, start))
        for total, counts in zip(self._by_function, by_function, strict=False):
            _add(total, counts)

    def _wall(self, count: int) -> float:
        """Fewer rows get less time, or a row that hangs would cost the whole limit at every cut."""
        limit = self._runner.access.limits.wall_s
        return limit if count == self._whole.num_rows else min(limit, max(2.0, limit * count / self._whole.num_rows))

    def _failed_row(self, row: int, table: pa.Table, reason: str) -> FailedRow:
        functions = self._runner.functions
        for number in range(1, len(functions)):
            try:
                self._runner.run(table, functions[:number], self._wall(1))
            except FunctionsFailed as failure:
                return FailedRow(row, functions[number - 1].name, str(failure))
        return FailedRow(row, functions[-1].name, reason)


def _add(total: dict[str, int], counts: dict[str, int]) -> None:
    for name, count in counts.items():
        total[name] = total.get(name, 0) + count
