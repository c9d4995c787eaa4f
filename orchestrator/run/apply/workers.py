"""The threads that clean batches side by side, two for each container. Called by `apply`.

A thread takes several batches at once where they are small and done quickly: each job has its price.
"""

import queue
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from time import monotonic
from typing import NamedTuple

from orchestrator.core.policy import LARGEST_BYTES, TABLES_OF_A_PROCESS
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Batch, Dataset
from orchestrator.data.record_rows import as_rows, records_of_batch
from orchestrator.run.apply.batch_grouping import begin
from orchestrator.run.apply.clean_table import Cleaned, OnMade, clean
from orchestrator.run.apply.function_runner import FunctionRunner

MOST_AT_ONCE = TABLES_OF_A_PROCESS
_THREADS = 2  # for each container: what came back is decoded and checked while the next job is in there
_QUICK_S = 3.0  # a job that takes longer gets fewer batches: all of them share the time that a job may take


class _Job(NamedTuple):
    """`future`: None where there is no function."""

    batches: list[Batch]
    future: "Future[list[Cleaned]] | None"

    def cleaned(self) -> Iterator[tuple[Batch, Cleaned | None]]:
        cleaned = [None] * len(self.batches) if self.future is None else self.future.result()
        return zip(self.batches, cleaned, strict=True)


class BatchWorkers(AbstractContextManager["BatchWorkers"]):
    """Threads, of which two share a container, which is made when there is work for it.

    `records_of`: the data set, where the functions work on records of it. `on_made` is called from these threads.
    """

    def __init__(
        self,
        functions: Sequence[Promoted],
        access: SandboxAccess,
        workers: int,
        records_of: Dataset | None,
        on_made: OnMade | None = None,
    ) -> None:
        self._functions = functions
        self._access = access
        self._all = [FunctionRunner(access, functions, detect=True) for _ in range(workers)]
        self._idle: queue.SimpleQueue[FunctionRunner] = queue.SimpleQueue()
        for runner in self._all * _THREADS:
            self._idle.put(runner)
        self._threads = ThreadPoolExecutor(_THREADS * workers, thread_name_prefix="apply")
        self._ahead = workers + 1
        self._at_once = MOST_AT_ONCE
        self._records_of = records_of
        self._on_made = on_made

    def clean(self, batches: Iterator[Batch], max_failures: int) -> Iterator[tuple[Batch, Cleaned | None]]:
        """Every batch with what became of it, in order; None when there is no function.

        After the last one the containers are given back: they go away while the audit runs.
        """
        under_way: deque[_Job] = deque()
        for group in self._groups(batches):
            future = None
            if self._functions:
                future = self._threads.submit(self._clean, group, max_failures)
            under_way.append(_Job(group, future))
            if len(under_way) > self._ahead:
                yield from under_way.popleft().cleaned()
        while under_way:
            yield from under_way.popleft().cleaned()
        self._close_runners()

    def _groups(self, batches: Iterator[Batch]) -> Iterator[list[Batch]]:
        """As many batches as one job gets, but no more bytes than the largest batch may have."""
        group: list[Batch] = []
        size = 0
        for batch in batches:
            own = batch.table.nbytes
            if group and size + own > LARGEST_BYTES:
                yield group
                group, size = [], 0
            group.append(batch)
            size += own
            if len(group) >= self._at_once:
                yield group
                group, size = [], 0
        if group:
            yield group

    def __exit__(self, *_: object) -> None:
        self._close_runners()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._close_runners()

    def _close_runners(self) -> None:
        for runner in self._all:
            runner.close()

    def _clean(self, batches: list[Batch], max_failures: int) -> list[Cleaned]:
        runner = self._idle.get()
        try:
            if self._records_of is not None:
                return [self._clean_records(runner, batch, self._records_of, max_failures) for batch in batches]
            started = monotonic()
            begun = begin(runner, [batch.table for batch in batches])
            quick = monotonic() - started < _QUICK_S
            self._at_once = min(MOST_AT_ONCE, 2 * len(batches)) if quick else max(1, len(batches) // 2)
            return [
                clean(runner, batch.table, max_failures=max_failures, give_up=True, on_made=self._on_made, begun=made)
                for batch, made in zip(batches, begun, strict=True)
            ]
        finally:
            self._idle.put(runner)

    def _clean_records(self, runner: FunctionRunner, batch: Batch, source: Dataset, max_failures: int) -> Cleaned:
        records = records_of_batch(batch, source)
        cleaned = clean(runner, records, max_failures=max_failures, give_up=True, on_made=self._on_made)
        if cleaned.table is None:
            return cleaned
        before, rows = records.take(cleaned.rows), batch.table.take(cleaned.rows)
        made = as_rows(before, cleaned.table, rows)
        return replace(cleaned, table=made, records=(before, cleaned.table))
