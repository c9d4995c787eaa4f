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

import numpy as np
import pyarrow as pa

from orchestrator.core.errors import ApplyAuditFailed, SandboxError
from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Batch
from orchestrator.data.record_tables import is_records
from orchestrator.run.apply.clean_table import clean
from orchestrator.run.apply.drawn_rows import DrawnRows, RowsAgain, SecondLook
from orchestrator.run.apply.function_runner import FunctionRunner
from orchestrator.run.apply.whose_fault import TwoWorkers
from orchestrator.run.rows.contract import CheckedBatch

ROWS_AT_ONCE = 1_600  # as many as every function is proved on
BYTES_AT_ONCE = 64 * 2**20  # of all functions: rows may be long, and what is drawn is kept in memory until then


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
        self._drawn: list[list[DrawnRows]] = [[] for _ in functions]
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

    def _some(self, batch: CheckedBatch) -> DrawnRows:
        given = batch.source.num_rows
        count = min(given, max(self._share.rows, round(self._share.share * given)))
        rows = np.random.default_rng(self._draw.getrandbits(128)).choice(given, count, replace=False)
        place = np.full(given, -1, dtype=np.int64)
        place[batch.rows] = np.arange(len(batch.rows))
        places = place[rows]
        return DrawnRows(batch.source.take(rows), places >= 0, batch.table.take(places[places >= 0]), batch.worker)

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

    def _run(self, drawn: Sequence[Sequence[DrawnRows]]) -> None:
        for worker in dict.fromkeys(one.worker for own in drawn for one in own):
            self._runner.not_on = worker
            each = zip(self._functions, drawn, strict=True)
            of_worker = ((function, [one for one in own if one.worker == worker]) for function, own in each)
            self._run_again([(function, own) for function, own in of_worker if own])

    def _run_again(self, drawn: Sequence[tuple[Promoted, Sequence[DrawnRows]]]) -> None:
        """All drawn rows of each function in another order, in tables as small as the judge's; all in one job."""
        tasks = [RowsAgain.of(function, own, self._draw) for function, own in drawn]
        given = [(task.function, table) for task in tasks for table in task.tables]
        begun: Sequence[CheckedBatch | None] = [None] * len(given)
        if len(given) > 1 and not any(is_records(table) for _, table in given):
            begun = self._runner.run_each(given)
        each = iter(begun)
        for task in tasks:
            look = self._look(task, [next(each) for _ in task.tables])
            try:
                task.compare(look)
            except ApplyAuditFailed as stopped:
                raise self._whose_fault(task, look).blamed(stopped) from None

    def _look(self, task: RowsAgain, begun: Sequence[CheckedBatch | None]) -> SecondLook:
        """What the function makes of the tables. `begun`: what it made of some already."""
        start, made, workers = 0, [], dict[str, None]()
        for table, whole in zip(task.tables, begun, strict=True):
            begun_with = () if whole is None else (whole,)
            again = clean(self._runner, table, max_failures=1, functions=(task.function,), begun=begun_with)
            workers[self._runner.worker if whole is None else whole.worker] = None
            if again.failed:
                return SecondLook(tuple(workers), failed=(start + again.failed[0].row, again.failed[0].reason))
            made.append((again.rows + start, again.table))
            start += table.num_rows
        tables = [table for _, table in made if table is not None]
        result = pa.concat_tables(tables, promote_options="permissive") if tables else None
        return SecondLook(tuple(workers), np.concatenate([np.zeros(0, int), *(rows for rows, _ in made)]), result)

    def _whose_fault(self, task: RowsAgain, second: SecondLook) -> TwoWorkers[SecondLook]:
        def again(worker: str) -> SecondLook:
            not_on, self._runner.not_on, self._runner.on = self._runner.not_on, "", worker
            try:
                look = self._look(task, [None] * len(task.tables))
            finally:
                self._runner.not_on, self._runner.on = not_on, ""
            if look.workers != (worker,):
                raise SandboxError(f"The worker {worker} is not there any more.")
            return look

        first = task.drawn[0].worker
        return TwoWorkers(first, second.workers, second, again, task.agrees, SecondLook.same_as)
