"""The steps that the journal of an interrupted run already has, so that `runs resume` repeats none of them.

The loop is a function of the answers that it gets. On resume it runs from the start, and wherever the journal
has the step that would be written next, that step is used instead of asking a model, a gate or a registry. Where the
journal ends, the work goes on. Each chunk has its own stream of steps, so runs with several lanes resume as well.
"""

import threading
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from orchestrator.core.errors import UsageError
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    ChunkEndStep,
    EndStep,
    HeldEntryStep,
    HoldStep,
    PlanningStep,
    PromotionStep,
    RepairStep,
    ResumeStep,
    RunStatus,
    RunStep,
    VerificationStep,
    WitnessStep,
)
from orchestrator.core.verdict import Outcome

StepT = TypeVar("StepT", bound=AnyStep)


class StepStream(NamedTuple):
    """Names one ordered sequence of steps: those of a chunk, or of the planning after it."""

    chunk: int
    planning: bool = False


class RecordedSteps:
    """Recorded steps by stream; each is taken once, in order. Empty for a new run.

    `limits`: those that hold now, as they are recorded: a chunk that ended at others goes on, and so does one that
    ended on answers which could not be read.
    """

    def __init__(self, steps: Iterable[AnyStep] = (), limits: Mapping[str, Any] | None = None) -> None:
        self._steps: dict[StepStream, deque[AnyStep]] = {}
        self._promoted: set[str] = set()
        self._planned = ""
        self._holds: list[HoldStep] = []
        self._settled: set[str] = set()
        self._lock = threading.Lock()
        held = limits
        for step in steps:
            if isinstance(step, RunStep | ResumeStep | ApplyStep | EndStep):
                held = getattr(step, "configuration", {}).get("limits", held)
                if isinstance(step, EndStep):
                    self._forget_unread_ends()
                continue
            if held != limits and _is_limit(step):
                _forget_unread(self._steps.get(_stream_of(step)))
                continue
            if isinstance(step, VerificationStep) and step.verdict.verdict is Outcome.INFRA:
                continue  # it says nothing about the candidate, which is judged again
            if isinstance(step, AnalysisStep | RepairStep | WitnessStep | PlanningStep) and step.again:
                continue
            if isinstance(step, HeldEntryStep):
                self.note(step)
                continue
            self._steps.setdefault(_stream_of(step), deque()).append(step)
            self.note(step)

    def _forget_unread_ends(self) -> None:
        """The run ended: where a chunk did so on answers that could not be read, these are asked for again."""
        for steps in self._steps.values():
            if len(steps) > 1 and _is_limit(steps[-1]) and is_unread(steps[-2]):
                steps.pop()
                _forget_unread(steps)

    def note(self, step: AnyStep) -> None:
        """Remember a promotion, a plan or what is held, whether from the journal or new."""
        with self._lock:
            if isinstance(step, HoldStep):
                self._holds.append(step)
            elif isinstance(step, HeldEntryStep):
                self._settled.add(step.sha256)
            if isinstance(step, PromotionStep):
                self._promoted.add(step.sha256)
            elif isinstance(step, PlanningStep) and step.error is None and step.against:
                self._planned = step.against

    def promoted(self, sha256: str) -> bool:
        """Whether this source was promoted."""
        with self._lock:
            return sha256 in self._promoted

    def held(self) -> tuple[HoldStep, ...]:
        """All that is held so far, in the order in which it was."""
        with self._lock:
            return tuple(self._holds)

    def settled(self, sha256: str) -> bool:
        """Whether this held source has entered the registry, or was found not to fit there."""
        with self._lock:
            return sha256 in self._settled

    def planned(self, against: str) -> bool:
        """Whether the planner was last asked about functions with this fingerprint."""
        with self._lock:
            return against == self._planned

    def peek(self, stream: StepStream) -> AnyStep | None:
        """The next step of the stream; None at the end of the journal."""
        steps = self._steps.get(stream)
        return steps[0] if steps else None

    def take(self, kind: type[StepT], stream: StepStream) -> StepT | None:
        """Remove the next step; None at the end of the journal. Raises UsageError for a step of another kind."""
        step = self.peek(stream)
        if step is None:
            return None
        if not isinstance(step, kind):
            raise UsageError(
                f"The journal does not fit: chunk {stream.chunk + 1} goes on with '{step.kind}'.",
                advice="It was changed by hand or written by another version; start a new run.",
            )
        self._steps[stream].popleft()
        return step

    def last(self, stream: StepStream) -> AnyStep | None:
        """The last step of the stream."""
        steps = self._steps.get(stream)
        return steps[-1] if steps else None


def is_unread(step: AnyStep) -> bool:
    """Whether it is an answer that could not be read, or that a content filter held back."""
    return isinstance(step, AnalysisStep) and step.error is not None and not step.again


def _is_limit(step: AnyStep) -> bool:
    return isinstance(step, ChunkEndStep) and step.status is RunStatus.LIMIT


def _forget_unread(steps: deque[AnyStep] | None) -> None:
    while steps and is_unread(steps[-1]):
        steps.pop()


def _stream_of(step: AnyStep) -> StepStream:
    assert not isinstance(step, RunStep | ResumeStep | ApplyStep | EndStep)  # noqa: S101 - left out by the caller
    planning = step.kind in {"planning", "merger"} or getattr(step, "iteration", 1) == 0
    return StepStream(step.chunk, planning)
