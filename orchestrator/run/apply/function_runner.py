"""Runs promoted functions on a table, one after the other, in a container that is used again. Called by `clean_table`.

Each function has a process of its own and is given what the host has decoded and checked of the one before it. So it
meets nothing of its neighbours, is held to its own contract, and what it does is known to be its doing.
"""

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import pyarrow as pa

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.jobs import (
    Case,
    Child,
    ChildResult,
    Ended,
    GuestEnvironment,
    Job,
    JobResult,
    Limits,
    Op,
    Program,
)
from orchestrator.core.policy import TABLES_OF_A_PROCESS
from orchestrator.core.ports import SandboxAccess, SandboxSession
from orchestrator.core.promoted import Promoted
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.data.hostile.decode_entry import Decoded, answers, read_decoded, request, requests
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.states import read_state
from orchestrator.data.record_tables import is_records, lines_of
from orchestrator.data.text import clean_text
from orchestrator.gate.asked_decoder import ask_decoder
from orchestrator.run.apply.pieces import Piece, Share, in_pieces, put_together, shared_out
from orchestrator.run.rows.contract import CheckedBatch, ContractBroken
from orchestrator.run.rows.made_check import check_made

_TRIES = 3  # infrastructure may fail twice before the run is stopped
_ENDINGS = {
    Ended.TIMEOUT: "it ran longer than {limits.wall_s:g} s",
    Ended.MEMORY: "it needed more memory than it may use",
    Ended.OUTPUT_LIMIT: "it wrote more than {limits.output_bytes} bytes",
    Ended.KILLED: "its process was killed or ended itself",
    Ended.PROTOCOL: "it wrote something that is not a result",
}


class FunctionFailed(Exception):
    """A function failed on a table, for a reason that is not the infrastructure's; the message is a clause.

    `sure`: not, where what ended had other tables, too, so that one of these may be at fault. `ran`: not, where its
    process was never started, for what happened before.
    """

    def __init__(self, function: str, reason: str, *, sure: bool = True, ran: bool = True) -> None:
        super().__init__(reason)
        self.function = function
        self.sure = sure
        self.ran = ran


