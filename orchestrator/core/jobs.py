"""What goes into a sandbox (job) and what comes out (observation). Used by gate, run and sandbox.

A job runs in one container as a list of children; every child is a forked process of its own and runs its cases one
after the other. Cases that must not see each other's state go into different children.
"""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from pydantic import Field

from orchestrator.core.candidate import Candidate, Shape
from orchestrator.core.fitted import GROWN, NAMES, TRANSFORM, bound_source, grown_source, learning_source
from orchestrator.core.option_value import OptionValue
from orchestrator.core.value import Value


class Op(StrEnum):
    """What is run on a case's input. With several programs, F applies all of them in order (a pipeline)."""

    F = "f"
    FF = "ff"  # f(f(x))
    DETECT = "detect"
    DETECT_F = "detect_f"  # detect(f(x))


class Ended(StrEnum):
    """How a child ended: set by the guest's supervisor or by the host, never read from the candidate's output."""

    OK = "ok"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output-limit"
    KILLED = "killed"  # by a signal that is none of the above, or left early (os._exit)
    PROTOCOL = "protocol"  # its output is not a valid frame, or has frames for cases that it was not given


class Limits(OptionValue):
    """What one child may use."""

    wall_s: float = Field(default=10.0, gt=0, le=86_400, allow_inf_nan=False)
    cpu_s: float = Field(default=10.0, gt=0, le=86_400, allow_inf_nan=False)
    memory_bytes: int = Field(default=512 * 2**20, ge=2**20, le=2**40)
    output_bytes: int = Field(default=64 * 2**20, ge=1, le=256 * 2**20)  # the wire format's maximum
    file_bytes: int = Field(default=16 * 2**20, ge=1, le=2**40)
    open_files: int = Field(default=64, ge=8, le=2**16)


class GuestEnvironment(StrEnum):
    """The environment of a container; two of them differ in hash seed, time zone and locale.

    The light ones are the same without pandas imported: they start much faster, for jobs that do not need it.
    """

    FIRST = "first"
    CONFIRM = "confirm"
    FIRST_LIGHT = "first-light"
    CONFIRM_LIGHT = "confirm-light"

    @property
    def light(self) -> bool:
        return self in (GuestEnvironment.FIRST_LIGHT, GuestEnvironment.CONFIRM_LIGHT)

    @property
    def full(self) -> "GuestEnvironment":
        """The same environment with pandas imported."""
        return self.lightened(light=False)

    def lightened(self, *, light: bool) -> "GuestEnvironment":
        """The same environment with or without pandas imported."""
        return GuestEnvironment(self.removesuffix("-light") + ("-light" if light else ""))


@dataclass(frozen=True, slots=True)
class Case:
    """One input on which programs are run.

    `input` is an Arrow IPC stream of one table, or JSON Lines (see `Job.values`). `program` picks one program of the
    job for the ops (None: all of them, in order).
    `echo_input` also asks for the input as it stands after the first op, to see whether it was changed.
    """

    id: str
    input: bytes
    ops: tuple[Op, ...] = (Op.F,)
    program: int | None = None
    echo_input: bool = False


@dataclass(frozen=True, slots=True)
class Child:
    """Cases that one forked process runs in order.

    `ends_job`: if it times out, the children after it are not started and count as timeouts, too.
    """

    cases: tuple[Case, ...]
    limits: Limits = field(default_factory=Limits)
    ends_job: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """Source text of one candidate or promoted function; `name` is its public function.

    `columns`: where a function of texts is called, on every text there.
    """

    name: str
    source: str
    shape: Shape = Shape.TABLE
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, candidate: Candidate) -> "Program":
        """The candidate as a sandbox runs it."""
        contract = candidate.contract
        if contract.shape is Shape.FITTED:
            return cls._fitted(candidate)
        columns = contract.modifies or () if contract.shape is Shape.TEXT else ()
        return cls(candidate.name, candidate.source, contract.shape, columns)

    @classmethod
    def _fitted(cls, candidate: Candidate) -> "Program":
        """A function of tables that knows the candidate's state. Raises ValueError where it has learnt nothing yet."""
        if candidate.state is None:
            raise ValueError(f"{candidate.name} has learnt nothing yet")
        source = bound_source(candidate.source, candidate.function_name, candidate.state, detect=candidate.has_detect)
        return cls(NAMES[TRANSFORM], source)

    @classmethod
    def learning(cls, candidate: Candidate, part: str) -> "Program":
        """What a sandbox runs of a fitted candidate's `fit` or `merge`: a function of tables (`core.fitted`)."""
        return cls(NAMES[part], learning_source(candidate.source))

    @classmethod
    def grown(cls, candidate: Candidate) -> "Program":
        """What makes the state of the same rows many times over of those of their parts (`core.fitted`)."""
        return cls(NAMES[GROWN], grown_source(candidate.source))

    @property
    def light(self) -> bool:
        """Whether a container without pandas is enough. A source that only mentions pandas gets it, too."""
        return self.shape.by_row and not any(word in self.source for word in ("pandas", "numpy", "pyarrow"))


@dataclass(frozen=True, slots=True)
class Job:
    """All that one container is given. `programs` has one entry for a candidate, several for a promoted pipeline.

    `not_on`: the worker of a cluster that shall not run it, because it took the first look at what is looked at again;
    `on`: the one that shall, as long as it is there, because what it costs is compared with a job that ran there.
    """

    programs: tuple[Program, ...]
    children: tuple[Child, ...]
    environment: GuestEnvironment = GuestEnvironment.FIRST
    not_on: str = ""
    on: str = ""

    @property
    def values(self) -> Literal["arrow", "json"]:
        """The kind of the inputs: tables, or records for functions of records and texts."""
        return "arrow" if any(program.shape is Shape.TABLE for program in self.programs) else "json"

    @property
    def inputs_sha256(self) -> str:
        """The hex SHA-256 of the hashes of all inputs, in order: which rows the programs were run on."""
        inputs = (case.input for child in self.children for case in child.cases)
        return hashlib.sha256(b"".join(hashlib.sha256(each).digest() for each in inputs)).hexdigest()


@dataclass(frozen=True, slots=True)
class ChildResult:
    """How one child ended and the bytes it wrote. The bytes are hostile: only `data.hostile.reply` may read them."""

    ended: Ended
    output: bytes = b""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_bytes: int = 0


class SandboxInfo(Value):
    """Which sandbox ran: part of every verdict. `hash_seeds`: of the containers, in the order in which they ran.

    `libraries`: stands for the versions of Python and its packages in the image, the same on every machine.
    """

    engine: str = "docker"
    runtime: str = "runc"
    image: str = ""
    isolation: str = "single-use"
    libraries: str = Field(default="", exclude_if=lambda libraries: not libraries)
    hash_seeds: tuple[int, ...] = Field(default=(), exclude_if=lambda seeds: not seeds)


@dataclass(frozen=True, slots=True)
class JobResult:
    """One result per child, in the job's order. `wait_s`: until a container was ready; `sandbox_s`: the job itself.

    `worker`: the address of the cluster's worker that ran it; empty on one machine.
    """

    children: tuple[ChildResult, ...]
    info: SandboxInfo
    wait_s: float = 0.0
    sandbox_s: float = 0.0
    worker: str = ""
