"""What all iterations on one chunk share. Made by `chunk_worker`, used by `iteration`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from orchestrator.core.candidate import Example
from orchestrator.core.errors import CandidateError
from orchestrator.core.ports import Gate, Sample
from orchestrator.core.promoted import Promoted
from orchestrator.core.requests import PromotedSummary, RejectedCandidate
from orchestrator.core.steps import AnyStep, VerificationStep
from orchestrator.core.verdict import Verdict
from orchestrator.run.journal.cursor import StepStream
from orchestrator.run.loop.run_context import CleanedSample, RunContext
from orchestrator.run.loop.speculative_verification import SpeculativeVerification

_EXAMPLES = "examples"  # the check by the tester's examples, among others


class CandidateFate(Enum):
    """What became of a proposed function, its repairs included."""

    PROMOTED = "promoted"
    OVERTAKEN = "overtaken"  # it passed, but fails together with what other lanes have promoted since
    HELD = "held"
    GIVEN_UP = "given-up"
    REPEATED = "repeated"  # a file that was rejected before, also after the proposer was told so


class RejectedFiles:
    """The files that the gate has rejected in a chunk, so that none is judged again under the same conditions."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[VerificationStep, tuple[Example, ...]]]] = {}
        self._told: set[str] = set()

    def __contains__(self, source: str) -> bool:
        return source in self._known

    def add(self, source: str, step: VerificationStep, tests: Sequence[Example]) -> None:
        """Remember the verdict if it rejects the file; `tests`: the tester's examples by which it was judged."""
        if not (step.verdict.passed or step.verdict.held):
            self._known.setdefault(source, []).append((step, tuple(tests)))

    def same(self, source: str, against: str, tests: Sequence[Example]) -> VerificationStep | None:
        """The verdict that the gate would give again: beside the same functions.

        Where it failed by examples, only by the same ones of the tester.
        """
        for step, judged_by in self._known.get(source, ()):
            counts = any(check.id == _EXAMPLES for check in step.failures)
            if step.against == against and (not counts or judged_by == tuple(tests)):
                return step
        return None

    def tell(self, source: str) -> bool:
        """Whether the proposer is still to be told of the file that it is known; once for each."""
        new = source not in self._told
        self._told.add(source)
        return new


@dataclass
class ChunkState:
    """`whole` is the chunk as read, before any function.

    `ahead`: what was asked for the next iteration; iterations from `alone_from` on ask nothing for another one.
    """

    stream: StepStream
    whole: Sample
    alone_from: int = 0
    ahead: SpeculativeVerification | None = None
    history: list[AnyStep] = field(default_factory=list)
    rejected: list[RejectedCandidate] = field(default_factory=list)  # given up: without those that were repaired
    failures: RejectedFiles = field(default_factory=RejectedFiles)
    _cleaned: CleanedSample | None = None

    def cleaned(self, context: RunContext, replaced: str = "") -> CleanedSample:
        """The chunk after the functions that are promoted now, without the one that is `replaced`. Raises SandboxError.

        An empty or unknown name leaves out none.
        """
        if old := next((f for f in context.registry.functions() if f.name == replaced), None):
            others = tuple(f for f in context.registry.functions() if f.name != replaced)
            rest = context.residual(self.whole, others)
            return CleanedSample(rest.functions, rest.sample, old)
        functions = context.registry.functions()
        known = self._cleaned or CleanedSample((), self.whole)
        if not _same(known.functions, functions[: len(known.functions)]):
            known = CleanedSample((), self.whole)
        rest = context.residual(known.sample, functions[len(known.functions) :])
        self._cleaned = CleanedSample((*known.functions, *rest.functions), rest.sample)
        return self._cleaned


def _same(left: Sequence[Promoted], right: Sequence[Promoted]) -> bool:
    return [(p.name, p.version) for p in left] == [(p.name, p.version) for p in right]


def rejected_candidate(source: str, verdict: Verdict, gate: Gate) -> RejectedCandidate:
    """A candidate that was given up, as the proposer is told of it."""
    failed = tuple(check.id for check in verdict.failures)
    try:
        read = gate.read(source)
    except CandidateError:
        return RejectedCandidate(source=source, name=verdict.candidate.name, failed=failed)
    return RejectedCandidate(**dict(read), failed=failed)


def summary_of(promoted: Promoted, *, own: bool) -> PromotedSummary:
    """What the proposer is told of a promoted function; `own`: by this run."""
    candidate = promoted.candidate
    return PromotedSummary(
        name=candidate.name,
        docstring=candidate.docstring,
        columns=candidate.contract.modifies or (),
        adds=candidate.contract.adds,
        own=own,
    )
