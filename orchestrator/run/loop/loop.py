"""The main loop: chunk after chunk, several at a time, until nothing is left to find or a limit is reached.

Called by `run.loop.job`. Every event becomes a step: first in the journal, then sent to the callbacks. With one lane
the run is determined by its data and the answers; with several, chunks are worked on in parallel, and only the order of
promotions depends on timing.
"""

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from orchestrator.core.errors import BudgetExceeded, DataError, SandboxError
from orchestrator.core.ports import Planner, Sample
from orchestrator.core.steps import ChunkEndStep, RunStatus
from orchestrator.run.loop.chunk_worker import ChunkWorker
from orchestrator.run.loop.consolidation import Consolidator
from orchestrator.run.loop.held_entries import HeldEntries
from orchestrator.run.loop.run_context import Coordinator, RunContext, RunTask
from orchestrator.run.loop.scheduler import Scheduler
from orchestrator.run.loop.stopping import RunLimits, Saturation, overall, untidy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from orchestrator.data.chunks import Chunk

_IN_FLIGHT = 2  # chunks in flight per lane: while some are verified, others keep the model busy


class Loop:
    """One run over the chunks of one data set."""

    def __init__(self, context: RunContext, task: RunTask, limits: RunLimits) -> None:
        self._context = context
        self._task = task
        self._limits = limits
        self._coordinator = Coordinator(limits.lanes)
        threads = 1 if limits.lanes == 1 else _IN_FLIGHT * limits.lanes
        self._scheduler: Scheduler[Chunk, ChunkEndStep] = Scheduler(self._work, threads, self._coordinator.stop)
        self._saturation = Saturation(limits.saturation)
        self._samples: dict[int, Sample] = {}
        self._ends: dict[int, ChunkEndStep] = {}
        self.left: dict[str, int] = {}  # null words and stray blanks by column, in chunks that the budget broke off
        self._seen = 0  # number of the first chunks that have all ended

    @property
    def rejected(self) -> int:
        """Candidates that were given up, with all their repairs."""
        return sum(end.rejected for end in self._ends.values())

    def run(self, chunks: "Iterable[Chunk]") -> RunStatus:
        """Work through the chunks. Raises SandboxError or ProposalError when the infrastructure or the model fails."""
        status = None
        try:
            self._scheduler.run(chunks, self._ended)
            self._plan(last=True)
        except BudgetExceeded:
            status = RunStatus.BUDGET
            self.left = self._left()
        except BaseException:  # an interrupt does not wait for the lanes
            self._coordinator.abandon()
            raise
        HeldEntries(self._context, self._task).enter(self._samples)
        return status or overall(self._ends.values())

    def _left(self) -> dict[str, int]:
        """What is left in the chunks that were begun and not ended, as far as it can be measured."""
        found: Counter[str] = Counter()
        for index in sorted({*self._samples} - {*self._ends}):
            with suppress(SandboxError, DataError):
                rest = self._context.residual(self._samples[index], self._context.registry.functions())
                found += Counter(untidy(rest.sample, self._task.conventions))
        return dict(found)

    def _work(self, chunk: "Chunk") -> ChunkEndStep:
        self._samples[chunk.index] = Sample(chunk.working, chunk.holdout)
        return ChunkWorker(chunk, self._context, self._task, self._limits, self._coordinator).run()

    def _ended(self, end: ChunkEndStep) -> None:
        """Handle the ends in the order of the chunks, not in the order of time."""
        self._ends[end.chunk] = end
        while (following := self._ends.get(self._seen)) is not None:
            self._seen += 1
            self._plan()
            if self._saturation.add(following):
                self._scheduler.finish()

    def _plan(self, *, last: bool = False) -> None:
        """Consolidate every few chunks, and at the end of the run."""
        planner, every = self._context.proposer, self._limits.plan_every
        due = every and self._seen and (self._seen % every == 0) is not last
        if due and isinstance(planner, Planner):
            samples = [self._samples[index] for index in sorted(self._samples)]
            Consolidator(planner, self._context, self._task, self._coordinator).after(self._seen - 1, samples)
