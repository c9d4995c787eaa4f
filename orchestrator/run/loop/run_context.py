"""What the modules of the loop share: the ports, the task, and the coordination of the lanes of one run."""

import hashlib
import hmac
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from orchestrator.core.candidate import Candidate, Contract, Example, Shape
from orchestrator.core.conventions import Conventions
from orchestrator.core.differences import VersionDiff
from orchestrator.core.ports import Gate, Proposer, Registry, Sample
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.steps import AnyStep
from orchestrator.core.verdict import CheckResult, Verdict
from orchestrator.core.witnesses import Witnesses
from orchestrator.run.apply.residual import Rest
from orchestrator.run.journal.cursor import RecordedSteps

ResidualOf = Callable[[Sample, Sequence[Promoted]], Rest]
OnHold = Literal["reject", "keep", "accept"]
MustFollow = Callable[[Sample, Sequence[Promoted], Candidate, Evidence], Evidence]
Differences = Callable[[Sample, Promoted, Candidate, Evidence], VersionDiff]


def any_order(sample: Sample, functions: Sequence[Promoted], candidate: Candidate, evidence: Evidence) -> Evidence:
    """A MustFollow that tries no orders: the evidence stays without functions that must come first."""
    del sample, functions, candidate
    return evidence


def unlimited() -> None:
    """A `check_time` of a run that may take as long as it takes."""


def not_compared(sample: Sample, old: Promoted, candidate: Candidate, evidence: Evidence) -> VersionDiff:
    """A Differences that looks at no rows."""
    del sample, evidence
    return VersionDiff(name=candidate.name, old=old.version, new=0, replaced=old.name)


@dataclass(frozen=True)
class RunContext:
    """The ports, the steps of an interrupted run, and where to report. Each of them is safe for threads.

    `on_hold`: what becomes of a candidate with concerns that nobody settles. `residual`: applies promoted functions to
    a sample. `must_follow`: adds the functions that must come first.
    `check_time`: raises BudgetExceeded when the time of the run is used up; asked before each proposal.
    `differences`: what a proved candidate makes of rows that the function that it replaces does not.
    """

    proposer: Proposer
    gate: Gate
    registry: Registry
    residual: ResidualOf
    record: Callable[[AnyStep], None]
    on_check: Callable[[CheckResult], None]
    recorded: RecordedSteps = field(default_factory=RecordedSteps)
    must_follow: MustFollow = any_order
    differences: Differences = not_compared
    on_hold: OnHold = "keep"
    check_time: Callable[[], None] = unlimited


@dataclass(frozen=True)
class RunTask:
    """What the run is about: part of every proposal and of the evidence.

    `prompt_sha256`: of the prompts that the model is asked with; empty where no model is asked. `gate_secret`: no
    candidate knows it; together with a candidate's hash it gives the gate's random choices.
    """

    instruction: str = ""
    shape: Shape = Shape.TABLE
    conventions: Conventions | None = None
    examples: tuple[Example, ...] = ()
    run_id: str = ""
    data_sha256: str = ""
    data_format: str = ""
    policy_sha256: str = ""
    prompt_sha256: str = ""
    gate_secret: str = ""

    def gate_seed(self, sha256: str) -> int | None:
        """What the gate draws from for the candidate with this hash; None where the run has no secret."""
        if not self.gate_secret:
            return None
        digest = hmac.digest(self.gate_secret.encode(), sha256.encode(), "sha256")
        return int.from_bytes(digest[:8], "big")

    def evidence(self, verdict: Verdict, proposer: str, witnesses: Witnesses | None = None) -> Evidence:
        """Why a function is promoted in this run."""
        return Evidence(
            verdict=verdict,
            policy_sha256=self.policy_sha256,
            proposer=proposer,
            run_id=self.run_id,
            data_sha256=self.data_sha256,
            prompt_sha256=self.prompt_sha256,
            witnesses=witnesses or Witnesses(),
        )

    def witnesses(self, contract: Contract, tests: Sequence[Example]) -> Witnesses:
        """Who said what a function with this contract is to do: the user, and the tester with `tests`."""
        said = Witnesses(
            examples=self.examples, tests=tuple(tests), instruction=self.instruction, conventions=self.conventions
        )
        return said.about(contract)

    def own(self, functions: Iterable[Promoted]) -> tuple[Promoted, ...]:
        """Those that this run promoted. Only they may be merged: in a shared registry others are used elsewhere."""
        return tuple(function for function in functions if function.evidence.run_id == self.run_id)


class CleanedSample(NamedTuple):
    """Rows after these promoted functions, in this order. `replaced`: one more that is promoted and was left out."""

    functions: tuple[Promoted, ...]
    sample: Sample
    replaced: Promoted | None = None

    @property
    def against(self) -> str:
        """The fingerprint of all functions that are promoted."""
        left_out = () if self.replaced is None else (self.replaced,)
        return fingerprint(sorted((*self.functions, *left_out), key=lambda function: function.order))


class Stopped(Exception):
    """Another lane ended the run."""


class Coordinator:
    """Limits lanes to `calls` model calls at once and one promotion at a time, and to none of these after a stop."""

    def __init__(self, calls: int) -> None:
        self._calls = threading.BoundedSemaphore(calls)
        self._promotion = threading.Lock()
        self._stopped = threading.Event()
        self._abandoned = threading.Event()

    def stop(self) -> None:
        """End all model calls; candidates that were already proposed are still judged and promoted."""
        self._stopped.set()

    def abandon(self) -> None:
        """End model calls and promotions."""
        self._stopped.set()
        self._abandoned.set()

    @contextmanager
    def call(self) -> Iterator[None]:
        """Wait until one more model call may be made, for the time of the block. Raises Stopped."""
        with self._calls:
            if self._stopped.is_set():
                raise Stopped
            yield

    @contextmanager
    def promotion(self) -> Iterator[None]:
        """Hold the lock for changing the registry. Raises Stopped."""
        with self._promotion:
            if self._abandoned.is_set():
                raise Stopped
            yield


def fingerprint(functions: Sequence[Promoted]) -> str:
    """Identifies a state of the registry: the same functions in the same order give the same text."""
    listed = "\n".join(f"{f.name} {f.version} {f.candidate.sha256}" for f in functions)
    return hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()[:16]
