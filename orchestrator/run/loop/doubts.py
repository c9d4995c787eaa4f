"""What a run does about a candidate with concerns: it asks the independent tester, and keeps what stays in doubt.

Called by `iteration`. A concern costs one question, about the rows that raised it, and one more verdict where the
tester knows what should become of them. What nobody settles, the proposer is asked once to leave alone.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Tester
from orchestrator.core.proposals import WitnessAnswer
from orchestrator.core.requests import ProposalRequest, WitnessRequest
from orchestrator.core.steps import AnalysisStep, HoldStep, RepairStep, VerificationStep, WitnessStep
from orchestrator.core.verdict import Verdict
from orchestrator.run.journal.cursor import StepStream
from orchestrator.run.loop.model_calls import ask, witness_step
from orchestrator.run.loop.promotion import CandidateAttempt, Promoter, TesterWord
from orchestrator.run.loop.rows_in_question import rows_in_question
from orchestrator.run.loop.run_context import CleanedSample, Coordinator, RunContext


class Doubted(NamedTuple):
    """A candidate with its newest verdict, and the examples of the tester by which it was judged."""

    source: str
    step: VerificationStep
    tests: tuple[Example, ...]

    @property
    def verdict(self) -> Verdict:
        return self.step.verdict


class Doubts:
    """Asks the tester, and sets aside what is held."""

    def __init__(
        self,
        context: RunContext,
        promoter: Promoter,
        coordinator: Coordinator,
        stream: StepStream,
        rows_of: Callable[[str], CleanedSample],
    ) -> None:
        self._context = context
        self._promoter = promoter
        self._coordinator = coordinator
        self._stream = stream
        self._rows_of = rows_of
        self.witnesses: list[WitnessStep] = []  # what the tester said

    def may_narrow(self) -> bool:
        """Whether the proposer is asked for a narrower function: where no tester has settled the concerns.

        In the journal of an older version nobody was, where the tester had been asked.
        """
        following = self._context.recorded.peek(self._stream)
        return following is None or isinstance(following, RepairStep)

    def heard(self, request: ProposalRequest, analysis: AnalysisStep, held: Doubted) -> Doubted:
        """The candidate, judged again by what the tester says of the rows, if anything. Raises ProposalError."""
        tester, recorded = self._context.proposer, self._context.recorded
        step = (
            recorded.take(WitnessStep, self._stream) if isinstance(recorded.peek(self._stream), WitnessStep) else None
        )
        if step is None:
            rows = rows_in_question(held.verdict)
            ended = recorded.peek(self._stream) is not None  # it was not asked then, and is not asked now
            if ended or not rows or not isinstance(tester, Tester) or not tester.has_tester:
                return held
            with self._coordinator.call():
                question = WitnessRequest(request, held.source, analysis.issues, rows)
                answer = ask(lambda: tester.testify(question), WitnessAnswer())
            place = held.step.iteration, held.step.attempt
            step = witness_step(answer, self._stream.chunk, *place, len(rows))
            self._context.record(step)
            answer.raise_if_lost()
        self.witnesses.append(step)
        if not step.tests:
            return held
        tests = (*held.tests, *step.tests)
        again = recorded.take(VerificationStep, self._stream)
        if again is None:
            attempt = CandidateAttempt(self._stream.chunk, held.step.iteration, held.step.attempt)
            word = TesterWord.among([step], self._context.proposer.name, held.verdict.concerns)
            again = self._promoter.judge(attempt, held.source, self._rows_of(held.source), tests=tests, word=word)
        return Doubted(held.source, again, tests)

    def hold(self, held: Doubted) -> None:
        """Record that the candidate is kept, unless the journal says so."""
        recorded, step = self._context.recorded, held.step
        if recorded.take(HoldStep, self._stream) is not None:
            return
        kept = HoldStep(
            at=datetime.now(UTC),
            chunk=step.chunk,
            iteration=step.iteration,
            attempt=step.attempt,
            name=held.verdict.candidate.name,
            source=held.source,
            sha256=held.verdict.candidate.sha256,
            against=step.against,
            verdict=held.verdict,
            tests=held.tests,
        )
        recorded.note(kept)
        self._context.record(kept)
