"""Runs promoted functions on a table, all of them in order, in a container that is used again. Called by `bisect`.

What comes out is decoded in a disposable process and held to the functions' contracts before anybody uses it.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.jobs import Case, Child, ChildResult, Ended, GuestEnvironment, Job, Op, Program
from orchestrator.core.ports import SandboxAccess, SandboxSession
from orchestrator.core.promoted import Promoted
from orchestrator.data.hostile.entry import json_request, read_decoded
from orchestrator.data.hostile.errors import HostileOutput
from orchestrator.data.hostile.frames import write_table
from orchestrator.data.records import is_records, lines_of
from orchestrator.run.apply.contract import CheckedBatch, ContractBroken, Expected, check_batch, check_records

_TRIES = 3  # infrastructure may fail twice before the run is stopped
_ENDINGS = {
    Ended.TIMEOUT: "they ran longer than {limits.wall_s:g} s",
    Ended.MEMORY: "they needed more memory than allowed",
    Ended.OUTPUT_LIMIT: "they wrote more than {limits.output_bytes} bytes",
    Ended.KILLED: "their process was killed or ended itself",
    Ended.PROTOCOL: "they wrote something that is not a result",
}


class FunctionsFailed(Exception):
    """The functions failed on a table, for a reason that is not the infrastructure's; the message is a clause."""


@dataclass
class FunctionRunner:
    """A container for promoted functions, made when it is needed and replaced when it breaks. For one thread."""

    access: SandboxAccess
    functions: Sequence[Promoted] = ()
    environment: GuestEnvironment = GuestEnvironment.FIRST
    _stack: ExitStack = field(default_factory=ExitStack)
    _session: SandboxSession | None = None
    _stopped: bool = False

    def run(self, table: pa.Table, functions: Sequence[Promoted], wall_s: float) -> tuple[CheckedBatch, Any]:
        """The functions on the whole table, once, in at most `wall_s` seconds; and cells changed, by function.

        Raises FunctionsFailed; SandboxError when the infrastructure keeps failing.
        """
        limits = self.access.limits.model_copy(update={"wall_s": wall_s})
        records = is_records(table)
        child = Child((Case("", lines_of(table) if records else write_table(table), (Op.F,)),), limits)
        programs = tuple(Program.of(function.candidate) for function in functions)
        environment = self.environment.lightened(light=all(program.light for program in programs))
        result = self._run(Job(programs, (child,), environment))
        if result.ended is not Ended.OK:
            raise FunctionsFailed(_ENDINGS[result.ended].format(limits=limits))
        try:
            answer = self.access.decoder.call(json_request(result.output) if records else result.output)
            decoded = read_decoded(answer, table)
            if decoded.table is None:
                raise FunctionsFailed(decoded.error)
            expected = Expected.of(table.column_names, [f.candidate.contract for f in functions])
            if records:
                return check_records(table, decoded.table, expected), decoded.changed
            return check_batch(table, decoded.table, expected, decoded.same), decoded.changed
        except (HostileOutput, DisposableDied, ContractBroken) as error:
            raise FunctionsFailed(str(error)) from None

    def close(self) -> None:
        """Destroy the container, also from another thread: what it is working on then ends with SandboxError."""
        self._stopped = True
        self._drop_session()

    def _drop_session(self) -> None:
        self._stack.close()
        self._session = None

    def _run(self, job: Job) -> ChildResult:
        for attempt in range(_TRIES):
            try:
                if self._session is None:
                    self._session = self._stack.enter_context(self.access.sandbox.session())
                return self._session.run(job).children[0]
            except SandboxError as error:
                self._drop_session()
                if self._stopped or not error.temporary or attempt == _TRIES - 1:
                    raise
        raise AssertionError  # the loop returns or raises
