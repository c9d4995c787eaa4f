"""The first pass of an apply: every fitted function learns from the whole data set. Called by `apply`.

For each fitted function the batches go through the functions before it, are fitted one by one, as many at once as there
are lanes, and the states are merged. Like all that a function makes, states are made twice: of some batches, and of all
merges, a second container with another hash seed must make the same, in another order, and of a batch from its halves.
Then the function is one of tables, which knows its state.
"""

import queue
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import NamedTuple

import pyarrow as pa

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import ApplyAuditFailed, DataError, SandboxError
from orchestrator.core.fitted import FIT, MERGE, LearntState
from orchestrator.core.jobs import GuestEnvironment, Program
from orchestrator.core.policy import LARGEST_ROWS
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Batch, Dataset
from orchestrator.data.hostile.states import state_table
from orchestrator.run.apply.column_match import refuse_unknown
from orchestrator.run.apply.function_runner import FunctionFailed, FunctionRunner
from orchestrator.run.apply.stored_schema import expected_schema
from orchestrator.run.apply.whose_fault import TwoWorkers
from orchestrator.run.apply.workers import BatchWorkers

ReadBatches = Callable[[], Iterator[Batch]]
"""Reads the data set once more, in the batches in which it is applied."""

MERGED_AT_ONCE = 16
FITTED_AGAIN = 8
"""One batch in so many, drawn at random, is fitted a second time, in two parts; so is the first one."""


def learn(
    read: ReadBatches,
    functions: Sequence[Promoted],
    access: SandboxAccess,
    *,
    dataset: Dataset,
    workers: int,
    max_failures: int,
) -> tuple[Promoted, ...]:
    """The functions, the fitted ones with what they learn of the data. Raises DataError, ApplyAuditFailed.

    Rows on which an earlier function fails are not learnt from; after `max_failures` in a batch, nor is its rest. Where
    there is no row, what is learnt is that of an empty table.
    `dataset`: what is read, for messages.
    """
    taught: list[Promoted] = []
    for function in functions:
        if function.candidate.contract.shape is Shape.FITTED:
            with (
                BatchWorkers(taught, access, workers, None) as pool,
                _Lesson(function, access, workers, dataset) as lesson,
            ):
                for batch, cleaned in pool.clean(read(), max_failures):
                    table = batch.table if cleaned is None else cleaned.table
                    if table is not None:
                        lesson.take(table)
                if not lesson.rows:  # it knows what it is to know of no row, and leaves everything
                    lesson.take(expected_schema(dataset, taught).empty_table())
                taught.append(function.model_copy(update={"learnt": lesson.state()}))
        else:
            taught.append(function)
    return tuple(taught)


def learnt_at_once(runner: FunctionRunner, function: Promoted, rows: pa.Table) -> LearntState:
    """What a fitted function learns of a sample, in tables no larger than those that it is proved on, unaudited.

    Raises FunctionFailed, SandboxError.
    """
    parts = [rows.slice(at, LARGEST_ROWS) for at in range(0, max(1, rows.num_rows), LARGEST_ROWS)]
    fit, merge = (Program.learning(function.candidate, part) for part in (FIT, MERGE))
    states = [runner.learn(function, fit, part.combine_chunks()) for part in parts]
    state = states[0] if len(states) == 1 else runner.learn(function, merge, state_table(*states))
    return LearntState.of(state, rows.num_rows)


