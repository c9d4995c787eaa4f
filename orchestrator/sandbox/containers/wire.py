"""Frames between host and guest (docs/wire.md), the host's side. Called by container.py and local.py.

What comes from the guest is hostile until proved otherwise: every length has a cap before a byte is kept, every wait
has a deadline, and every field is checked. What a child wrote stays bytes.
"""

import json
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import GuestProtocolError, SandboxError
from orchestrator.core.jobs import Case, Child, ChildResult, Ended, Job, Program

VERSION = 1
MAX_HEADER = 8 * 2**20
MAX_JOB = 512 * 2**20  # of all inputs of one job; the guest ends where there is more
MAX_READY = 4096
MAX_BODIES = 256 * 2**20  # of one reply together; the supervisor keeps to it
_MAX_S = 1e9
_LENGTH = struct.Struct(">I")
_BY_GUEST = {str(e): e for e in (Ended.OK, Ended.TIMEOUT, Ended.MEMORY, Ended.OUTPUT_LIMIT, Ended.KILLED)}

Receive = Callable[[int, float], bytes]
"""At most so many bytes, by a monotonic deadline. b"" at the end. Raises TimeoutError."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What the guest says of itself once everything is imported."""

    python: str
    pandas: str
    pyarrow: str


@dataclass(frozen=True, slots=True)
class Reply:
    """One result per child that was run; `reusable` is false when the container is not as clean as at its start."""

    children: tuple[ChildResult, ...]
    swept: int
    reusable: bool


def encode_job(job: Job, budget_s: float | None = None) -> list[bytes]:
    """The frame of a job in pieces, its inputs as they are. An input that several cases share is sent once.

    `budget_s`: what all children may take together; what is not done by then ends as a timeout. Raises SandboxError for
    one that is too large: that is nobody's fault, so no other container is tried, and no function is blamed.
    """
    blobs: dict[bytes, int] = {}
    children = [_child(child, blobs) for child in job.children]
    header = {
        "version": VERSION,
        "programs": [_program(program) for program in job.programs],
        "children": children,
        "blobs": [len(blob) for blob in blobs],
    }
    if job.values != "arrow":
        header["values"] = job.values
    if budget_s is not None:
        header["budget_s"] = budget_s
    text = json.dumps(header, separators=(",", ":")).encode()
    if len(text) > MAX_HEADER or sum(map(len, blobs)) > MAX_JOB:
        raise SandboxError(
            "The rows are too large to be sent to a sandbox at once.",
            advice="Leave out the rows or the column with the longest cells.",
        )
    return [_LENGTH.pack(len(text)) + text, *blobs]


def _program(program: Program) -> dict[str, Any]:
    header: dict[str, Any] = {"name": program.name, "source": program.source}
    if program.shape is not Shape.TABLE:
        header["shape"] = str(program.shape)
    if program.columns:
        header["columns"] = list(program.columns)
    return header


def _child(child: Child, blobs: dict[bytes, int]) -> dict[str, Any]:
    header = {"limits": child.limits.model_dump(), "cases": [_case(case, blobs) for case in child.cases]}
    return header | {"ends_job": True} if child.ends_job else header


def _case(case: Case, blobs: dict[bytes, int]) -> dict[str, Any]:
    """Without its id, which says what it is for: the answer names a case by its place."""
    return {
        "ops": [str(op) for op in case.ops],
        "program": case.program,
        "echo_input": case.echo_input,
        "input": blobs.setdefault(case.input, len(blobs)),
    }


def read_ready(receive: Receive, deadline: float) -> Ready:
    """The guest's first frame. Raises GuestProtocolError, TimeoutError."""
    header = _read_header(receive, deadline, MAX_READY)
    if header.get("ready") is not True:
        raise GuestProtocolError("the sandbox did not say that it is ready")
    return Ready(**{name: str(header.get(name, ""))[:40] for name in ("python", "pandas", "pyarrow")})


def read_reply(receive: Receive, deadline: float, job: Job) -> Reply:
    """The answer to the job. Raises GuestProtocolError when it is none, TimeoutError at the deadline."""
    header = _read_header(receive, deadline, MAX_HEADER)
    entries = header.get("children")
    if (
        not isinstance(entries, list)
        or len(entries) > len(job.children)
        or not isinstance(header.get("reusable"), bool)
    ):
        raise _broken("its header is incomplete")
    reusable = header["reusable"]
    if len(entries) < len(job.children) and reusable:
        raise _broken("results are missing")
    results = [_result(entry, child) for entry, child in zip(entries, job.children, strict=False)]
    if sum(size for _, size, *_ in results) > MAX_BODIES:
        raise _broken("its bodies are too long")
    full = [
        ChildResult(ended, _exactly(receive, size, deadline), cpu_s, wall_s, peak)
        for ended, size, cpu_s, wall_s, peak in results
    ]
    left_out = [ChildResult(Ended.KILLED)] * (len(job.children) - len(full))
    return Reply((*full, *left_out), _count(header.get("swept"), 2**22), reusable)


def _result(entry: Any, child: Child) -> tuple[Ended, int, float, float, int]:
    ended = entry.get("ended") if isinstance(entry, dict) else None
    if not isinstance(ended, str) or ended not in _BY_GUEST:
        raise _broken("a child's end is none of the known ones")
    return (
        _BY_GUEST[ended],
        _count(entry.get("body"), child.limits.output_bytes),
        _seconds(entry.get("cpu_s")),
        _seconds(entry.get("wall_s")),
        _count(entry.get("peak_bytes"), 2**50),
    )


def _read_header(receive: Receive, deadline: float, most: int) -> dict[str, Any]:
    (length,) = _LENGTH.unpack(_exactly(receive, _LENGTH.size, deadline))
    if length > most:
        raise _broken(f"its header claims {length} bytes")
    try:
        header = json.loads(_exactly(receive, length, deadline))
    except (ValueError, RecursionError):
        raise _broken("its header is no JSON") from None
    if not isinstance(header, dict) or header.get("version") != VERSION:
        raise _broken("it speaks another version")
    return header


def _exactly(receive: Receive, size: int, deadline: float) -> bytes:
    parts = []
    missing = size
    while missing:
        if time.monotonic() >= deadline:
            raise TimeoutError
        part = receive(min(missing, 2**20), deadline)
        if not part:
            raise GuestProtocolError("the sandbox went away in the middle of a job")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _count(value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise _broken("a count is out of bounds")
    return value


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= _MAX_S:  # not for NaN either
        raise _broken("a time is out of bounds")
    return float(value)


def _broken(why: str) -> GuestProtocolError:
    return GuestProtocolError(f"the sandbox sent what is no reply: {why}")
