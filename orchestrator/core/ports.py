"""The Protocols between packages. Only `bootstrap` knows which classes implement them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from orchestrator.core.candidate import Candidate, Example, Shape
from orchestrator.core.jobs import Job, JobResult, Limits
from orchestrator.core.policy import AuditPolicy, ColumnRule
from orchestrator.core.promoted import Evidence, LogProof, Promoted
from orchestrator.core.proposals import Analysis, Consolidation, WitnessAnswer
from orchestrator.core.requests import ConsolidationRequest, ProposalRequest, RepairRequest, WitnessRequest
from orchestrator.core.verdict import CheckResult, Verdict

if TYPE_CHECKING:
    import pyarrow as pa

    from orchestrator.core.conventions import Conventions


class SandboxSession(Protocol):
    """One container that runs several jobs, of promoted functions or of one candidate alone."""

    def run(self, job: Job) -> JobResult:
        """Run one job. Raises SandboxError when the infrastructure fails; the session is then over."""
        ...


class Sandbox(Protocol):
    """Runs jobs in locked-down containers."""

    def run(self, job: Job) -> JobResult:
        """Run the job in its own container, then destroy it. Raises SandboxError when the infrastructure fails."""
        ...

    def session(self, *, alone: bool = False) -> AbstractContextManager[SandboxSession]:
        """Containers for several jobs, one at a time; destroyed at the end of the block.

        For promoted functions, which may meet there those of other sessions; or for one candidate, `alone`, with which
        nothing else ever runs.
        """
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
    Shape.FITTED: "a function transform(df, state), with fit(df) and merge(state, state) beside it",
}


@dataclass(frozen=True)
class VerifyRequest:
    """One request to the gate to judge a candidate.

    `promoted`: the functions that were already applied to the sample's rows, in order. `examples`: the user's;
    `tests`: those of an independent tester, who has not seen the function. Both are witnesses: they settle concerns.
    `screen`: whether the syntax tree is checked first. `quick` leaves out the slow checks, `properties` and
    `resources`. `shape`: the only shape that is accepted, because a run's rows are tables or records (None: any).
    `may_replace`: names of the functions that it may declare to replace (None: any); the one that it does replace is
    not in `promoted`, and has not been applied to the sample. `taken`: names of functions that wait for somebody's
    decision, whose place it may not take.
    `instruction` and `conventions`: the user's words on what is wanted, which may ask for a column.
    `seed`: what its random choices are drawn from, unknown to the candidate (None: the gate's own secret).
    """

    source: str
    sample: Sample
    promoted: Sequence[Promoted] = ()
    examples: Sequence[Example] = ()
    tests: Sequence[Example] = ()
    screen: bool = True
    quick: bool = False
    shape: Shape | None = None
    may_replace: Collection[str] | None = None
    taken: Collection[str] = ()
    instruction: str = ""
    conventions: "Conventions | None" = None
    seed: int | None = None

    @property
    def witnesses(self) -> tuple[Example, ...]:
        """All examples that do not come from the candidate itself."""
        return (*self.examples, *self.tests)

    def refusals(self, candidate: Candidate) -> list[str]:
        """Why the candidate is none of those that were asked for, one sentence each; empty if it is one."""
        found = (self._wrong_shape(candidate), self._wrong_replacement(candidate), self._taken_name(candidate))
        return list(filter(None, found))

    def _taken_name(self, candidate: Candidate) -> str:
        if candidate.name not in self.taken:
            return ""
        return f"{candidate.name} is the name of a function that waits for somebody's decision: give it another name"

    def _wrong_shape(self, candidate: Candidate) -> str:
        given = candidate.contract.shape
        if self.shape is None or given is self.shape or {given, self.shape} == {Shape.TABLE, Shape.FITTED}:
            return ""  # fitted functions clean tables as well
        return (
            f"the contract says the shape `{given}`, and this run is for the shape `{self.shape}`: "
            f"write {_FUNCTION_OF[self.shape]}, and the shape `{self.shape}` in its CONTRACT"
        )

    def _wrong_replacement(self, candidate: Candidate) -> str:
        replaced = candidate.contract.replaces
        if not replaced or self.may_replace is None or replaced in self.may_replace:
            return ""
        names = ", ".join(sorted(self.may_replace)[:10]) or "none at all"
        return f"the contract replaces {replaced!r}, which is no function that may be replaced here ({names})"


class Gate(Protocol):
    """Decides whether a candidate is promoted."""

    def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        """Judge one candidate. Nothing that the candidate does raises; if the infrastructure keeps failing: `infra`."""
        ...

    def recheck(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        """Judge again a candidate that passed, together with the functions promoted since.

        Results that those functions cannot change may be copied from its verdict; the rest is judged as with `quick`.
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
class Costless(Protocol):
    """A proposer whose answer depends on the request alone and costs nothing: it may be asked ahead, or in vain."""

    @property
    def costs_nothing(self) -> bool: ...


@runtime_checkable
class Tester(Protocol):
    """Says what should become of rows about which the gate has concerns. A language model's proposer is one as well."""

    @property
    def has_tester(self) -> bool:
        """Whether anybody plays the tester, and may be shown the rows."""
        ...

    def testify(self, request: WitnessRequest) -> WitnessAnswer:
        """What should become of the rows, as far as that is certain. Raises ProposalError."""
        ...


@runtime_checkable
class Replayable(Protocol):
    """A proposer whose answers are, or may be, recorded: its run draws the gate's random choices from this secret.

    So the gate says the same when the answers are played again, and the model is asked the same.
    """

    @property
    def gate_secret(self) -> str: ...


@runtime_checkable
class Planner(Protocol):
    """Looks from time to time at the run as a whole. A proposer may also be a planner: the run then asks it."""

    def consolidate(self, request: ConsolidationRequest) -> Consolidation:
        """Which promoted functions overlap, and what could replace them. Raises ProposalError."""
        ...


class Registry(Protocol):
    """The append-only store of promoted functions."""

    def promote(
        self, candidate: Candidate, evidence: Evidence, *, accepted: str = "", ends: Collection[Promoted] | None = None
    ) -> Promoted:
        """Store the function with its whole evidence, or nothing. Raises RegistryError on conflict.

        `accepted`: the verdict is `hold`, and the user approves of it, for this reason. `ends`: the only functions that
        may go out of use by it, or cannot be approved any more (None: any that has its name, or that it replaces).
        """
        ...

    def hold(self, candidate: Candidate, evidence: Evidence) -> Promoted:
        """Store a function whose verdict is `hold`, to be approved by a person; it is not in use until then."""
        ...

    def held(self) -> tuple[Promoted, ...]:
        """The functions that wait for somebody's approval."""
        ...

    def suspended(self) -> tuple[Promoted, ...]:
        """The functions that are out of use until somebody approves them: no verdict lets one in again."""
        ...

    def functions(self) -> tuple[Promoted, ...]:
        """The active functions in the order in which they are applied."""
        ...

    def applicable(self) -> tuple[Promoted, ...]:
        """The active functions. Raises NotVerified unless people have approved each of them, as is demanded."""
        ...

    def log_proof(self) -> LogProof | None:
        """What proves that the functions' envelopes are in the registry's log; None where there is no log."""
        ...

    def revoke(self, name: str, reason: str) -> Promoted:
        """Take the active version out of use. Raises UsageError when there is none."""
        ...


class Disposable(Protocol):
    """A process with no privileges that reads hostile bytes and is thrown away."""

    def call(self, request: bytes) -> bytes:
        """One request in a fresh process. Raises DisposableDied when it dies, times out or writes too much.

        SandboxError when none can be made, which says nothing about the request.
        """
        ...

    def close(self) -> None: ...


class SandboxAccess(NamedTuple):
    """What is needed to run functions: the sandbox, the decoder of its output, and the limits of each child.

    `audit`: how much of what they made is made once more and compared, where they are applied. `columns`: the rules of
    the policy for what they change there.
    """

    sandbox: Sandbox
    decoder: Disposable
    limits: Limits = Limits()
    audit: AuditPolicy = AuditPolicy()
    columns: Mapping[str, ColumnRule] = MappingProxyType({})
