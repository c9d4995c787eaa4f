"""What all iterations on one chunk share. Made by `chunk_worker`, used by `iteration`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from orchestrator.core.ports import Sample
from orchestrator.core.promoted import Promoted
from orchestrator.core.requests import PromotedSummary, RejectedCandidate
from orchestrator.core.steps import AnyStep
from orchestrator.run.journal.cursor import StepStream
from orchestrator.run.loop.rejected_files import RejectedFiles
from orchestrator.run.loop.run_context import CleanedSample, RunContext
from orchestrator.run.loop.speculative_verification import SpeculativeVerification


class CandidateFate(Enum):
    """What became of a proposed function, its repairs included."""

    PROMOTED = "promoted"
    OVERTAKEN = "overtaken"  # it passed, but fails together with what other lanes have promoted since
    HELD = "held"
    GIVEN_UP = "given-up"
    REPEATED = "repeated"  # a file that was rejected before, also after the proposer was told so


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
