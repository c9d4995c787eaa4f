"""Consolidation: merges promoted functions that overlap, if that is shown to change no result.

Called by the loop every few chunks, if the proposer is also a planner: the planner proposes mergers, and `merger`
decides on each of them.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from orchestrator.core.candidate import Shape
from orchestrator.core.ports import Planner, Sample
from orchestrator.core.promoted import Promoted
from orchestrator.core.proposals import Consolidation
from orchestrator.core.requests import ConsolidationRequest
from orchestrator.core.steps import PlanningStep
from orchestrator.run.journal.cursor import StepStream
from orchestrator.run.loop.merger import MergerTrial
from orchestrator.run.loop.model_calls import ask
from orchestrator.run.loop.run_context import Coordinator, RunContext, RunTask, fingerprint


class Consolidator:
    """Asks the planner for mergers, and has each of them judged."""

    def __init__(self, planner: Planner, context: RunContext, task: RunTask, coordinator: Coordinator) -> None:
        self._planner = planner
        self._context = context
        self._task = task
        self._coordinator = coordinator

    def after(self, chunk: int, samples: Sequence[Sample]) -> None:
        """Plan after this chunk; `samples` are all chunks so far. Raises SandboxError, ProposalError, Stopped."""
        stream = StepStream(chunk, planning=True)
        plan = self._context.recorded.take(PlanningStep, stream)
        if plan is None:
            plan = self._plan(chunk, samples)
        for number, merger in enumerate(plan.mergers):
            with self._coordinator.promotion():
                MergerTrial(self._context, self._task, stream, number, merger).run(samples)

    def _plan(self, chunk: int, samples: Sequence[Sample]) -> PlanningStep:
        functions = _mergeable(self._task.own(self._context.registry.functions()))
        against = fingerprint(functions)
        if len(functions) < 2 or self._context.recorded.planned(against):
            step = PlanningStep(at=datetime.now(UTC), chunk=chunk)
            self._context.record(step)
            return step
        with self._coordinator.call():
            request = ConsolidationRequest(functions, samples[-1].working, self._task.instruction)
            answer = ask(lambda: self._planner.consolidate(request), Consolidation())
        step = PlanningStep(
            at=datetime.now(UTC),
            seconds=answer.seconds,
            usage=answer.usage,
            exchanges=answer.exchanges,
            error=answer.error,
            chunk=chunk,
            against=against,
            mergers=answer.value.mergers,
            again=answer.again,
            reply=answer.value.reply,
        )
        self._context.recorded.note(step)
        self._context.record(step)
        answer.raise_if_lost()
        return step


def _mergeable(functions: Sequence[Promoted]) -> tuple[Promoted, ...]:
    """All but the fitted ones: what one of these learnt is no part of another function, whatever the two do."""
    return tuple(one for one in functions if one.candidate.contract.shape is not Shape.FITTED)
