"""Finds the rows of a table on which a function fails, and what it makes of all others. Called by `clean_table`.

The table is cut in many pieces that are tried in one job; those that fail are cut again, until the failing rows stand
alone. So it takes about as many jobs as there are levels, and not as there are failing rows. Each piece is a case of
its own: a function that raises on one has failed on that one only. Where a process ends, none of its tables is to blame
yet: a row is set aside for that only after it was alone in its process.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.promoted import Promoted
from orchestrator.run.apply.function_runner import FunctionFailed, FunctionRunner
from orchestrator.run.rows.contract import CheckedBatch

_FIRST_PARTS = 64
_PARTS = 8
_CASES = 256  # of one job; fewer where a table is wide, because each of them says its columns again
_CELLS = 8_192  # columns of all cases together
_APART = 64  # rows of one job of which each has a process of its own
_LEAST_S = 2.0
_TOGETHER = 32  # rows that are taken one by one, or tables in parts, and not together: no row of them is at fault
_ENDED = 128  # processes that end before a failing row is found, and for each that is found so many more:
_ENDED_PER_ROW = 40


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A row on which the functions fail: its place in the batch, the function at fault, and why in one clause."""

    row: int
    function: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlacedRows:
    """Rows on the way: what the functions so far made of them, and their places in the whole."""

    table: pa.Table
    places: Any

    def part(self, start: int, stop: int) -> "PlacedRows":
        """The rows from one to before another."""
        return PlacedRows(self.table.slice(start, stop - start), self.places[start:stop])


