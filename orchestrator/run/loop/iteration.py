"""One iteration on a chunk: a proposal, its verdict, its repairs, and at best its promotion. Called by `chunk_worker`.

Every action is first looked up in the journal of an interrupted run. A candidate's failure is feedback; an
infrastructure failure is an exception.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from time import perf_counter

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.errors import CandidateError, DataError, SandboxError
from orchestrator.core.ports import Costless, VerifyRequest
from orchestrator.core.proposals import Analysis, FurtherFunction
from orchestrator.core.requests import ProposalRequest, RejectedCandidate, RepairRequest
from orchestrator.core.steps import AnalysisStep, CandidateStep, PromotionStep, RepairStep, VerificationStep
from orchestrator.core.verdict import Verdict
from orchestrator.run.loop.chunk_state import CandidateFate, ChunkState, summary_of
from orchestrator.run.loop.doubts import Doubted, Doubts
from orchestrator.run.loop.model_calls import ModelAnswer, analysis_step, ask, next_function, repair_step, too_late
from orchestrator.run.loop.promotion import CandidateAttempt, Promoter, TesterWord, combined
from orchestrator.run.loop.rejected_files import rejected_candidate
from orchestrator.run.loop.run_context import CleanedSample, Coordinator, RunContext, RunTask, fingerprint
from orchestrator.run.loop.speculative_verification import Questions, SpeculativeVerification


class Iteration:
    """The work on one proposal. `number` counts from 1.

    `remaining`: what the proposer is asked about again after it has called the rows clean, by column.
    """

    def __init__(
        self,
        number: int,
        chunk: ChunkState,
        context: RunContext,
        task: RunTask,
        coordinator: Coordinator,
        remaining: Mapping[str, str] | None = None,
    ) -> None:
        self._number = number
        self._chunk = chunk
        self._context = context
        self._task = task
        self._coordinator = coordinator
        self._ahead, chunk.ahead = chunk.ahead, None
        self._promoter = Promoter(context, task, self._ahead)
        self._doubts = Doubts(context, self._promoter, coordinator, chunk.stream, self._rows_of)
        self._remaining = remaining or {}
        self._before = tuple(chunk.history), tuple(chunk.rejected)
        self._more: tuple[FurtherFunction, ...] = ()

    @cached_property
    def rows(self) -> CleanedSample:
        """The chunk at the start of this iteration, computed at first use. Raises SandboxError."""
        return self._chunk.cleaned(self._context)

    def analyse(self, last: AnalysisStep | None = None) -> AnalysisStep:
        """The proposer's answer, with an error if it could not be read. Raises ProposalError if there was none.

        Nothing is asked while the `last` answer has functions left.
        """
        step = self._context.recorded.take(AnalysisStep, self._chunk.stream)
        if step is None and last is not None and last.more:
            step = next_function(last, self._number)
            self._context.record(step)
        if step is None:
            with self._coordinator.call():
                answer = too_late(self._context.check_time) or self._known() or self._ask(self.request)
            step = analysis_step(answer, self._chunk.stream.chunk, self._number)
            self._context.record(step)
            answer.raise_if_lost()
        self._chunk.history.append(step)
        self._more = step.more
        return step

    def _known(self) -> ModelAnswer[Analysis] | None:
        return None if self._ahead is None else self._ahead.answer(self.request)

    def _ask(self, request: ProposalRequest) -> ModelAnswer[Analysis]:
        return ask(lambda: self._context.proposer.analyse(request), Analysis())

    def work_on(self, analysis: AnalysisStep, max_repairs: int) -> list[CandidateFate]:
        """Judge the candidate and its repairs until one passes. Raises SandboxError, ProposalError, Stopped.

        More than one fate: the repair of a candidate with concerns was a function of other columns.
        """
        answer: AnalysisStep | RepairStep = analysis
        rejected: RejectedCandidate | None = None
        held: list[Doubted] = []
        tries = 0
        for attempt in count():
            if (source := answer.source) is None:
                break
            if (known := self._judged_before(source, answer.tests)) is not None:
                if held or not max_repairs or not self._chunk.failures.tell(source):
                    break
                answer = self._repair(analysis, answer, known, attempt + 1, repeated=True)
                continue
            tries += 1
            judged = Doubted(source, self._verify(source, attempt, answer.tests), answer.tests)
            if judged.verdict.held:
                judged, first = self._doubts.heard(self.request, analysis, judged), judged
                if judged is not first:
                    self._chunk.history.append(judged.step)
            if self._promoter.accepts(judged.verdict):
                return [*map(self._set_aside, self._beside(judged, held)), self._promote(judged)]
            if judged.verdict.held:
                narrowed, held = bool(held), [*self._beside(judged, held), judged]
                if narrowed or not self._doubts.may_narrow():
                    break
            elif held:  # the narrower function is no better: the one with the concern is kept
                break
            else:
                rejected = rejected_candidate(judged.source, judged.verdict, self._context.gate)
            if tries > max_repairs:
                break
            answer = self._repair(analysis, answer, judged, attempt + 1)
        if held:
            return [self._set_aside(one) for one in held]
        if rejected is not None:
            self._chunk.rejected.append(rejected)
        return [CandidateFate.GIVEN_UP if tries else CandidateFate.REPEATED]

    def _judged_before(self, source: str, tests: tuple[Example, ...]) -> Doubted | None:
        """What the gate said of this very file, if it would say the same again; None where it is to be judged.

        The journal of an older version may have judged it nevertheless: then its steps are taken.
        """
        failures = self._chunk.failures
        if source not in failures or isinstance(self._context.recorded.peek(self._chunk.stream), CandidateStep):
            return None
        step = failures.same(source, self._rows_of(source).against, tests)
        return None if step is None else Doubted(source, step, tests)

    def _beside(self, repair: Doubted, held: Sequence[Doubted]) -> list[Doubted]:
        """Those in whose place the repair cannot be, since it is about other columns."""
        columns = self._columns(repair)
        return [one for one in held if columns and (own := self._columns(one)) and columns.isdisjoint(own)]

    def _columns(self, judged: Doubted) -> frozenset[str]:
        contract = self._context.gate.read(judged.source).contract
        return frozenset(contract.named)

    def _set_aside(self, held: Doubted) -> CandidateFate:
        """Keep a candidate with concerns for somebody to decide, or give it up. The proposer is told of it."""
        waits = self._context.on_hold != "reject"
        self._chunk.rejected.append(rejected_candidate(held.source, held.verdict, self._context.gate, waits=waits))
        if not waits:
            return CandidateFate.GIVEN_UP
        self._doubts.hold(held)
        return CandidateFate.HELD

    @cached_property
    def request(self) -> ProposalRequest:
        """What the proposer may see in this iteration; the same for the analysis and for its repairs."""
        history, rejected = self._before
        own = self._task.own(self.rows.functions)
        return ProposalRequest(
            rows=self.rows.sample.working,
            instruction=self._task.instruction,
            conventions=self._task.conventions,
            promoted=tuple(summary_of(promoted, own=promoted in own) for promoted in self.rows.functions),
            rejected=rejected,
            chunk_index=self._chunk.stream.chunk,
            iteration=self._number,
            history=history,
            shape=self._task.shape,
            remaining=tuple(f"{name}: {words}" if name else words for name, words in self._remaining.items()),
            focus=tuple(name for name in self._remaining if name),
            data_format=self._task.data_format,
            before=self._chunk.whole.working,
        )

    def _rows_of(self, source: str) -> CleanedSample:
        """The rows on which the candidate is judged: without the function that it declares to replace."""
        try:
            replaced = self._context.gate.read(source).contract.replaces
        except CandidateError:
            return self.rows
        known = {function.name for function in self._task.own(self.rows.functions)}
        return self._chunk.cleaned(self._context, replaced) if replaced in known else self.rows

    def _attempt(self, number: int) -> CandidateAttempt:
        return CandidateAttempt(self._chunk.stream.chunk, self._number, number)

    def _verify(self, source: str, attempt: int, tests: Sequence[Example]) -> VerificationStep:
        recorded, stream = self._context.recorded, self._chunk.stream
        if recorded.take(CandidateStep, stream) is None:
            self._promoter.announce(self._attempt(attempt), source)
        step = recorded.take(VerificationStep, stream)
        if step is None:
            said = (*self._chunk.history, *self._doubts.witnesses)
            word = TesterWord.among(said, self._context.proposer.name) if tests else None
            where, rows = self._attempt(attempt), self._rows_of(source)
            step = self._promoter.judge(where, source, rows, tests=tests, word=word)
        self._chunk.history.append(step)
        self._chunk.failures.add(source, step, tests)
        return step

    def _repair(
        self,
        analysis: AnalysisStep,
        answer: AnalysisStep | RepairStep,
        judged: Doubted,
        attempt: int,
        *,
        repeated: bool = False,
    ) -> RepairStep:
        step = self._context.recorded.take(RepairStep, self._chunk.stream)
        if step is None:
            with self._coordinator.call():
                source, verdict, tests = judged.source, judged.verdict, judged.tests
                repair = RepairRequest(
                    self.request, source, answer.reply, verdict, attempt, analysis.issues, tests, repeated
                )
                repaired = ask(lambda: self._context.proposer.repair(repair), Analysis())
            step = repair_step(repaired, self._chunk.stream.chunk, self._number, attempt)
            self._context.record(step)
            repaired.raise_if_lost()
        self._chunk.history.append(step)
        return step

    def _promote(self, judged: Doubted) -> CandidateFate:
        """Promote the candidate, unless it fails together with what other lanes have promoted since."""
        recorded, stream = self._context.recorded, self._chunk.stream
        latest = judged.step
        while isinstance(following := recorded.peek(stream), VerificationStep):
            recorded.take(VerificationStep, stream)
            latest = following
        if isinstance(following, PromotionStep):
            recorded.take(PromotionStep, stream)
            return CandidateFate.PROMOTED
        if following is None and self._promoter.accepts(latest.verdict):
            with self._coordinator.promotion():
                return self._enter(judged, latest)
        return CandidateFate.OVERTAKEN

    def _enter(self, judged: Doubted, latest: VerificationStep) -> CandidateFate:
        start, source = perf_counter(), judged.source
        context, attempt = self._context, self._attempt(judged.step.attempt)
        candidate = context.gate.read(source)
        functions = context.registry.functions()
        promoted = next((f for f in functions if f.candidate.sha256 == candidate.sha256), None)
        differences = None
        if promoted is None:
            if fingerprint(functions) != latest.against:
                rows = self._chunk.cleaned(context, candidate.contract.replaces)
                latest = self._promoter.judge(attempt, source, rows, tests=judged.tests, again=True)
                if not self._promoter.accepts(latest.verdict):
                    return CandidateFate.OVERTAKEN
            verdict = combined(judged.verdict, latest.verdict)
            if any(one.candidate.sha256 == candidate.sha256 for one in context.registry.suspended()):
                self._chunk.rejected.append(rejected_candidate(source, verdict, self._context.gate, waits=True))
                return CandidateFate.GIVEN_UP  # somebody has to approve it: the summary says so
            rows = self._rows_of(source)
            differences = self._promoter.differences(candidate, verdict, rows)
            others = tuple(f for f in functions if rows.replaced is None or f.name != rows.replaced.name)
            if latest is judged.step and rows.replaced is None:
                self._look_ahead(candidate, verdict)
            promoted = self._promoter.enter(candidate, verdict, self._chunk.whole, others, judged.tests)
        elif context.recorded.promoted(candidate.sha256):
            return CandidateFate.OVERTAKEN  # by another lane; else by this one, killed before it recorded it
        self._promoter.record(attempt, promoted, start, differences)
        return CandidateFate.PROMOTED

    def _look_ahead(self, candidate: Candidate, verdict: Verdict) -> None:
        """Have the next iteration's candidate judged while this one, which has passed, is promoted."""
        proposer, more = self._context.proposer, self._more
        if self._number >= self._chunk.alone_from or not (more or isinstance(proposer, Costless)):
            return
        new = self._promoter.passed(candidate, verdict)
        try:
            rest = self._context.residual(self.rows.sample, [new])
        except (SandboxError, DataError):
            return  # the next iteration will meet it
        chunk = replace(self._chunk, history=[*self._chunk.history], rejected=[*self._chunk.rejected], ahead=None)
        following = Iteration(self._number + 1, chunk, self._context, self._task, self._coordinator)
        following.rows = CleanedSample((*self.rows.functions, *rest.functions), rest.sample)
        known = ModelAnswer(Analysis(source=more[0].source, tests=more[0].tests), 0.0) if more else None
        questions = Questions(
            ask=lambda proposal: known or self._ask(proposal),
            request=following._request_to_gate,
            verify=self._context.gate.verify,
        )
        self._chunk.ahead = SpeculativeVerification(following.request, questions)

    def _request_to_gate(self, answer: Analysis) -> VerifyRequest | None:
        """What the gate is asked of a first answer; None where it is no function, or replaces another one."""
        if answer.source is None:
            return None
        try:
            replaces = self._context.gate.read(answer.source).contract.replaces
        except CandidateError:
            replaces = ""
        return None if replaces else self._promoter.request(answer.source, self.rows, answer.tests)
