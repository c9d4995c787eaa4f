"""Asks a proposer or planner, so that every answer, even a missing one, becomes a step with its cost.

Called by `iteration` and `consolidation`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Generic, TypeVar

from orchestrator.core.errors import BudgetExceeded, ProposalError, ReplyError
from orchestrator.core.exchanges import Exchange, TokenUsage
from orchestrator.core.proposals import Analysis, Consolidation, WitnessAnswer
from orchestrator.core.steps import AnalysisStep, RepairStep, WitnessStep

Answer = TypeVar("Answer", Analysis, Consolidation, WitnessAnswer)


@dataclass(frozen=True)
class ModelAnswer(Generic[Answer]):
    """The answer. After a failure `value` is empty."""

    value: Answer
    seconds: float
    failure: ProposalError | None = None

    @property
    def usage(self) -> TokenUsage:
        return self.value.usage if self.failure is None else self.failure.usage or TokenUsage()

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return self.value.exchanges if self.failure is None else self.failure.exchanges

    @property
    def error(self) -> str | None:
        return self.failure.message if self.failure else None

    @property
    def again(self) -> bool:
        """Whether there was no answer at all, so that a resumed run asks again."""
        return self.failure is not None and not isinstance(self.failure, ReplyError)

    def raise_if_lost(self) -> None:
        """Raise a failure that ends the run: no budget, or no model."""
        if self.failure is not None and self.again:
            raise self.failure


def ask(question: Callable[[], Answer], nothing: Answer) -> ModelAnswer[Answer]:
    """Ask the question. A failure of the model side is returned as a value that holds `nothing`; others are raised."""
    start = perf_counter()
    try:
        return ModelAnswer(question(), perf_counter() - start)
    except ProposalError as failure:
        return ModelAnswer(nothing, perf_counter() - start, failure)


def too_late(check_time: Callable[[], None]) -> ModelAnswer[Analysis] | None:
    """The missing answer to a question for which the run has no time left; None while it has."""
    try:
        check_time()
    except BudgetExceeded as failure:
        return ModelAnswer(Analysis(), 0.0, failure)
    return None


def analysis_step(answer: ModelAnswer[Analysis], chunk: int, iteration: int) -> AnalysisStep:
    """The answer to a first question."""
    analysis = answer.value
    return AnalysisStep(
        **_common(answer),
        chunk=chunk,
        iteration=iteration,
        issues=analysis.issues,
        chunk_status=analysis.chunk_status,
        findings=analysis.findings,
        notes=analysis.notes,
        more=analysis.more,
        lost=analysis.lost,
    )


def next_function(last: AnalysisStep, iteration: int) -> AnalysisStep:
    """The step of the next function of an answer: nothing was asked for it."""
    first, *rest = last.more
    return AnalysisStep(
        at=datetime.now(UTC),
        chunk=last.chunk,
        iteration=iteration,
        issues=last.issues,
        proposed=True,
        source=first.source,
        tests=first.tests,
        more=tuple(rest),
    )


def repair_step(answer: ModelAnswer[Analysis], chunk: int, iteration: int, attempt: int) -> RepairStep:
    """The answer to a rejected candidate."""
    return RepairStep(
        **_common(answer),
        chunk=chunk,
        iteration=iteration,
        attempt=attempt,
    )


def witness_step(
    answer: ModelAnswer[WitnessAnswer], chunk: int, iteration: int, attempt: int, rows: int
) -> WitnessStep:
    """The tester's answer about rows with concerns."""
    return WitnessStep(
        at=datetime.now(UTC),
        seconds=answer.seconds,
        usage=answer.usage,
        exchanges=answer.exchanges,
        error=answer.error,
        chunk=chunk,
        iteration=iteration,
        attempt=attempt,
        rows=rows,
        tests=answer.value.tests,
        again=answer.again,
    )


def _common(answer: ModelAnswer[Analysis]) -> dict[str, Any]:
    """What the steps of first questions and of repairs share."""
    analysis = answer.value
    return {
        "at": datetime.now(UTC),
        "seconds": answer.seconds,
        "usage": answer.usage,
        "exchanges": answer.exchanges,
        "error": answer.error,
        "proposed": analysis.source is not None,
        "again": answer.again,
        "source": analysis.source,
        "tests": analysis.tests,
        "reply": analysis.reply,
    }