class _Lesson(AbstractContextManager["_Lesson"]):
    """One function learns, several batches at once; their states are merged in the order of the batches."""

    def __init__(self, function: Promoted, access: SandboxAccess, lanes: int, dataset: Dataset) -> None:
        self._function = function
        self._dataset = dataset
        self._access = access
        self._threads = ThreadPoolExecutor(lanes, thread_name_prefix="learn")
        self._ahead = lanes + 1
        self._idle: queue.SimpleQueue[_Learner] = queue.SimpleQueue()
        self._all: list[_Learner] = []
        self._under_way: deque[Future[str]] = deque()
        self._draw = secrets.SystemRandom()
        self._states: list[str] = []
        self.rows = 0

    def take(self, table: pa.Table) -> None:
        """Learn from one batch, soon."""
        some = f"rows {self.rows + 1:,} to {self.rows + table.num_rows:,}"
        rows = some if table.num_rows else "a table without rows"
        again = not self.rows or self._draw.randrange(FITTED_AGAIN) == 0
        self._under_way.append(self._threads.submit(self._made, FIT, table, rows, again=again))
        self.rows += table.num_rows
        if len(self._under_way) > self._ahead:
            self._collect()

    def state(self) -> LearntState:
        """What was learnt of all batches, of which there is one at least."""
        while self._under_way:
            self._collect()
        return LearntState.of(self._merged(), self.rows)

    def __exit__(self, *_: object) -> None:
        self._close_learners()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._close_learners()

    def _close_learners(self) -> None:
        for one in self._all:
            one.close()

    def _collect(self) -> None:
        """Wait for the state of the batch that comes next."""
        self._states.append(self._under_way.popleft().result())
        if len(self._states) >= MERGED_AT_ONCE:
            self._states = [self._merged()]

    def _merged(self) -> str:
        if len(self._states) == 1:
            return self._states[0]
        states = state_table(*self._states)
        return self._threads.submit(self._made, MERGE, states, "the states of several batches", again=True).result()

    def _made(self, part: str, table: pa.Table, what: str, *, again: bool) -> str:
        try:
            learner = self._idle.get_nowait()
        except queue.Empty:
            learner = _Learner(self._function, self._access, self._dataset)
            self._all.append(learner)
        try:
            return learner.made(part, table, what, again=again)
        finally:
            self._idle.put(learner)


class _Learner:
    """Two containers of one function, in one thread at a time."""

    def __init__(self, function: Promoted, access: SandboxAccess, dataset: Dataset) -> None:
        self._function = function
        self._dataset = dataset
        self._runner = FunctionRunner(access, (function,))
        self._second = FunctionRunner(access, (function,), GuestEnvironment.CONFIRM)
        self._draw = secrets.SystemRandom()

    def close(self) -> None:
        """Destroy the containers, also from another thread."""
        self._runner.close()
        self._second.close()

    def made(self, part: str, table: pa.Table, what: str, *, again: bool) -> str:
        """The state of a batch or of states, made a second time of another order of them. Raises DataError."""
        program = Program.learning(self._function.candidate, part)
        try:
            made = self._runner.learn(self._function, program, table)
            if not again:
                return made
            self._second.not_on = self._runner.worker
            order = pa.array(self._draw.sample(range(table.num_rows), table.num_rows), pa.int64())
            mixed = table.take(order)
            second = self._made_again(part, program, mixed)
            if second.state == made:
                return made
        except FunctionFailed as failure:
            refuse_unknown(self._dataset, self._function, str(failure), table.column_names)
            raise DataError(
                f"{self._function.name} cannot learn from {what}: {failure}.",
                advice="Revoke the function: it does not fit this data.",
            ) from None
        stopped = ApplyAuditFailed(
            f"The audit stopped the apply: {self._function.name} learns one thing of {what} and another of the same in "
            f"another order{' and in two parts' if part == FIT else ''}, in a second container.",
            function=self._function.name,
            version=self._function.version,
            advice="Nothing was written. Revoke the function: what it learns depends on more than the rows.",
        )
        first = self._runner.worker
        raise TwoWorkers(
            first,
            second.workers,
            second,
            lambda worker: self._on(worker, part, program, mixed),
            lambda look: look.state == made,
            lambda one, other: one.state == other.state,
        ).blamed(stopped)

    def _on(self, worker: str, part: str, program: Program, table: pa.Table) -> "_Learnt":
        """The second look on that worker alone. Raises SandboxError where it cannot be taken there."""
        self._second.not_on, self._second.on = "", worker
        try:
            look = self._made_again(part, program, table)
        except FunctionFailed as failure:
            return _Learnt(f"{failure}", (worker,))  # no state: these are JSON
        finally:
            self._second.on = ""
        if look.workers != (worker,):
            raise SandboxError(f"The worker {worker} is not there any more.")
        return look

    def _made_again(self, part: str, program: Program, table: pa.Table) -> "_Learnt":
        """The state of states, or of the two halves of rows: a batch of many rows may be learnt from otherwise."""
        workers: dict[str, None] = {}

        def learnt(program: Program, rows: pa.Table) -> str:
            state = self._second.learn(self._function, program, rows)
            workers[self._second.worker] = None
            return state

        if part == MERGE or table.num_rows < 2:
            state = learnt(program, table)
        else:
            half = table.num_rows // 2
            parts = [learnt(program, rows) for rows in (table.slice(0, half), table.slice(half))]
            state = learnt(Program.learning(self._function.candidate, MERGE), state_table(*parts))
        return _Learnt(state, tuple(workers))


class _Learnt(NamedTuple):
    """A state, and the workers of a cluster that made it."""

    state: str
    workers: tuple[str, ...]
