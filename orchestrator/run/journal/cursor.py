"""What the journal of an interrupted run already tells, so that `runs resume` does none of it again.

The loop is a function of the answers that it gets. On resume it is walked through from the start, and wherever the
journal holds the step that would be written next, that step is taken instead of asking a model, a gate or a registry.
Where the journal ends, the work goes on. Chunks are independent of each other here, so lanes resume as well.
"""

import threading
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from orchestrator.core.errors import UsageError
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    EndStep,
    PlanningStep,
    PromotionStep,
    RepairStep,
    ResumeStep,
    RunStep,
    VerificationStep,
)
from orchestrator.core.verdict import Outcome

Kind = TypeVar("Kind", bound=AnyStep)


class StepStream(NamedTuple):
    """Who writes steps one after the other: a chunk, or the planning after it."""

    chunk: int
    planning: bool = False


class RecordedSteps:
    """Steps by place; each is taken once, in order. Empty for a run that starts afresh."""

    def __init__(self, steps: Iterable[AnyStep] = ()) -> None:
        self._steps: dict[StepStream, deque[AnyStep]] = {}
        self._promoted: set[str] = set()
        self._planned = ""
        self._lock = threading.Lock()
        for step in steps:
            if isinstance(step, RunStep | ResumeStep | ApplyStep | EndStep):
                continue
            if isinstance(step, VerificationStep) and step.verdict.verdict is Outcome.INFRA:
                continue  # it says nothing of the candidate: to be judged again
            if isinstance(step, AnalysisStep | RepairStep | PlanningStep) and step.again:
                continue
            self._steps.setdefault(_place(step), deque()).append(step)
            self.note(step)

    def note(self, step: AnyStep) -> None:
        """Remember a promotion or a plan, also one that is new."""
        with self._lock:
            if isinstance(step, PromotionStep):
                self._promoted.add(step.sha256)
            elif isinstance(step, PlanningStep) and step.error is None and step.against:
                self._planned = step.against

    def promoted(self, sha256: str) -> bool:
        """Whether the journal knows that this source was promoted."""
        with self._lock:
            return sha256 in self._promoted

    def planned(self, against: str) -> bool:
        """Whether these functions are those that the planner looked at last."""
        with self._lock:
            return against == self._planned

    def peek(self, place: StepStream) -> AnyStep | None:
        """The step that comes next in this place; None where the journal ends."""
        steps = self._steps.get(place)
        return steps[0] if steps else None

    def take(self, kind: type[Kind], place: StepStream) -> Kind | None:
        """The next step of the place, None where the journal ends. Raises UsageError when it is of another kind."""
        step = self.peek(place)
        if step is None:
            return None
        if not isinstance(step, kind):
            raise UsageError(
                f"The journal does not fit: chunk {place.chunk + 1} goes on with '{step.kind}'.",
                advice="It was changed by hand or written by another version; start the run anew.",
            )
        self._steps[place].popleft()
        return step

    def last(self, place: StepStream) -> AnyStep | None:
        """The last step of the place."""
        steps = self._steps.get(place)
        return steps[-1] if steps else None


def _place(step: AnyStep) -> StepStream:
    assert not isinstance(step, RunStep | ResumeStep | ApplyStep | EndStep)  # noqa: S101 - left out by the caller
    planning = step.kind in {"planning", "merger"} or getattr(step, "iteration", 1) == 0
    return StepStream(step.chunk, planning)
