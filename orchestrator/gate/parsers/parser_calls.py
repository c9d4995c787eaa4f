"""Calls a parser in a container and reads what comes back. Called by `parser_gate` and by `run.parse`.

Whatever the container sends is decoded by the disposable process and checked here again: parts that are not made of the
bytes that were given are refused, so that no row can come from nowhere.
"""

import json
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any, NamedTuple

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.jobs import Case, Child, ChildResult, Ended, GuestEnvironment, Job, SandboxInfo
from orchestrator.core.parsers import ParsedPart, ParserAnswer, ParserCandidate
from orchestrator.core.ports import SandboxAccess, SandboxSession
from orchestrator.data.hostile.decode_entry import read_decoded, request
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.record_tables import value_of
from orchestrator.gate.asked_decoder import ask_decoder

_TRIES = 3  # infrastructure may fail twice
_TEXTS = frozenset({str, type(None)})
_ENDINGS = {
    Ended.TIMEOUT: "it ran longer than {0.wall_s:g} s",
    Ended.MEMORY: "it needed more memory than allowed",
    Ended.OUTPUT_LIMIT: "it wrote more than {0.output_bytes} bytes",
    Ended.KILLED: "its process was killed or ended itself",
    Ended.PROTOCOL: "it wrote something that is not a result",
}


class ParserFailed(Exception):
    """A parser gave no answer, for a reason that is not the infrastructure's; the message is a clause."""


class ParserInput(NamedTuple):
    """Bytes of a file, and the ends of the blocks in which they are given; `last`: the file ends with them."""

    data: bytes
    ends: tuple[int, ...]
    last: bool
    state: Any = None

    @classmethod
    def whole(cls, data: bytes, *, last: bool, state: Any = None) -> "ParserInput":
        """All of the bytes in one block."""
        return cls(data, (len(data),), last, state)


class ParserCalls(AbstractContextManager["ParserCalls"]):
    """One parser in containers of one environment, made when they are needed. For one thread."""

    def __init__(self, parser: ParserCandidate, access: SandboxAccess, environment: GuestEnvironment) -> None:
        self._parser = parser
        self._access = access
        self._environment = environment.lightened(light=parser.program.light)
        self._stack = ExitStack()
        self._session: SandboxSession | None = None
        self.info = SandboxInfo()

    def answers(self, inputs: Sequence[ParserInput]) -> list[ParserAnswer]:
        """What the parser makes of each input, in one process. Raises ParserFailed; SandboxError."""
        columns = self._parser.contract.columns
        lines = [
            {"data": one.data.decode("latin-1"), "ends": one.ends, "last": one.last, "state": one.state}
            | {"columns": columns}
            for one in inputs
        ]
        body = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
        limits = self._access.limits
        child = Child((Case("", body),), limits)
        result = self._run(Job((self._parser.program,), (child,), self._environment))
        if result.ended is not Ended.OK:
            raise ParserFailed(_ENDINGS[result.ended].format(limits))
        try:
            decoded = read_decoded(ask_decoder(self._access, request(result.output, records=True, detect=False)))
            if decoded.table is None:
                raise ParserFailed(decoded.error)
            if decoded.tried:
                raise ParserFailed(f"it tried what no parser needs: {decoded.tried}")
            rows = decoded.table.to_pylist()
            return _answers(rows, inputs, len(columns))
        except (HostileOutput, DisposableDied) as error:
            raise ParserFailed(str(error)) from None

    def one_answer(self, one: ParserInput) -> ParserAnswer:
        """What it makes of one input; where it fails, line by line once more, to see how far it comes."""
        (answer,) = self.answers([one])
        if not answer.error:
            return answer
        ends = [found.end() for found in re.finditer(b"\n", one.data)]
        (slower,) = self.answers([one._replace(ends=tuple(dict.fromkeys([*ends, len(one.data)])))])
        return slower if slower.error else answer

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self._session = None

    def _run(self, job: Job) -> ChildResult:
        for attempt in range(_TRIES):
            try:
                if self._session is None:
                    self._session = self._stack.enter_context(self._access.sandbox.session(alone=True))
                result = self._session.run(job)
            except SandboxError as error:
                self.__exit__()
                if not error.temporary or attempt == _TRIES - 1:
                    raise
            else:
                self.info = result.info
                return result.children[0]
        raise AssertionError  # the loop returns or raises


def _answers(rows: list[dict[str, Any]], inputs: Sequence[ParserInput], width: int) -> list[ParserAnswer]:
    if len(rows) != len(inputs):
        raise HostileOutput(f"{len(inputs)} answers were due and {len(rows)} came")
    return [_answer(row, one, width) for row, one in zip(rows, inputs, strict=True)]


def _answer(row: dict[str, Any], asked: ParserInput, width: int) -> ParserAnswer:
    """Check what came for one input: sizes of parts, which of them are no rows, and the rows by column.

    Raises HostileOutput.
    """
    sizes, none, columns, state, read, error = (
        value_of(row.get(name)) for name in ("sizes", "none", "columns", "state", "read", "error")
    )
    if not isinstance(error, str) or not _integers(sizes, 1) or not _integers(none, 0):
        raise HostileOutput("it gave no answer")
    if type(read) is not int or sum(sizes) != read or read > len(asked.data):
        if not error:
            raise HostileOutput("its rows are not made of the bytes that it was given")
        return ParserAnswer((), None, 0, error)
    skipped = frozenset(none)
    if len(skipped) != len(none) or max(skipped, default=-1) >= len(sizes):
        raise HostileOutput("it does not say which parts are rows")
    rows = iter(_rows(columns, width, len(sizes) - len(skipped)))
    parts = [ParsedPart(size, None if place in skipped else next(rows)) for place, size in enumerate(sizes)]
    return ParserAnswer(tuple(parts), state, read, error)


def _integers(values: Any, least: int) -> bool:
    return isinstance(values, list) and {*map(type, values)} <= {int} and min(values, default=least) >= least


def _rows(columns: Any, width: int, count: int) -> list[tuple[str | None, ...]]:
    """The rows in the columns. Raises HostileOutput."""
    if not isinstance(columns, list) or len(columns) != width:
        raise HostileOutput("its rows do not have the columns of the contract")
    for column in columns:
        if not isinstance(column, list) or len(column) != count or not _TEXTS.issuperset(map(type, column)):
            raise HostileOutput("its rows do not have the columns of the contract")
    return list(zip(*columns, strict=True))