@dataclass(slots=True)
class _Cut:
    """A table that failed and was cut: how many of its parts are not tried yet, and whether any failed.

    `weight`: how much it says of the function if all of them are taken: nothing where a neighbour may have failed.
    """

    left: int
    weight: int = 0
    failed: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows to be tried: a part of what failed. `alone`: a row in a process of its own."""

    rows: PlacedRows
    of: _Cut
    alone: bool = False


class RowSearch:
    """The search in one table, which failed as a whole. `most`: it ends after so many failing rows.

    `made`: what the function made of the rows that it takes, in their order. `hopeless`: given up, because the function
    fails on rows together that it takes apart; `failed` then ends with the first row of what was not resolved.
    """

    def __init__(self, runner: FunctionRunner, function: Promoted, rows: PlacedRows, most: int) -> None:
        self._runner = runner
        self._function = function
        self._whole = rows
        self._most = most
        self._together = self._ended = 0
        self.made: list[tuple[PlacedRows, CheckedBatch]] = []
        self.failed: list[FailedRow] = []
        self.hopeless = False

    def run(self, reason: str) -> None:
        """Search. `reason`: why the whole failed. Raises SandboxError."""
        todo = list(_parts(self._whole, _FIRST_PARTS))
        while todo:
            taken = self._next(todo)
            known = set(map(id, taken))
            again = [part for part in todo if id(part) not in known]
            for part, outcome in zip(taken, self._tried(taken), strict=True):
                if isinstance(outcome, FunctionFailed):
                    reason = str(outcome)
                again += self._after(part, outcome)
            todo = sorted(again, key=lambda part: int(part.rows.places[0]))
            settled = sorted(self.failed, key=lambda row: row.row)
            first = int((todo[0].rows if todo else self._whole).places[0])
            settled = [row for row in settled if not todo or row.row < first]
            self.hopeless = self._together > _TOGETHER or self._ended > _ENDED + _ENDED_PER_ROW * len(self.failed)
            if self.hopeless:
                self.failed = [*settled, FailedRow(first, self._function.name, reason)]
                break
            if len(settled) >= self._most or not todo:
                self.failed = settled[: self._most]
                break
        self.made.sort(key=lambda made: int(made[0].places[0]))

    def every_one_fails(self, places: Sequence[int]) -> FailedRow | None:
        """The first of these rows if the function fails on each of them, alone."""
        for alone in (False, True):
            parts = [_Part(self._whole.part(place, place + 1), _Cut(0), alone) for place in places]
            failed = [outcome for outcome in self._tried(parts) if isinstance(outcome, FunctionFailed)]
            if len(failed) < len(parts):
                return None
            if all(one.sure for one in failed):
                break
        return FailedRow(int(parts[0].rows.places[0]), self._function.name, str(failed[0]))

    def _next(self, todo: list[_Part]) -> list[_Part]:
        """What the next job tries: rows that need a process of their own, or else the first of all."""
        alone = [part for part in todo if part.alone][:_APART]
        most = max(_FIRST_PARTS // 4, min(_CASES, _CELLS // max(1, self._whole.table.num_columns)))
        taken = alone or todo[:most]
        tables = list(dict.fromkeys(id(part.of) for part in taken))  # each of them failed, so one row in it does
        needed = set(tables[: max(1, self._most - len(self.failed))])
        return [part for part in taken if id(part.of) in needed]

    def _after(self, part: _Part, outcome: CheckedBatch | FunctionFailed) -> list[_Part]:
        """Keep what came of a part; what is still to be tried of it."""
        if isinstance(outcome, FunctionFailed) and not outcome.ran:
            return [part]
        one_row = part.rows.table.num_rows == 1
        if isinstance(outcome, FunctionFailed) and one_row and not outcome.sure:
            return [_Part(part.rows, part.of, alone=True)]
        part.of.left -= 1
        part.of.failed |= isinstance(outcome, FunctionFailed)
        self._together += 0 if part.of.left or part.of.failed else part.of.weight
        if not isinstance(outcome, FunctionFailed):
            self.made.append((part.rows, outcome))
        elif one_row:
            self.failed.append(FailedRow(int(part.rows.places[0]), self._function.name, str(outcome)))
        else:
            return list(_parts(part.rows, _PARTS, sure=outcome.sure))
        return []

    def _tried(self, parts: Sequence[_Part]) -> list[CheckedBatch | FunctionFailed]:
        """What the function makes of parts, in one job. Of rows that are alone, what comes back is sure."""
        alone = parts[0].alone
        given = [(self._function, part.rows.table) for part in parts]
        rows = max(part.rows.table.num_rows for part in parts) * 4
        outcomes = self._runner.try_each(given, self._wall(1 if alone else rows), apart=alone)
        failed = [one for one in outcomes if isinstance(one, FunctionFailed)]
        self._ended += len([one for one in failed if one.ran and not one.sure]) // (1 if alone else 4)
        if alone:
            return [self._sure(part, outcome) for part, outcome in zip(parts, outcomes, strict=True)]
        if len(failed) == len(outcomes) and not any(one.ran for one in failed):
            return [FunctionFailed(self._function.name, str(one), sure=False) for one in failed]
        return outcomes

    def _sure(self, part: _Part, outcome: CheckedBatch | FunctionFailed) -> CheckedBatch | FunctionFailed:
        """The same, or what becomes of the row in a job of its own where others may be to blame for it."""
        if not isinstance(outcome, FunctionFailed) or outcome.sure:
            return outcome
        try:
            return self._runner.run(self._function, part.rows.table, self._wall(1))
        except FunctionFailed as failure:
            return failure

    def _wall(self, count: int) -> float:
        """Fewer rows get less time, or a row that hangs would cost the whole limit at every cut."""
        limit: float = self._runner.access.limits.wall_s
        return min(limit, max(_LEAST_S, limit * count / float(self._whole.table.num_rows)))


def _parts(rows: PlacedRows, count: int, *, sure: bool = True) -> Iterator[_Part]:
    """The rows in so many parts, or in single ones where there are not more. `sure`: it was they that failed."""
    total = rows.table.num_rows
    ends = np.linspace(0, total, min(count, total) + 1).astype(int).tolist()
    cut = _Cut(len(ends) - 1, 0 if not sure else len(ends) - 1 if total <= count else 1)
    for start, stop in pairwise(ends):
        yield _Part(rows.part(start, stop), cut)
