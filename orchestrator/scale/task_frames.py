"""A task and its answer as bytes: a JSON header, then Arrow or JSON bodies. Called by the coordinator and by workers.

No object of Python crosses the network in them. What a container wrote is passed on unread.
"""

import hashlib
import json
import struct
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from pydantic import ValidationError

from orchestrator.core.errors import CleanroomError, ImageMissing, SandboxError
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
    SandboxInfo,
)
from orchestrator.core.policy import ContainerPolicy
from orchestrator.core.value import Value
from orchestrator.sandbox.broker.messages import BrokerAnswer
from orchestrator.sandbox.provision.recipe import read_recipe

_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class ClusterTask:
    """One job, the container that it asks for, and the session whose container it may share ("": none).

    `strict`: only for workers that were started with --strict.
    """

    job: Job
    container: ContainerPolicy
    session: str = ""
    strict: bool = False


class _CaseHeader(Value):
    id: str
    input: int
    ops: tuple[Op, ...]
    program: int | None
    echo_input: bool


class _ChildHeader(Value):
    cases: tuple[_CaseHeader, ...]
    limits: Limits
    ends_job: bool


class _TaskHeader(Value):
    release: str
    session: str
    strict: bool
    container: ContainerPolicy
    environment: GuestEnvironment
    programs: tuple[Program, ...]
    children: tuple[_ChildHeader, ...]
    sizes: tuple[int, ...]


class _ChildAnswer(Value):
    ended: Ended
    cpu_s: float
    wall_s: float
    peak_bytes: int


class _AnswerHeader(Value):
    task: str
    worker: str
    error: BrokerAnswer | None = None
    children: tuple[_ChildAnswer, ...] = ()
    info: SandboxInfo = SandboxInfo()
    wait_s: float = 0.0
    sandbox_s: float = 0.0
    sizes: tuple[int, ...] = ()
    sha256: str = ""


def release() -> str:
    """What both ends must agree on: the version, and the sandbox image that belongs to it."""
    return f"{version('cleanroom')} {read_recipe().tag}"


def task_id(frame: bytes) -> str:
    """The hex SHA-256 of a task: the same rows and functions are the same task."""
    return hashlib.sha256(frame).hexdigest()


def write_task(task: ClusterTask, agreed: str) -> bytes:
    """The task as a frame; an input that several cases share is in it once. `agreed`: as `release` says."""
    blobs: dict[bytes, int] = {}
    children = tuple(
        _ChildHeader(
            cases=tuple(
                _CaseHeader(
                    id=case.id,
                    input=blobs.setdefault(case.input, len(blobs)),
                    ops=case.ops,
                    program=case.program,
                    echo_input=case.echo_input,
                )
                for case in child.cases
            ),
            limits=child.limits,
            ends_job=child.ends_job,
        )
        for child in task.job.children
    )
    header = _TaskHeader(
        release=agreed,
        session=task.session,
        strict=task.strict,
        container=task.container,
        environment=task.job.environment,
        programs=task.job.programs,
        children=children,
        sizes=tuple(map(len, blobs)),
    )
    return _frame(header, list(blobs))


def read_task(frame: bytes, agreed: str) -> ClusterTask:
    """The task in a frame. Raises SandboxError when it is none, ImageMissing when it is another version's."""
    text, rest = _parts(frame)
    sent = text.get("release") if isinstance(text, dict) else None
    if sent != agreed:
        own = agreed.partition(" ")[0]
        if str(sent).partition(" ")[0] == own:
            raise ImageMissing(
                f"A worker was sent a task of another build of cleanroom {own}, with another sandbox image.",
                advice="Install the same build on all machines of the cluster.",
            )
        raise ImageMissing(
            f"A worker runs {own} and was sent a task of another version of cleanroom.",
            advice="Install the same version on all machines of the cluster.",
        )
    try:
        header = _TaskHeader.model_validate(text)
        blobs = _bodies(rest, header.sizes)
        children = tuple(
            Child(
                tuple(Case(c.id, blobs[c.input], c.ops, c.program, c.echo_input) for c in child.cases),
                child.limits,
                child.ends_job,
            )
            for child in header.children
        )
    except (ValidationError, IndexError):
        raise SandboxError("A worker was sent what is no task.") from None
    return ClusterTask(
        Job(header.programs, children, header.environment), header.container, header.session, header.strict
    )


def write_answer(task: str, worker: str, result: JobResult) -> bytes:
    """What the task's container wrote, with the hash of it."""
    bodies = [child.output for child in result.children]
    header = _AnswerHeader(
        task=task,
        worker=worker,
        children=tuple(
            _ChildAnswer(ended=c.ended, cpu_s=c.cpu_s, wall_s=c.wall_s, peak_bytes=c.peak_bytes)
            for c in result.children
        ),
        info=result.info,
        wait_s=result.wait_s,
        sandbox_s=result.sandbox_s,
        sizes=tuple(map(len, bodies)),
        sha256=_content_hash(bodies),
    )
    return _frame(header, bodies)


def write_error(task: str, worker: str, error: CleanroomError) -> bytes:
    """Why there is no result."""
    return _frame(_AnswerHeader(task=task, worker=worker, error=BrokerAnswer.of_error(error)), [])


def read_answer(frame: bytes, task: str, children: int) -> JobResult:
    """The answer to the task. Raises the error that it carries; SandboxError when it is no answer to this task."""
    try:
        text, rest = _parts(frame)
        header = _AnswerHeader.model_validate(text)
        bodies = _bodies(rest, header.sizes)
    except (ValidationError, IndexError):
        raise SandboxError("A worker sent what is no answer.") from None
    if header.task != task:
        raise SandboxError("A worker answered another task than it was given.")
    if header.error is not None:
        try:
            header.error.checked()
        except SandboxError as error:
            error.worker = header.worker
            raise
    if not len(bodies) == len(header.children) == children or header.sha256 != _content_hash(bodies):
        raise SandboxError("A worker's answer is not what its hash says.")
    results = tuple(
        ChildResult(c.ended, body, c.cpu_s, c.wall_s, c.peak_bytes)
        for c, body in zip(header.children, bodies, strict=True)
    )
    return JobResult(results, header.info, header.wait_s, header.sandbox_s, header.worker)


def _content_hash(bodies: list[bytes]) -> str:
    return hashlib.sha256(b"".join(hashlib.sha256(body).digest() for body in bodies)).hexdigest()


def _frame(header: Value, bodies: list[bytes]) -> bytes:
    text = header.model_dump_json().encode()
    return b"".join([_LENGTH.pack(len(text)), text, *bodies])


def _parts(frame: bytes) -> tuple[Any, memoryview]:
    """The header, parsed, and what follows it. Raises SandboxError."""
    try:
        (length,) = _LENGTH.unpack_from(frame)
        view = memoryview(frame)
        return json.loads(bytes(view[_LENGTH.size : _LENGTH.size + length])), view[_LENGTH.size + length :]
    except (struct.error, ValueError, RecursionError, TypeError):
        raise SandboxError(
            "What came over the network is no task and no answer.",
            advice="See that all machines of the cluster run the same version of cleanroom, and nothing else.",
        ) from None


def _bodies(rest: memoryview, sizes: tuple[int, ...]) -> list[bytes]:
    """Raises IndexError where the sizes are not those of what is there."""
    if min(sizes, default=0) < 0 or sum(sizes) != len(rest):
        raise IndexError
    bodies, start = [], 0
    for size in sizes:
        bodies.append(bytes(rest[start : start + size]))
        start += size
    return bodies
