"""Rows that the audit has drawn, what a function makes of them a second time, and how both are compared."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.errors import ApplyAuditFailed
from orchestrator.core.promoted import Promoted
from orchestrator.data.cells import differing
from orchestrator.gate.judge.compare import shown_rows

MOST_TABLES = 8  # each costs a process: where the evidence has few rows, the last one has all that are left
MAX_SHOWN = 3
_ADVICE = "Nothing was written. Revoke the function: it does not treat a row by what is in it alone."


@dataclass(frozen=True)
class DrawnRows:
    """Rows that one function was given: as they went in, which of them survived, and what these became.

    `worker`: of a cluster, that made it.
    """

    source: pa.Table
    survived: Any
    result: pa.Table
    worker: str

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return int(self.source.nbytes + self.result.nbytes)


@dataclass(frozen=True)
class SecondLook:
    """What became of a task's rows, by their places in its tables: those in the result, or the first that failed.

    `workers`: of a cluster, that made it.
    """

    workers: tuple[str, ...]
    rows: Any = ()
    result: pa.Table | None = None
    failed: tuple[int, str] | None = None

    def same_as(self, other: "SecondLook") -> bool:
        """Whether another look at the same tables made the same."""
        if self.failed is not None or other.failed is not None:
            return self.failed == other.failed
        if not np.array_equal(self.rows, other.rows) or self.result is None or other.result is None:
            return np.array_equal(self.rows, other.rows) and self.result is other.result
        mine, others = self.result, other.result
        masks = (differing(mine.column(name), others.column(name)) for name in mine.column_names)
        return mine.column_names == others.column_names and all(mask is None for mask in masks)


@dataclass(frozen=True)
class RowsAgain:
    """Drawn rows of one function, all made by one worker, in another order and in tables as small as the judge's.

    `places[i]`: the place among the drawn rows of row i of the tables.
    """

    function: Promoted
    drawn: Sequence[DrawnRows]
    places: Any
    tables: list[pa.Table]

    @classmethod
    def of(cls, function: Promoted, drawn: Sequence[DrawnRows], draw: secrets.SystemRandom) -> "RowsAgain":
        source = pa.concat_tables([one.source for one in drawn], promote_options="permissive")
        order = draw.sample(range(source.num_rows), source.num_rows)
        return cls(function, drawn, np.asarray(order, dtype=np.int64), _tables(function, source.take(order)))

    def compare(self, look: SecondLook) -> None:
        """Hold the second look against the first. Raises ApplyAuditFailed."""
        if look.failed is None:
            _compare(self.function, self.drawn, self.places, look.rows, look.result)
            return
        row, reason = look.failed
        source = pa.concat_tables(self.tables, promote_options="permissive")
        raise _failure(self.function, "fails on a row that it took before", shown_rows(source, [row]), reason)

    def agrees(self, look: SecondLook) -> bool:
        try:
            self.compare(look)
        except ApplyAuditFailed:
            return False
        return True


def _tables(function: Promoted, table: pa.Table) -> list[pa.Table]:
    """The rows in tables of at most half as many rows as the evidence has: the judge gave it one at least as large.

    The last of `MOST_TABLES` has all rows that are left.
    """
    effects = function.evidence.verdict.effects
    most = table.num_rows
    if effects is not None and not function.candidate.contract.shape.by_row:
        most = max(1, effects.rows // 2)
    starts = list(range(0, table.num_rows, max(1, most)))[:MOST_TABLES]
    ends = [*starts[1:], table.num_rows]
    return [table.slice(start, end - start) for start, end in zip(starts, ends, strict=True)]


def _compare(function: Promoted, drawn: Sequence[DrawnRows], order: Any, rows: Any, again: pa.Table | None) -> None:
    """Hold the second result against the first; `rows`: which of the mixed rows are in it."""
    place = np.full(len(order), -1, dtype=np.int64)  # of every drawn row in the second result
    place[order[rows]] = np.arange(len(rows))
    start = 0
    for one in drawn:
        places = place[start : start + len(one.survived)]
        if (other := np.flatnonzero((places >= 0) != one.survived)).size:
            shown = shown_rows(one.source, other[:MAX_SHOWN].tolist())
            raise _failure(function, "drops a row the one time and keeps it the other", shown, "")
        if again is not None and one.result.num_rows:
            _compare_cells(function, one, again.take(places[places >= 0]))
        start += len(one.survived)


def _compare_cells(function: Promoted, one: DrawnRows, result: pa.Table) -> None:
    source = one.source.filter(pa.array(one.survived))
    for name in one.result.column_names:
        mask = differing(one.result.column(name), result.column(name))
        if mask is None:
            continue
        rows = np.flatnonzero(mask.to_numpy(zero_copy_only=False))[:MAX_SHOWN].tolist()
        before, after = (shown_rows(table.select([name]), rows) for table in (one.result, result))
        raise _failure(
            function,
            f"makes one thing of a row in its batch and another among other rows, in the column {name[:60]!r}",
            shown_rows(source, rows, [name]),
            "; ".join(f"{x[name]!r}, then {y[name]!r}" for x, y in zip(before, after, strict=True)),
        )


def _failure(function: Promoted, what: str, rows: Any, detail: str) -> ApplyAuditFailed:
    made = f" ({detail})" if detail else ""
    message = f"The audit stopped the apply: {function.name} {what}{made}. Rows: {list(rows)}."
    return ApplyAuditFailed(message, function=function.name, version=function.version, advice=_ADVICE)
