"""Runs promoted functions on one table in a sandbox and finds the rows on which they fail. For apply and residual.

One batch is one child of one job: all functions in order. When that fails, the batch is cut in two, and again, until
the failing rows stand alone; a row is then tried with the first function, the first two, and so on, which names the
function at fault. What fails only because a batch is large succeeds once it is small.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.jobs import Case, Child, ChildResult, Ended, GuestEnvironment, Job, Limits, Op, Program
from orchestrator.core.ports import Disposable, Sandbox, SandboxSession
from orchestrator.core.promoted import Promoted
from orchestrator.data.hostile.entry import json_request, read_decoded
from orchestrator.data.hostile.errors import HostileOutput
from orchestrator.data.hostile.frames import write_table
from orchestrator.data.records import is_records, lines_of
from orchestrator.run.apply.contract import CheckedBatch, ContractBroken, Expected, check_batch, check_records

_ATTEMPTS = 64  # per batch, and for each failing row found as many again as finding it may take
_ATTEMPTS_PER_ROW = 40
_TRIES = 3  # the machinery may break twice before it is in trouble
_ENDINGS = {
    Ended.TIMEOUT: "they ran longer than {limits.wall_s:g} s",
    Ended.MEMORY: "they needed more memory than allowed",
    Ended.OUTPUT_LIMIT: "they wrote more than {limits.output_bytes} bytes",
    Ended.KILLED: "their process was killed or ended itself",
    Ended.PROTOCOL: "they wrote what is no result",
}


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


class _Failure(Exception):
    """The functions failed on this table, for a reason that is no fault of the machinery."""


@dataclass
class Lane:
    """One container that works through batches, replaced when it breaks. Not for several threads at once."""

    functions: Sequence[Promoted]
    sandbox: Sandbox
    decoder: Disposable
    limits: Limits = field(default_factory=Limits)
    _stack: ExitStack = field(default_factory=ExitStack)
    _session: SandboxSession | None = None
    _flavour: GuestEnvironment = GuestEnvironment.FIRST
    _stopped: bool = False

    def clean(self, table: pa.Table, *, max_failures: int) -> Cleaned:
        """Apply all functions to the table; stops to look for failing rows after `max_failures` of them."""
        return _Bisection(self, table, max_failures).result()

    def close(self) -> None:
        """Destroy the container, also from another thread: what it is working on then ends with SandboxError."""
        self._stopped = True
        self._drop_session()

    def _drop_session(self) -> None:
        self._stack.close()
        self._session = None

    def attempt(self, table: pa.Table, functions: Sequence[Promoted], wall_s: float) -> tuple[CheckedBatch, Any]:
        """The functions on the whole table, once. Raises _Failure; SandboxError when the machinery stays broken."""
        limits = self.limits.model_copy(update={"wall_s": wall_s})
        records = is_records(table)
        child = Child((Case("batch", lines_of(table) if records else write_table(table), (Op.F,)),), limits)
        programs = tuple(Program.of(function.candidate) for function in functions)
        flavour = GuestEnvironment.FIRST.lightened(light=all(program.light for program in programs))
        result = self._run(Job(programs, (child,), flavour))
        if result.ended is not Ended.OK:
            raise _Failure(_ENDINGS[result.ended].format(limits=limits))
        try:
            answer = self.decoder.call(json_request(result.output) if records else result.output)
            decoded = read_decoded(answer, table)
            if decoded.table is None:
                raise _Failure(decoded.error)
            expected = Expected.of(table.column_names, [f.candidate.contract for f in functions])
            if records:
                return check_records(table, decoded.table, expected), decoded.changed
            return check_batch(table, decoded.table, expected, decoded.same), decoded.changed
        except (HostileOutput, DisposableDied, ContractBroken) as error:
            raise _Failure(str(error)) from None

    def _run(self, job: Job) -> ChildResult:
        for attempt in range(_TRIES):
            try:
                if self._session is not None and job.flavour is not self._flavour:
                    self._drop_session()
                if self._session is None:
                    self._session = self._stack.enter_context(self.sandbox.session(job.flavour))
                    self._flavour = job.flavour
                return self._session.run(job).children[0]
            except SandboxError as error:
                self._drop_session()
                if self._stopped or not error.temporary or attempt == _TRIES - 1:
                    raise
        raise AssertionError  # the loop returns or raises


class _Bisection:
    def __init__(self, lane: Lane, table: pa.Table, max_failures: int) -> None:
        self._lane = lane
        self._whole = table
        self._max_failures = max_failures
        self._parts: list[tuple[CheckedBatch, int]] = []
        self._by_function: list[dict[str, int]] = [{} for _ in lane.functions]
        self._failed: list[FailedRow] = []
        self._attempts = 0
        self._hopeless = False

    def result(self) -> Cleaned:
        self._solve(0, self._whole.num_rows)
        changed: dict[str, int] = {}
        for part, _ in self._parts:
            _add(changed, part.changed)
        if len(self._lane.functions) == 1:
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
            part, by_function = self._lane.attempt(table, self._lane.functions, self._wall(count))
        except _Failure as failure:
            self._hopeless = self._attempts > _ATTEMPTS + _ATTEMPTS_PER_ROW * len(self._failed)
            if not count:
                return
            if count == 1 or self._hopeless:
                self._failed.append(self._blame(start, table, str(failure)))
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
        limit = self._lane.limits.wall_s
        return limit if count == self._whole.num_rows else min(limit, max(2.0, limit * count / self._whole.num_rows))

    def _blame(self, row: int, table: pa.Table, reason: str) -> FailedRow:
        functions = self._lane.functions
        for number in range(1, len(functions)):
            try:
                self._lane.attempt(table, functions[:number], self._wall(1))
            except _Failure as failure:
                return FailedRow(row, functions[number - 1].name, str(failure))
        return FailedRow(row, functions[-1].name, reason)


def _add(total: dict[str, int], counts: dict[str, int]) -> None:
    for name, count in counts.items():
        total[name] = total.get(name, 0) + count
