"""Makes OpenTelemetry spans of the steps of a run, after the fact. Called by `otlp`.

Nothing is measured for it: a step says when it ended and how long it took. The parts of a verdict (the time in
containers, each check) have their true length, and stand one after the other inside it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from orchestrator.core.exchanges import Exchange
from orchestrator.core.steps import (
    ApplyStep,
    CandidateStep,
    ChunkEndStep,
    ChunkStep,
    EndStep,
    ResumeStep,
    RunStep,
    VerificationStep,
)
from orchestrator.core.steps.step_base import Step
from orchestrator.core.verdict import Verdict
from orchestrator.run.telemetry.allowed import Attributes, of_check, of_exchange, of_step, of_verdict

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_S = 1_000_000_000


class StepSpans:
    """Spans: run, chunk, candidate, container, check, model call, apply. For the steps of one run, in their order."""

    def __init__(self, tracer: "Tracer") -> None:
        self._tracer = tracer
        self._root: Span | None = None
        self._chunks: dict[int, Span] = {}
        self._begun: dict[tuple[int, int, int], int] = {}

    def see(self, step: Step) -> None:
        """Take the next step."""
        end = _ns(step.at)
        match step:
            case RunStep() | ResumeStep():
                self._root = self._begin("run", end - int(step.seconds * _S), of_step(step))
            case ChunkStep():
                self._chunks[step.chunk] = self._begin("chunk", end, of_step(step), self._root)
            case CandidateStep():
                self._begun[step.chunk, step.iteration, step.attempt] = end
            case VerificationStep():
                begun = self._begun.pop((step.chunk, step.iteration, step.attempt), None)
                start = min(begun or end, end - int(step.seconds * _S))
                self._verdict(step.verdict, start, end, of_step(step), self._chunks.get(step.chunk, self._root))
            case ApplyStep():
                self._whole("apply", end - int(step.seconds * _S), end, of_step(step), self._root)
            case ChunkEndStep():
                if (chunk := self._chunks.pop(step.chunk, None)) is not None:
                    chunk.set_attributes(of_step(step))
                    chunk.end(end)
            case EndStep():
                self._end(of_step(step), end)
            case _:
                pass
        parent = self._chunks.get(getattr(step, "chunk", -1), self._root)
        self._exchanges(step.exchanges, end, parent)

    def see_verdict(self, verdict: Verdict) -> None:
        """A verdict that is no part of a run."""
        end = _ns(datetime.now(UTC))
        self._verdict(verdict, end - int(verdict.timings.total_s * _S), end, of_verdict(verdict), None)

    def close(self) -> None:
        """End what a run that was broken off has left open."""
        self._end({}, _ns(datetime.now(UTC)))

    def _end(self, attributes: Attributes, end: int) -> None:
        for chunk in self._chunks.values():
            chunk.end(end)
        self._chunks.clear()
        if self._root is not None:
            self._root.set_attributes(attributes)
            self._root.end(end)
            self._root = None

    def _verdict(self, verdict: Verdict, start: int, end: int, attributes: Attributes, parent: "Span | None") -> None:
        candidate = self._begin("candidate", start, attributes, parent)
        # What ran side by side is shown one after the other, so the seconds may come to more than the verdict took.
        at = start + int((verdict.timings.screen_s + verdict.timings.wait_s) * _S)
        at = self._part("container", min(at, end), verdict.timings.sandbox_s, of_verdict(verdict), candidate)
        for check in verdict.checks:
            at = self._part("check", min(at, end), check.seconds, of_check(check), candidate)
        candidate.end(end)

    def _exchanges(self, exchanges: Sequence[Exchange], end: int, parent: "Span | None") -> None:
        at = end - int(sum(exchange.usage.seconds for exchange in exchanges) * _S)
        for exchange in exchanges:
            at = self._part("chat", at, exchange.usage.seconds, of_exchange(exchange), parent)

    def _part(self, name: str, at: int, seconds: float, attributes: Attributes, parent: "Span | None") -> int:
        end = at + int(seconds * _S)
        self._whole(name, at, end, attributes, parent)
        return end

    def _whole(self, name: str, start: int, end: int, attributes: Attributes, parent: "Span | None") -> None:
        self._begin(name, start, attributes, parent).end(end)

    def _begin(self, name: str, start: int, attributes: Attributes, parent: "Span | None" = None) -> "Span":
        from opentelemetry.trace import SpanKind, set_span_in_context

        context: Any = None if parent is None else set_span_in_context(parent)
        kind = SpanKind.CLIENT if name == "chat" else SpanKind.INTERNAL
        return self._tracer.start_span(name, context, kind, attributes, start_time=start)


def _ns(at: datetime) -> int:
    return int(at.timestamp() * _S)
