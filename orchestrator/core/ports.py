"""The Protocols between rooms. `bootstrap` is the only place that knows which concrete parts stand behind them."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from orchestrator.core.candidate import Candidate, Example, Shape
from orchestrator.core.jobs import Job, JobResult, Limits
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.proposals import Analysis, Consolidation
from orchestrator.core.requests import ConsolidationRequest, ProposalRequest, RepairRequest
from orchestrator.core.verdict import CheckResult, Verdict

if TYPE_CHECKING:
    import pyarrow as pa


class SandboxSession(Protocol):
    """One container that runs several jobs of the same, already promoted functions."""

    def run(self, job: Job) -> JobResult:
        """Run one job. Raises SandboxError when the machinery breaks; the session is then over."""
        ...


class Sandbox(Protocol):
    """Runs jobs in locked-down containers."""

    def run(self, job: Job) -> JobResult:
        """Run the job in a container of its own, destroyed afterwards. Raises SandboxError when machinery breaks."""
        ...

    def session(self) -> AbstractContextManager[SandboxSession]:
        """Containers for promoted functions only, one at a time; destroyed at the end of the block."""
        ...

    def close(self) -> None:
        """Destroy every container that is left. Idempotent."""
        ...


class Sample(NamedTuple):
    """The rows that a candidate is judged on. The proposer has seen `working` and never `holdout`."""

    working: "pa.Table"
    holdout: "pa.Table"


_FUNCTION_OF = {
    Shape.TABLE: "a function of a DataFrame",
    Shape.RECORD: "a function that takes one record, a dict, and returns a dict",
    Shape.TEXT: "a function that takes one str and returns a str",
}


@dataclass(frozen=True)
class VerifyRequest:
    """What the gate is asked about one candidate.

    `promoted`: the functions that have cleaned the sample's rows, in order. `examples`: the user's. `screen`: whether
    the syntax tree is looked at first. `quick` leaves out what takes seconds: `properties` and `resources`. `shape`:
    the only one that is accepted, because the rows of a run are tables or records (None: any).
    """

    source: str
    sample: Sample
    promoted: Sequence[Promoted] = ()
    examples: Sequence[Example] = ()
    screen: bool = True
    quick: bool = False
    shape: Shape | None = None

    def wrong_shape(self, candidate: Candidate) -> str:
        """Why the candidate is refused for its shape; empty when it is not."""
        given = candidate.contract.shape
        if self.shape is None or given is self.shape:
            return ""
        return (
            f"the contract says the shape `{given}`, and this run is for the shape `{self.shape}`: "
            f"write {_FUNCTION_OF[self.shape]}, and the shape `{self.shape}` in its CONTRACT"
        )


class Gate(Protocol):
    """Decides whether a candidate is promoted."""

    def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        """Judge one candidate. Raises for nothing that the candidate does; machinery that stays broken: `infra`."""
        ...

    def recheck(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        """Judge a candidate that passed once more, beside functions promoted since.

        What they cannot change may be taken over from its verdict; everything else is judged as by `quick`.
        """
        ...

    def read(self, source: str) -> Candidate:
        """The candidate in a source text. Raises CandidateError when it cannot be read."""
        ...


class Proposer(Protocol):
    """Proposes one candidate function at a time."""

    @property
    def name(self) -> str: ...

    def analyse(self, request: ProposalRequest) -> Analysis:
        """Look at the rows; answer with the issues and at most one candidate. Raises ProposalError."""
        ...

    def repair(self, repair: RepairRequest) -> Analysis:
        """Answer a rejected candidate with a better one, or with none (give up). Raises ProposalError."""
        ...


@runtime_checkable
class Planner(Protocol):
    """Looks at the run as a whole now and then. A proposer may be one as well: the run then asks it."""

    def consolidate(self, request: ConsolidationRequest) -> Consolidation:
        """Which promoted functions overlap, and what could take their place. Raises ProposalError."""
        ...


class Registry(Protocol):
    """The append-only store of promoted functions."""

    def promote(self, candidate: Candidate, evidence: Evidence) -> Promoted:
        """Store the function with its whole evidence, or nothing. Raises RegistryError on conflict."""
        ...

    def functions(self) -> tuple[Promoted, ...]:
        """The active functions in the order in which they are applied."""
        ...

    def revoke(self, name: str, reason: str) -> Promoted:
        """Take the active version out of use. Raises RegistryError when there is none."""
        ...


class Disposable(Protocol):
    """A process with no privileges that reads hostile bytes and is thrown away."""

    def call(self, request: bytes) -> bytes:
        """One request in a fresh process. Raises DisposableDied when it dies, overruns or writes too much."""
        ...

    def close(self) -> None: ...


class SandboxAccess(NamedTuple):
    """What it takes to run functions: where, with which limits for each child, and who reads what they made."""

    sandbox: Sandbox
    decoder: Disposable
    limits: Limits = Limits()
