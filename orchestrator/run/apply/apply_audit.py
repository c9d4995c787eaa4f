"""Runs a random share of the rows once more, in a fresh container, and compares cell by cell. Called by `apply`.

A function is proved on a sample, and may behave otherwise on the whole data: on large tables, at some place, beside
some rows, now and then. So rows are drawn at random from every table that a function is given, mixed
across batches, and the same function runs on them again in a container like the one that confirms a verdict: other hash
seed, time zone, locale and clock, and in a cluster on another worker than before. They run in tables with fewer rows
than one that the judge saw: a larger one could show a function as much of the file as its batch did, and not come out
otherwise. Until all of them came out as before, no file appears. What depends on a row's own values alone comes out
equal: that is the gate's.
"""

import secrets
import threading
from collections.abc import Iterable, Iterator, Sequence
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
from orchestrator.data.formats import Batch
from orchestrator.data.record_tables import is_records
from orchestrator.gate.judge.compare import shown_rows
from orchestrator.run.apply.clean_table import clean
from orchestrator.run.apply.function_runner import FunctionRunner
from orchestrator.run.rows.contract import CheckedBatch

ROWS_AT_ONCE = 1_600  # as many as every function is proved on
BYTES_AT_ONCE = 64 * 2**20  # of all functions: rows may be long, and what is drawn is kept in memory until then
MOST_TABLES = 8  # each costs a process: where the evidence has few rows, the last one has all that are left
MAX_SHOWN = 3
_ADVICE = "Nothing was written. Revoke the function: it does not treat a row by what is in it alone."


@dataclass(frozen=True)
class _Drawn:
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


class ApplyAudit(AbstractContextManager["ApplyAudit"]):
    """Draws rows, and runs them again on a thread of its own. Raises ApplyAuditFailed from `take` and `finish`.

    It waits until so many rows are drawn, or so many bytes, that another job is worth it; once all data is read, until
    the functions are done with it: one more job costs more than it would be ahead. What they made last is written
    meanwhile. Where all data is one batch there is nothing to wait for: what one function made is run again while the
    next one works.
    """

    def __init__(self, functions: Sequence[Promoted], access: SandboxAccess) -> None:
        self._functions = functions
        self._share = access.audit
        self._draw = secrets.SystemRandom()
        self._lock = threading.Lock()
        self._drawn: list[list[_Drawn]] = [[] for _ in functions]
        self._at_once = False
        self._batches: int | None = None  # how many there are, once all data is read
        self._made = 0  # batches that the last function is done with
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="audit")
        self._under_way: list[Future[None]] = []
        self._runner = FunctionRunner(access, functions, GuestEnvironment.CONFIRM, detect=True)

    def watching(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """The same batches; where it was only one, nothing waits any longer."""
        count = 0
        for batch in batches:
            count += 1
            yield batch
        with self._lock:
            self._batches = count
            done = self._made_of_several
        if done:
            self._begin(least=1)
        if count == 1 and len(self._functions) > 1:
            self._at_once = True
            self._begin(least=1)

    def take(self, number: int, made: Sequence[CheckedBatch]) -> None:
        """Draw from what a function was given of one batch. From any thread."""
        drawn = [self._some(batch) for batch in made]
        more_to_come = number + 1 < len(self._functions)  # after the last one, containers are given back first
        with self._lock:
            self._drawn[number] += drawn
            self._made += not more_to_come
            all_read, done = self._batches is not None, self._made_of_several
        if done or (self._at_once and more_to_come):
            self._begin(least=1)
        elif not all_read:
            self._begin(least=ROWS_AT_ONCE)

    @property
    def _made_of_several(self) -> bool:
        """Whether the functions are done with all of several batches."""
        return self._made == self._batches and self._made > 1

    def finish(self) -> None:
        """Wait until every drawn row was run again."""
        self._begin(least=1)
        for one in self._under_way:
            one.result()

    def __exit__(self, *_: object) -> None:
        self._runner.close()
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._runner.close()

    def _some(self, batch: CheckedBatch) -> _Drawn:
        given = batch.source.num_rows
        count = min(given, max(self._share.rows, round(self._share.share * given)))
        rows = np.random.default_rng(self._draw.getrandbits(128)).choice(given, count, replace=False)
        place = np.full(given, -1, dtype=np.int64)
        place[batch.rows] = np.arange(len(batch.rows))
        places = place[rows]
        return _Drawn(batch.source.take(rows), places >= 0, batch.table.take(places[places >= 0]), batch.worker)

    def _begin(self, least: int) -> None:
        """Run what was drawn again, if it is enough. Nobody gets further ahead of the audit than by one such run."""
        with self._lock:
            rows = max((sum(len(one.survived) for one in drawn) for drawn in self._drawn), default=0)
            if rows < least and sum(one.size for drawn in self._drawn for one in drawn) < BYTES_AT_ONCE:
                return
            drawn, self._drawn = self._drawn, [[] for _ in self._functions]
            before = [] if self._at_once else self._under_way
            kept = self._under_way if self._at_once else []
            self._under_way = [*kept, self._thread.submit(self._run, drawn)]
        for one in before:
            one.result()

    def _run(self, drawn: Sequence[Sequence[_Drawn]]) -> None:
        for worker in dict.fromkeys(one.worker for own in drawn for one in own):
            self._runner.not_on = worker
            each = zip(self._functions, drawn, strict=True)
            of_worker = ((function, [one for one in own if one.worker == worker]) for function, own in each)
            self._run_again([(function, own) for function, own in of_worker if own])

    def _run_again(self, drawn: Sequence[tuple[Promoted, Sequence[_Drawn]]]) -> None:
        """All drawn rows of each function in another order, in tables as small as the judge's; all in one job."""
        sources = [pa.concat_tables([one.source for one in own], promote_options="permissive") for _, own in drawn]
        orders = [self._draw.sample(range(source.num_rows), source.num_rows) for source in sources]
        given = [
            (function, table)
            for (function, _), source, order in zip(drawn, sources, orders, strict=True)
            for table in _tables(function, source.take(order))
        ]
        begun: Sequence[CheckedBatch | None] = [None] * len(given)
        if len(given) > 1 and not any(is_records(table) for _, table in given):
            begun = self._runner.run_each(given)
        each = iter(zip(given, begun, strict=True))
        for (function, own), source, order in zip(drawn, sources, orders, strict=True):
            places, start, made = np.asarray(order, dtype=np.int64), 0, []
            while start < source.num_rows:
                (_, table), whole = next(each)
                begun_with = () if whole is None else (whole,)
                again = clean(self._runner, table, max_failures=1, functions=(function,), begun=begun_with)
                if again.failed:
                    row = start + again.failed[0].row
                    shown = shown_rows(source, [int(places[row])])
                    raise _failure(function, "fails on a row that it took before", shown, again.failed[0].reason)
                made.append((again.rows + start, again.table))
                start += table.num_rows
            rows = np.concatenate([each_rows for each_rows, _ in made])
            tables = [table for _, table in made if table is not None]
            result = pa.concat_tables(tables, promote_options="permissive") if tables else None
            _compare(function, own, places, rows, result)


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


def _compare(function: Promoted, drawn: Sequence[_Drawn], order: Any, rows: Any, again: pa.Table | None) -> None:
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


def _compare_cells(function: Promoted, one: _Drawn, result: pa.Table) -> None:
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
