"""One chunk from its first row to its end: residual → proposal → gate → promotion, until nothing is left or a limit.

Called by the loop, in one thread per chunk in flight. Every action is first looked up in what the journal of an
interrupted run tells. A candidate's failure is feedback; a broken machine is an exception.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.errors import CandidateError
from orchestrator.core.ports import Sample
from orchestrator.core.promoted import Promoted
from orchestrator.core.proposals import Analysis, ChunkStatus, Issue
from orchestrator.core.requests import PromotedSummary, ProposalRequest, RepairRequest
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    CandidateStep,
    ChunkEndStep,
    ChunkStep,
    PromotionStep,
    RepairStep,
    RunStatus,
    VerificationStep,
)
from orchestrator.core.verdict import Verdict
from orchestrator.run.journal.cursor import StepStream
from orchestrator.run.loop.context import Coordinator, RunContext, Task, fingerprint
from orchestrator.run.loop.limits import RunLimits
from orchestrator.run.loop.model_calls import analysis_step, asked, repair_step
from orchestrator.run.loop.stopping import untidy
from orchestrator.run.loop.verdicts import raise_if_infra, together

if TYPE_CHECKING:
    from orchestrator.data.chunks import Chunk


@dataclass(frozen=True)
class _Look:
    """The chunk as the promoted functions leave it."""

    functions: tuple[Promoted, ...]
    sample: Sample


class ChunkWorker:
    """The work on one chunk."""

    def __init__(
        self, chunk: "Chunk", surroundings: RunContext, task: Task, limits: RunLimits, traffic: Coordinator
    ) -> None:
        self._whole = Sample(chunk.working, chunk.holdout)
        self._with = surroundings
        self._task = task
        self._limits = limits
        self._traffic = traffic
        self._place = StepStream(chunk.index)
        self._recorded = surroundings.recorded
        self._look: _Look | None = None
        self._looked = 0  # the iteration in which the look was taken
        self._history: list[AnyStep] = []
        self._rejected: list[Candidate] = []
        self._earlier: tuple[tuple[AnyStep, ...], tuple[Candidate, ...]] = ((), ())  # both, before this iteration
        self._issues: tuple[Issue, ...] = ()
        self._tests: tuple[Example, ...] = ()  # by the independent tester, for this candidate and its repairs
        self._iteration = 0
        self._proposed = self._promoted = self._given_up = 0

    def run(self) -> ChunkEndStep:
        """Work until the chunk ends. Raises BudgetExceeded, SandboxError, ProposalError, Stopped."""
        ended = self._recorded.last(self._place)
        if isinstance(ended, ChunkEndStep):
            return ended
        if self._recorded.take(ChunkStep, self._place) is None:
            rows, hidden = self._whole.working.num_rows, self._whole.holdout.num_rows
            self._with.record(ChunkStep(at=_now(), chunk=self._place.chunk, rows=rows + hidden, holdout=hidden))
        unread = 0
        for iteration in range(1, self._limits.max_iterations + 1):
            self._iteration = iteration
            self._earlier = tuple(self._history), tuple(self._rejected)
            analysis = self._analyse()
            unread = unread + 1 if analysis.error is not None else 0
            if unread == self._limits.max_unread:
                break  # it would go on like this, and every question costs
            if unread:
                continue
            if analysis.source is None:
                left = untidy(self._current().sample)
                return self._end(self._natural(analysis, left), left)
            self._proposed += 1
            if not self._work_on(analysis):
                self._given_up += 1
                if len(self._rejected) >= self._limits.max_rejected:
                    break
        return self._end(RunStatus.LIMIT, {})

    def _natural(self, last: AnalysisStep, left: dict[str, int]) -> RunStatus:
        if last.chunk_status is not ChunkStatus.CLEAN or self._given_up:
            return RunStatus.GAVE_UP
        return RunStatus.FINISHED if left else RunStatus.CLEAN

    def _end(self, status: RunStatus, left: dict[str, int]) -> ChunkEndStep:
        step = ChunkEndStep(
            at=_now(),
            chunk=self._place.chunk,
            status=status,
            proposed=self._proposed,
            promoted=self._promoted,
            rejected=self._given_up,
            left=left,
        )
        self._with.record(step)
        return step

    def _current(self) -> _Look:
        """The look of this iteration, taken when it is first needed."""
        if self._look is None or self._looked != self._iteration:
            self._look, self._looked = self._newest(), self._iteration
        return self._look

    def _newest(self) -> _Look:
        functions = self._with.registry.functions()
        known = self._look
        if known is not None and _same(known.functions, functions[: len(known.functions)]):
            return _Look(functions, self._with.residual(known.sample, functions[len(known.functions) :]))
        return _Look(functions, self._with.residual(self._whole, functions))

    def _request(self) -> ProposalRequest:
        """What the proposer may see in this iteration; the same for the analysis and for its repairs."""
        look, (history, rejected) = self._current(), self._earlier
        return ProposalRequest(
            rows=look.sample.working,
            instruction=self._task.instruction,
            conventions=self._task.conventions,
            promoted=tuple(_summary(p) for p in look.functions),
            rejected=rejected,
            chunk_index=self._place.chunk,
            iteration=self._iteration,
            history=history,
            shape=self._task.shape,
        )

    def _analyse(self) -> AnalysisStep:
        """The proposer's answer; with an error when it could not be read (the loop goes on)."""
        step = self._recorded.take(AnalysisStep, self._place)
        if step is None:
            with self._traffic.call():
                request = self._request()
                answer = asked(lambda: self._with.proposer.analyse(request), Analysis())
            step = analysis_step(answer, self._place.chunk, self._iteration)
            self._with.record(step)
            answer.raise_if_lost()
        self._history.append(step)
        return step

    def _work_on(self, analysis: AnalysisStep) -> bool:
        """Judge the candidate and its repairs until one passes; False when it was given up."""
        answer: AnalysisStep | RepairStep = analysis
        self._issues, self._tests = analysis.issues, ()
        attempt = 0
        while answer.source is not None:
            self._tests = answer.tests  # a repair says anew by which of them it is to be held
            judged = self._verify(answer.source, attempt)
            if judged.verdict.passed:
                self._promote(answer.source, judged)
                return True
            self._rejected.append(self._known(answer.source, judged.verdict))
            if attempt >= self._limits.max_repairs:
                return False
            attempt += 1
            answer = self._repair(answer, judged.verdict, attempt)
        return False

    def _verify(self, source: str, attempt: int) -> VerificationStep:
        candidate = self._recorded.take(CandidateStep, self._place)
        if candidate is None:
            try:
                name = self._with.gate.read(source).name
            except CandidateError:
                name = "(unreadable)"
            candidate = CandidateStep(
                at=_now(), chunk=self._place.chunk, iteration=self._iteration, attempt=attempt, name=name, source=source
            )
            self._with.record(candidate)
        step = self._recorded.take(VerificationStep, self._place) or self._judge(source, attempt, self._current())
        self._history.append(step)
        return step

    def _judge(self, source: str, attempt: int, look: _Look, *, again: bool = False) -> VerificationStep:
        start = perf_counter()
        verdict = (self._with.gate.recheck if again else self._with.gate.verify)(
            source,
            look.sample,
            promoted=look.functions,
            examples=(*self._task.examples, *self._tests),
            on_check=self._with.on_check,
        )
        step = VerificationStep(
            at=_now(),
            seconds=perf_counter() - start,
            chunk=self._place.chunk,
            iteration=self._iteration,
            attempt=attempt,
            against=fingerprint(look.functions),
            verdict=verdict,
        )
        self._with.record(step)
        raise_if_infra(verdict)
        return step

    def _repair(self, answer: AnalysisStep | RepairStep, verdict: Verdict, attempt: int) -> RepairStep:
        step = self._recorded.take(RepairStep, self._place)
        if step is None:
            with self._traffic.call():
                repair = RepairRequest(
                    self._request(), answer.source or "", answer.reply, verdict, attempt, self._issues, self._tests
                )
                repaired = asked(lambda: self._with.proposer.repair(repair), Analysis())
            step = repair_step(repaired, self._place.chunk, self._iteration, attempt)
            self._with.record(step)
            repaired.raise_if_lost()
        self._history.append(step)
        return step

    def _promote(self, source: str, judged: VerificationStep) -> None:
        """Enter the registry, unless other lanes have entered something since by which the candidate fails."""
        latest = judged
        while isinstance(following := self._recorded.peek(self._place), VerificationStep):
            self._recorded.take(VerificationStep, self._place)
            latest = following
        if isinstance(following, PromotionStep):
            self._recorded.take(PromotionStep, self._place)
            self._promoted += 1
        elif following is None and latest.verdict.passed:
            with self._traffic.promotion():
                self._enter(source, judged, latest)

    def _enter(self, source: str, judged: VerificationStep, latest: VerificationStep) -> None:
        start = perf_counter()
        candidate = self._with.gate.read(source)
        functions = self._with.registry.functions()
        promoted = next((f for f in functions if f.candidate.sha256 == candidate.sha256), None)
        if promoted is None:
            if fingerprint(functions) != latest.against:
                latest = self._judge(source, judged.attempt, self._newest(), again=True)
                if not latest.verdict.passed:
                    return
            evidence = self._task.evidence(together(judged.verdict, latest.verdict), self._with.proposer.name)
            evidence = self._with.must_follow(self._whole, functions, candidate, evidence)
            promoted = self._with.registry.promote(candidate, evidence)
        elif self._recorded.promoted(candidate.sha256):
            return  # another lane came first; else this one did, and was killed before it could say so
        step = PromotionStep(
            at=_now(),
            seconds=perf_counter() - start,
            chunk=self._place.chunk,
            iteration=self._iteration,
            name=promoted.name,
            sha256=candidate.sha256,
            version=promoted.version,
        )
        self._recorded.note(step)
        self._with.record(step)
        self._promoted += 1

    def _known(self, source: str, verdict: Verdict) -> Candidate:
        try:
            return self._with.gate.read(source)
        except CandidateError:
            return Candidate(source=source, name=verdict.candidate.name)


def _same(left: Sequence[Promoted], right: Sequence[Promoted]) -> bool:
    return [(p.name, p.version) for p in left] == [(p.name, p.version) for p in right]


def _summary(promoted: Promoted) -> PromotedSummary:
    candidate = promoted.candidate
    return PromotedSummary(
        name=candidate.name, docstring=candidate.docstring, columns=candidate.contract.modifies or ()
    )


def _now() -> datetime:
    return datetime.now(UTC)