@dataclass
class FunctionRunner:
    """A container for promoted functions, made when it is needed and replaced when it breaks. Safe for threads.

    While one thread's job is in the container, another one can have what came back decoded.

    `detect`: functions that have one are asked for it, too, so that what they change can be compared with it.
    `not_on`, `on`: workers of a cluster that shall not, or shall, run the next jobs; `worker`: of this thread's last.
    """

    access: SandboxAccess
    functions: Sequence[Promoted] = ()
    environment: GuestEnvironment = GuestEnvironment.FIRST
    detect: bool = False
    not_on: str = ""
    on: str = ""
    _own: threading.local = field(default_factory=threading.local)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stack: ExitStack = field(default_factory=ExitStack)
    _session: SandboxSession | None = None
    _stopped: bool = False

    def run(self, function: Promoted, table: pa.Table, wall_s: float) -> CheckedBatch:
        """One of the functions on the whole table, once, in a process of its own, in at most `wall_s` seconds.

        Raises FunctionFailed; SandboxError when the infrastructure keeps failing.
        """
        limits = self.access.limits.model_copy(update={"wall_s": wall_s})
        if not is_records(table):
            return self._run_pieces(function, table, limits)
        case = Case("", lines_of(table), self._ops(function))
        output = self._output(function, function.program, (case,), limits, self._light)
        try:
            answer = ask_decoder(self.access, request(output, records=True, detect=self._asks_detect(function)))
        except DisposableDied as error:
            raise FunctionFailed(function.name, str(error)) from None
        return self._checked(function, table, answer)

    def _run_pieces(self, function: Promoted, table: pa.Table, limits: Limits) -> CheckedBatch:
        pieces = in_pieces([table], self._pieces)
        cases = tuple(Case("", write_table(piece.table), self._ops(function)) for piece in pieces)
        output = self._output(function, function.program, cases, limits, self._light)
        try:
            said = self._decoded(function, [output])
        except (DisposableDied, HostileOutput) as error:
            raise FunctionFailed(function.name, str(error)) from None
        return self._put_together(function, table, 0, pieces, said)

    def run_each(self, given: Sequence[tuple[Promoted, pa.Table]]) -> list[CheckedBatch | None]:
        """What each function makes of a table, in one job; None where it fails, for whatever reason: `run` says why.

        No process has two functions, and what one made of several tables is decoded in one.
        Raises SandboxError when the infrastructure keeps failing.
        """
        outcomes = self.try_each(given, self.access.limits.wall_s)
        return [one if isinstance(one, CheckedBatch) else None for one in outcomes]

    def try_each(
        self, given: Sequence[tuple[Promoted, pa.Table]], wall_s: float, *, apart: bool = False
    ) -> list[CheckedBatch | FunctionFailed]:
        """What each function makes of a table, in one job, or why it fails. `apart`: no process has two tables.

        Raises SandboxError when the infrastructure keeps failing.
        """
        functions = list({id(function): function for function, _ in given}.values())
        numbers = {id(function): number for number, function in enumerate(functions)}
        records = any(is_records(table) for _, table in given)
        pieces = 1 if records else self._pieces
        shares = shared_out(
            [(numbers[id(function)], table) for function, table in given], pieces, 1 if apart else pieces
        )
        tables = {id(piece.table): piece.table for share in shares for piece in share.pieces}
        inputs = {which: lines_of(table) if records else write_table(table) for which, table in tables.items()}
        limits = self.access.limits.model_copy(update={"wall_s": wall_s})
        children = []
        for share in shares:
            ops, program = self._ops(functions[share.function]), share.function if len(functions) > 1 else None
            cases = tuple(Case("", inputs[id(piece.table)], ops, program) for piece in share.pieces)
            children.append(Child(cases, limits))
        programs = tuple(one.program for one in functions)
        job = Job(programs, tuple(children), self.environment.lightened(light=self._light))
        ended = list(zip(shares, self._run(job), strict=True))
        found: dict[int, CheckedBatch | FunctionFailed] = {}
        for number, function in enumerate(functions):
            own = [(share, result) for share, result in ended if share.function == number]
            found |= self._each(function, [table for _, table in given], own, limits)
        return [found[place] for place in range(len(given))]

    def _each(
        self,
        function: Promoted,
        tables: Sequence[pa.Table],
        ended: Sequence[tuple[Share, ChildResult]],
        limits: Limits,
    ) -> dict[int, CheckedBatch | FunctionFailed]:
        """What the function made of its tables, or why it failed, by their places; `ended`: its processes."""
        found: dict[int, CheckedBatch | FunctionFailed] = {}
        for share, result in ended:
            if result.ended is not Ended.OK:
                # what it wrote, and its time, may also be too much because of the processes before it
                own = result.ended in (Ended.KILLED, Ended.MEMORY) or result.wall_s >= limits.wall_s
                ran = result.wall_s > 0
                reason = _ENDINGS[result.ended].format(limits=limits)
                failed = FunctionFailed(function.name, reason, sure=own and ran and len(share.places) == 1, ran=ran)
                found |= dict.fromkeys(share.places, failed)
        good = [(share, result.output) for share, result in ended if result.ended is Ended.OK]
        records = any(map(is_records, tables))
        pieces = 1 if records else self._pieces
        try:
            outputs = [output for _, output in good]
            said = self._decoded(function, outputs, records=records) if good else []
        except (HostileOutput, DisposableDied) as error:
            failed = FunctionFailed(function.name, str(error), sure=False)
            return found | {place: failed for share, _ in good for place in share.places}
        for at, (share, _) in enumerate(good):
            for of, place in enumerate(share.places):
                try:
                    answered = said[at * pieces :][:pieces]
                    found[place] = self._put_together(function, tables[place], of, share.pieces, answered)
                except FunctionFailed as error:
                    found[place] = error
        return found

    def _decoded(self, function: Promoted, outputs: Sequence[bytes], *, records: bool = False) -> list[memoryview]:
        """What the decoder says of all pieces of some processes. Raises DisposableDied, HostileOutput."""
        pieces = 1 if records else self._pieces
        asked = requests(outputs, detect=self._asks_detect(function), cases=pieces, records=records)
        return answers(ask_decoder(self.access, asked), pieces * len(outputs))

    def _put_together(
        self, function: Promoted, table: pa.Table, of: int, pieces: Sequence[Piece], said: Sequence[memoryview]
    ) -> CheckedBatch:
        """What the function made of the table with this number. Raises FunctionFailed."""
        own = [(piece.table, answer) for piece, answer in zip(pieces, said, strict=True) if piece.of == of]
        made = [self._checked(function, piece, answer) for piece, answer in own]
        try:
            return put_together(table, made)
        except pa.ArrowException as error:
            reason = f"its results do not fit together: {clean_text(str(error), 200)}"
            raise FunctionFailed(function.name, reason) from None

    def learn(self, function: Promoted, part: Program, table: pa.Table) -> str:
        """The state that a fitted function's `fit` makes of rows, or its `merge` of states, as canonical JSON.

        Raises FunctionFailed; SandboxError when the infrastructure keeps failing.
        """
        output = self._output(function, part, (Case("", write_table(table)),), self.access.limits, light=False)
        try:
            answer = ask_decoder(self.access, request(output, records=False, detect=False))
            return read_state(_returned(function, read_decoded(answer, table))[1])
        except (HostileOutput, DisposableDied) as error:
            raise FunctionFailed(function.name, str(error)) from None

    @property
    def worker(self) -> str:
        return getattr(self._own, "worker", "")

    @property
    def _pieces(self) -> int:
        """How many tables a process is given: as many as where it was judged in such a container."""
        return TABLES_OF_A_PROCESS if self.environment.full is GuestEnvironment.FIRST else 1

    @property
    def _light(self) -> bool:
        """Whether no function needs pandas: one kind of container for all of them."""
        return all(one.candidate.contract.shape.by_row and one.program.light for one in self.functions)

    def _asks_detect(self, function: Promoted) -> bool:
        return self.detect and function.candidate.has_detect

    def _ops(self, function: Promoted) -> tuple[Op, ...]:
        return (Op.F, Op.DETECT) if self._asks_detect(function) else (Op.F,)

    def _checked(self, function: Promoted, table: pa.Table, answer: bytes | memoryview) -> CheckedBatch:
        """What the decoder says that the function made, held to its contract. Raises FunctionFailed."""
        try:
            decoded, result = _returned(function, read_decoded(answer, table))
            if self._asks_detect(function) and decoded.flags is None:
                raise FunctionFailed(function.name, "its detect gave no answer")
            contract, rules = function.candidate.contract, self.access.columns
            checked = check_made(table, result, contract, decoded.same, rules)
        except (HostileOutput, ContractBroken) as error:
            raise FunctionFailed(function.name, str(error)) from None
        flags = None if decoded.flags is None else decoded.flags.to_numpy(zero_copy_only=False)
        return replace(checked, flags=flags, worker=self.worker)

    def close(self) -> None:
        """Destroy the container, also from another thread: what it is working on then ends with SandboxError."""
        self._stopped = True
        self._drop_session()

    def _output(
        self, function: Promoted, program: Program, cases: tuple[Case, ...], limits: Limits, light: bool
    ) -> bytes:
        """What the program wrote for the cases, unread. `light`: one kind of container for all functions."""
        (result,) = self._run(Job((program,), (Child(cases, limits),), self.environment.lightened(light=light)))
        if result.ended is not Ended.OK:
            raise FunctionFailed(function.name, _ENDINGS[result.ended].format(limits=limits))
        return result.output

    def _drop_session(self) -> None:
        self._stack.close()
        self._session = None

    def _run(self, job: Job) -> tuple[ChildResult, ...]:
        for attempt in range(_TRIES):
            try:
                with self._lock:
                    result = self._run_once(job)
            except SandboxError as error:
                if self._stopped or not error.temporary or attempt == _TRIES - 1:
                    raise
            else:
                self._own.worker = result.worker
                return result.children
        raise AssertionError  # the loop returns or raises

    def _run_once(self, job: Job) -> JobResult:
        try:
            if self._session is None:
                self._session = self._stack.enter_context(self.access.sandbox.session())
            return self._session.run(replace(job, not_on=self.not_on, on=self.on))
        except SandboxError:
            self._drop_session()
            raise


def _returned(function: Promoted, decoded: Decoded) -> tuple[Decoded, pa.Table]:
    """What the function returned, and the table in it. Raises FunctionFailed, also for what it tried on the way."""
    if decoded.table is None:
        raise FunctionFailed(function.name, decoded.error)
    if decoded.tried:
        raise FunctionFailed(function.name, f"it tried what no cleaning function needs: {decoded.tried}")
    return decoded, decoded.table
