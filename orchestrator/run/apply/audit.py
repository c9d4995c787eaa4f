"""Runs a random share of the rows once more, in a fresh container, and compares cell by cell. Called by `apply`.

A function is proved on a sample, and may behave otherwise on the whole data: on large tables, at some place, beside
some rows, after a date, now and then. So rows are drawn at random from every batch, mixed across batches, and run
again in a container like the one that confirms a verdict: other hash seed, time zone, locale and clock. Until all of
them came out as before, no file appears. What depends on a row's own values alone comes out equal: that is the gate's.
"""

import secrets
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.errors import ApplyAuditFailed
from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.cells import differing
from orchestrator.gate.judge.compare import shown_rows
from orchestrator.run.apply.bisect import Cleaned, clean
from orchestrator.run.apply.runner import FunctionRunner

ROWS_AT_ONCE = 1_600  # as many as every function is proved on
MAX_SHOWN = 3
_ADVICE = "Nothing was written. Revoke the function: it does not treat a row by what is in it alone."


@dataclass(frozen=True)
class _Drawn:
    """Rows of one batch: as they went in, which of them survived, and what these became."""

    source: pa.Table
    survived: Any
    result: pa.Table


class ApplyAudit(AbstractContextManager["ApplyAudit"]):
    """Draws rows, and runs them again on a thread of its own. Raises ApplyAuditFailed from `take` and `finish`."""

    def __init__(self, functions: Sequence[Promoted], access: SandboxAccess) -> None:
        self._functions = functions
        self._access = access
        self._draw = secrets.SystemRandom()
        self._drawn: list[_Drawn] = []
        self._waiting = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="audit")
        self._under_way: Future[None] | None = None
        self._runner: FunctionRunner | None = None

    def take(self, source: pa.Table, cleaned: Cleaned) -> None:
        """Draw from one batch. `source`: what the functions were given; `cleaned.rows` are places in it."""
        if cleaned.table is None or not self._functions:
            return
        failed = {row.row for row in cleaned.failed}
        audit = self._access.audit
        count = min(source.num_rows, max(audit.rows, round(audit.share * source.num_rows)))
        rows = [row for row in self._draw.sample(range(source.num_rows), count) if row not in failed]
        place = np.full(source.num_rows, -1, dtype=np.int64)
        place[cleaned.rows] = np.arange(len(cleaned.rows))
        places = place[np.asarray(rows, dtype=np.int64)]
        kept = places[places >= 0]
        self._drawn.append(_Drawn(source.take(rows), places >= 0, cleaned.table.take(kept)))
        self._waiting += len(rows)
        if self._waiting >= ROWS_AT_ONCE:
            self._begin()

    def finish(self) -> None:
        """Wait until every drawn row was run again."""
        if self._drawn:
            self._begin()
        self._end()

    def __exit__(self, *_: object) -> None:
        if self._runner is not None:
            self._runner.close()
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _begin(self) -> None:
        self._end()
        drawn, self._drawn, self._waiting = self._drawn, [], 0
        self._under_way = self._thread.submit(self._run, drawn)

    def _end(self) -> None:
        if self._under_way is not None:
            self._under_way.result()

    def _run(self, drawn: Sequence[_Drawn]) -> None:
        source = pa.concat_tables([one.source for one in drawn], promote_options="permissive")
        order = self._draw.sample(range(source.num_rows), source.num_rows)
        self._runner = FunctionRunner(self._access, self._functions, environment=GuestEnvironment.CONFIRM)
        try:
            again = clean(self._runner, source.take(order), max_failures=1)
        finally:
            self._runner.close()
        self._compare(drawn, np.asarray(order, dtype=np.int64), again)

    def _compare(self, drawn: Sequence[_Drawn], order: Any, again: Cleaned) -> None:
        if again.failed:
            row, where = int(order[again.failed[0].row]), again.failed[0]
            raise _failure([where.function], "fails on a row that it took before", _input(drawn, row), where.reason)
        place = np.full(len(order), -1, dtype=np.int64)  # of every drawn row in the second result
        place[order[again.rows]] = np.arange(len(again.rows))
        start = 0
        for one in drawn:
            places = place[start : start + len(one.survived)]
            if (other := np.flatnonzero((places >= 0) != one.survived)).size:
                shown = shown_rows(one.source, other[:MAX_SHOWN].tolist())
                dropping = [f.name for f in self._functions if f.candidate.contract.drops_rows]
                raise _failure(dropping, "drops a row the one time and keeps it the other", shown, "")
            if again.table is not None and one.result.num_rows:
                self._cells(one, again.table.take(places[places >= 0]))
            start += len(one.survived)

    def _cells(self, one: _Drawn, result: pa.Table) -> None:
        source = one.source.filter(pa.array(one.survived))
        for name in one.result.column_names:
            mask = differing(one.result.column(name), result.column(name))
            if mask is None:
                continue
            rows = np.flatnonzero(mask.to_numpy(zero_copy_only=False))[:MAX_SHOWN].tolist()
            before, after = (shown_rows(table.select([name]), rows) for table in (one.result, result))
            raise _failure(
                [f.name for f in self._functions if _may_change(f, name)],
                f"makes one thing of a row in its batch and another among other rows, in the column {name[:60]!r}",
                shown_rows(source, rows, [name]),
                "; ".join(f"{x[name]!r}, then {y[name]!r}" for x, y in zip(before, after, strict=True)),
            )


def _may_change(function: Promoted, column: str) -> bool:
    contract = function.candidate.contract
    return contract.modifies is None or column in (*contract.modifies, *contract.adds)


def _input(drawn: Sequence[_Drawn], row: int) -> Any:
    whole = pa.concat_tables([one.source for one in drawn], promote_options="permissive")
    return shown_rows(whole, [row])


def _failure(names: Sequence[str], what: str, rows: Any, detail: str) -> ApplyAuditFailed:
    who = " or ".join(names) or "a function"
    made = f" ({detail})" if detail else ""
    return ApplyAuditFailed(f"The audit stopped the apply: {who} {what}{made}. Rows: {list(rows)}.", advice=_ADVICE)
