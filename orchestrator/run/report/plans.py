"""What the planner asked for in a run, and what became of it. Called by `summary`."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.steps import AnyStep, MergerStep, PlanningStep
from orchestrator.run.report.candidates import CandidateHistory


@dataclass(frozen=True)
class MergerSummary:
    """One merger with the decision on it. `decision` is None in a run that ended before."""

    replaces: tuple[str, ...]
    source: str
    history: CandidateHistory | None  # None where the gate was never asked
    decision: MergerStep | None


@dataclass
class PlanSummary:
    """One time that the planner was asked."""

    chunk: int
    seconds: float
    usage: TokenUsage
    error: str | None
    mergers: list[MergerSummary] = field(default_factory=list)


def plans(steps: Sequence[AnyStep], candidates: Sequence[CandidateHistory]) -> list[PlanSummary]:
    """The plans of the run in order. What was never asked, because there was too little to merge, is none."""
    judged = {(one.chunk, one.attempt): one for one in candidates if one.iteration == 0}
    decided = {(step.chunk, step.attempt): step for step in steps if isinstance(step, MergerStep)}
    found = []
    for step in steps:
        if isinstance(step, PlanningStep) and (step.against or step.mergers or step.error):
            plan = PlanSummary(step.chunk, step.seconds, step.usage, step.error)
            for number, merger in enumerate(step.mergers):
                place = (step.chunk, number)
                plan.mergers.append(
                    MergerSummary(merger.replaces, merger.source, judged.get(place), decided.get(place))
                )
            found.append(plan)
    return found
