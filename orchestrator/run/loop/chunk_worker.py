"""Works on one chunk: iteration after iteration, until nothing is left or a limit is reached.

Called by the loop, in one thread per chunk in flight.
"""

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from orchestrator.core.errors import BudgetExceeded
from orchestrator.core.ports import Sample
from orchestrator.core.proposals import ChunkStatus
from orchestrator.core.steps import AnalysisStep, ChunkEndStep, ChunkStep, LeftForm, RunStatus
from orchestrator.core.wording import counted
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.rules.exemptions.meant_words import meant_in
from orchestrator.propose.builtin.working_rows import profile
from orchestrator.propose.prompting.focus import still_found
from orchestrator.run.journal.cursor import StepStream
from orchestrator.run.loop.chunk_state import CandidateFate, ChunkState
from orchestrator.run.loop.iteration import Iteration
from orchestrator.run.loop.odd_left import odd_left
from orchestrator.run.loop.run_context import Coordinator, RunContext, RunTask
from orchestrator.run.loop.stopping import UNREAD, RunLimits, left_forms, untidy

if TYPE_CHECKING:
    from orchestrator.data.chunks import Chunk


class ChunkWorker:
    """The work on one chunk."""

    def __init__(
        self, chunk: "Chunk", context: RunContext, task: RunTask, limits: RunLimits, coordinator: Coordinator
    ) -> None:
        # With several lanes other chunks keep the processors busy, and promote in between.
        alone_from = limits.max_iterations if limits.lanes == 1 else 0
        self._chunk = ChunkState(StepStream(chunk.index), Sample(chunk.working, chunk.holdout), alone_from)
        self._context = context
        self._task = task
        self._limits = limits
        self._coordinator = coordinator
        self._fates: Counter[CandidateFate] = Counter()

    def run(self) -> ChunkEndStep:
        """Work until the chunk ends. Raises BudgetExceeded, SandboxError, ProposalError, Stopped."""
        ended = self._context.recorded.last(self._chunk.stream)
        if isinstance(ended, ChunkEndStep):
            return ended
        self._begin()
        unread, last = 0, None
        claim: AnalysisStep | None = None  # that the rows are clean, about which the proposer was asked once more
        remaining: dict[str, str] = {}
        for number in range(1, self._limits.max_iterations + 1):
            iteration = Iteration(number, self._chunk, self._context, self._task, self._coordinator, remaining)
            try:
                analysis = last = iteration.analyse(last)
            except BudgetExceeded:
                if claim is None or not remaining:
                    raise
                analysis = claim  # the budget was enough for all but the doubt
            if claim is not None and remaining and analysis.error is not None:
                analysis = claim  # no other word
            remaining = {}
            unread = unread + 1 if analysis.error is not None else 0
            if unread == self._limits.max_unread:  # more questions would end in the same way, and each costs money
                return self._limit(f"{unread} {UNREAD}, the last one: {(analysis.error or '').rstrip('.')}")
            if unread:
                continue
            if analysis.source is None:
                if claim is None and (remaining := self._doubts(analysis, iteration)):
                    claim = analysis
                    continue
                table = profile(iteration.rows.sample.working)
                preferences = Preferences.read(self._task.instruction, table, self._task.conventions)
                meant = {} if self._task.prompt_sha256 else meant_in(table, preferences)
                left = untidy(iteration.rows.sample, self._task.conventions, meant)
                request = iteration.request if self._task.prompt_sha256 else None
                forms = left_forms(iteration.rows.sample, left, request)
                odd = odd_left(iteration.rows.sample, preferences.untouched, self._task.conventions, forms)
                return self._end(self._natural(analysis, left, odd), left, forms=(*forms, *odd))
            self._fates.update(iteration.work_on(analysis, self._limits.max_repairs))
            if self._gave_up >= self._limits.max_rejected:
                return self._limit(self._given_up())
        return self._limit(f"{counted(self._limits.max_iterations, 'function')} proposed (--max-iterations)")

    def _doubts(self, analysis: AnalysisStep, iteration: Iteration) -> dict[str, str]:
        """What speaks against a model's word that the rows are clean, by column; rules would only say it again."""
        if analysis.chunk_status is not ChunkStatus.CLEAN or not self._task.prompt_sha256:
            return {}
        following = self._context.recorded.peek(self._chunk.stream)
        if isinstance(following, ChunkEndStep):
            return {}
        found = still_found(iteration.request)
        if self._task.instruction.strip() and not iteration.request.promoted:
            found[""] = "no function is in use yet that does anything of what was asked for"
        if following is not None and not found:  # other lanes have promoted since; the journal has the question
            found[""] = "this was asked before"
        return found

    def _given_up(self) -> str:
        """Why a chunk ends after what was rejected."""
        again = self._fates[CandidateFate.REPEATED]
        more = f", and {counted(again, 'proposal')} of a file that was rejected before" if again else ""
        return f"{counted(self._fates[CandidateFate.GIVEN_UP], 'function')} given up{more} (--max-rejected)"

    def _limit(self, reason: str) -> ChunkEndStep:
        return self._end(RunStatus.LIMIT, {}, reason)

    def _begin(self) -> None:
        stream, whole = self._chunk.stream, self._chunk.whole
        if self._context.recorded.take(ChunkStep, stream) is None:
            rows, holdout = whole.working.num_rows, whole.holdout.num_rows
            step = ChunkStep(at=datetime.now(UTC), chunk=stream.chunk, rows=rows + holdout, holdout=holdout)
            self._context.record(step)

    @property
    def _gave_up(self) -> int:
        return self._fates[CandidateFate.GIVEN_UP] + self._fates[CandidateFate.REPEATED]

    def _natural(self, last: AnalysisStep, left: dict[str, int], odd: tuple[LeftForm, ...]) -> RunStatus:
        """The end status of a chunk for which nothing more was proposed."""
        if last.chunk_status is not ChunkStatus.CLEAN or self._gave_up:
            return RunStatus.GAVE_UP
        return RunStatus.FINISHED if left or odd or self._fates[CandidateFate.HELD] else RunStatus.CLEAN

    def _end(
        self, status: RunStatus, left: dict[str, int], reason: str = "", forms: tuple[LeftForm, ...] = ()
    ) -> ChunkEndStep:
        step = ChunkEndStep(
            at=datetime.now(UTC),
            chunk=self._chunk.stream.chunk,
            status=status,
            proposed=self._fates.total(),
            promoted=self._fates[CandidateFate.PROMOTED],
            rejected=self._fates[CandidateFate.GIVEN_UP],
            held=self._fates[CandidateFate.HELD],
            left=left,
            reason=reason,
            forms=forms,
        )
        self._context.record(step)
        return step
