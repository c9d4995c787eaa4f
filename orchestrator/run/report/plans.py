"""What the planner asked for in a run, and what became of it. Called by `summary`."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.steps import AnyStep, MergerStep, PlanningStep
from orchestrator.run.report.candidates import CandidateHistory


@dataclass(frozen=True)
class MergerSummary:
    """One merger with the decision on it. `decision` is None if the run ended before it."""

    replaces: tuple[str, ...]
    source: str
    history: CandidateHistory | None  # None if the gate was not asked
    decision: MergerStep | None


@dataclass
class PlanSummary:
    """One plan of the planner."""

    chunk: int
    seconds: float
    usage: TokenUsage
    error: str | None
    mergers: list[MergerSummary] = field(default_factory=list)


def plans(steps: Sequence[AnyStep], candidates: Sequence[CandidateHistory]) -> list[PlanSummary]:
    """The plans of the run in order. Those with too little to merge, for which nothing was asked, are left out."""
    judged = {(one.chunk, one.attempt): one for one in candidates if one.iteration == 0}
    decided = {(step.chunk, step.attempt): step for step in steps if isinstance(step, MergerStep)}
    found = []
    for step in steps:
        if isinstance(step, PlanningStep) and (step.against or step.mergers or step.error):
            plan = PlanSummary(step.chunk, step.seconds, step.usage, step.error)
            for number, merger in enumerate(step.mergers):
                key = (step.chunk, number)
                plan.mergers.append(MergerSummary(merger.replaces, merger.source, judged.get(key), decided.get(key)))
            found.append(plan)
    return found
