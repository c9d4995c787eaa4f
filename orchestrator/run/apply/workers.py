"""The threads that clean batches side by side, each with a container of its own. Called by `apply`."""

import queue
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import NamedTuple

from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Batch, Dataset
from orchestrator.data.record_rows import as_rows, records_of_batch
from orchestrator.run.apply.bisect import Cleaned, OnMade, clean
from orchestrator.run.apply.runner import FunctionRunner


class _Job(NamedTuple):
    batch: Batch
    future: "Future[Cleaned] | None"


class BatchWorkers(AbstractContextManager["BatchWorkers"]):
    """Threads with a container each, which is made when there is work for it.

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
        self._idle: queue.SimpleQueue[FunctionRunner] = queue.SimpleQueue()
        self._all: list[FunctionRunner] = []
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="apply")
        self._ahead = workers + 1
        self._records_of = records_of
        self._on_made = on_made

    def clean(self, batches: Iterator[Batch], max_failures: int) -> Iterator[tuple[Batch, Cleaned | None]]:
        """Every batch with what became of it, in order; None when there is no function.

        After the last one the containers are given back: they go away while the audit runs.
        """
        under_way: deque[_Job] = deque()
        for batch in batches:
            future = None
            if self._functions:
                future = self._threads.submit(self._clean, batch, max_failures)
            under_way.append(_Job(batch, future))
            if len(under_way) > self._ahead:
                yield self._finish(under_way.popleft())
        while under_way:
            yield self._finish(under_way.popleft())
        self._close_runners()

    def __exit__(self, *_: object) -> None:
        self._close_runners()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._close_runners()

    def _close_runners(self) -> None:
        for runner in self._all:
            runner.close()

    def _finish(self, job: _Job) -> tuple[Batch, Cleaned | None]:
        return job.batch, None if job.future is None else job.future.result()

    def _clean(self, batch: Batch, max_failures: int) -> Cleaned:
        try:
            runner = self._idle.get_nowait()
        except queue.Empty:
            runner = FunctionRunner(self._access, self._functions, detect=True)
            self._all.append(runner)
        try:
            if self._records_of is None:
                return clean(runner, batch.table, max_failures=max_failures, give_up=True, on_made=self._on_made)
            records = records_of_batch(batch, self._records_of)
            cleaned = clean(runner, records, max_failures=max_failures, give_up=True, on_made=self._on_made)
            if cleaned.table is None:
                return cleaned
            before, source = records.take(cleaned.rows), batch.table.take(cleaned.rows)
            rows = as_rows(before, cleaned.table, source)
            return replace(cleaned, table=rows, records=(before, cleaned.table))
        finally:
            self._idle.put(runner)
