"""The main loop: chunk → residual → proposal → gate → promotion, until nothing is left to find or a limit is reached.

Called by `run.cleaning`. Everything that happens becomes a step: first in the journal, then told to the callbacks.
A candidate's failure is feedback; a broken machine ends the loop with an exception and leaves what was promoted in the
registry.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.conventions import Conventions
from orchestrator.core.errors import BudgetExceeded, CandidateError, ReplyError, SandboxError
from orchestrator.core.ports import Gate, Proposer, Registry, Sample
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.proposals import (
    Analysis,
    ChunkStatus,
    PromotedSummary,
    ProposalRequest,
    RepairRequest,
    TokenUsage,
)
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    CandidateStep,
    ChunkStep,
    PromotionStep,
    RepairStep,
    RunStatus,
    VerificationStep,
)
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.run.limits import RunLimits

if TYPE_CHECKING:
    from orchestrator.data.chunks import Chunk


@dataclass(frozen=True)
class Surroundings:
    """What the loop works with: the ports, and how to reach the people who watch."""

    proposer: Proposer
    gate: Gate
    registry: Registry
    residual: Callable[[Sample, Sequence[Promoted]], Sample]
    record: Callable[[AnyStep], None]
    on_check: Callable[[CheckResult], None]


@dataclass(frozen=True)
class Task:
    """What the run is about: part of every proposal and of the evidence."""

    instruction: str = ""
    conventions: Conventions | None = None
    examples: tuple[Example, ...] = ()
    run_id: str = ""
    data_sha256: str = ""
    policy_sha256: str = ""


@dataclass
class _Place:
    """Where in the run we are; every step carries it."""

    chunk: int = 0
    iteration: int = 0
    attempt: int = 0
    rejected: list[Candidate] = field(default_factory=list)


class Loop:
    """One run over the chunks of one data set. Counts what it promoted and what it gave up."""

    def __init__(self, surroundings: Surroundings, task: Task, limits: RunLimits) -> None:
        self._with = surroundings
        self._task = task
        self._limits = limits
        self.promoted = 0
        self.rejected = 0

    def run(self, chunks: "Iterable[Chunk]") -> RunStatus:
        """Work through the chunks. Raises SandboxError or ProposalError when the machinery or the model is gone."""
        quiet = 0
        status = RunStatus.CLEAN
        for chunk in chunks:
            try:
                found, finished = self._chunk(chunk)
            except BudgetExceeded:
                return RunStatus.BUDGET
            if not finished:
                status = RunStatus.LIMIT
            quiet = 0 if found else quiet + 1
            if quiet >= self._limits.saturation:
                break
        return status

    def _chunk(self, chunk: "Chunk") -> tuple[bool, bool]:
        """Whether anything was found in the chunk, and whether it was finished before a limit."""
        rows, hidden = chunk.working.num_rows, chunk.holdout.num_rows
        self._with.record(ChunkStep(at=_now(), chunk=chunk.index, rows=rows + hidden, holdout=hidden))
        place = _Place(chunk=chunk.index)
        found = False
        whole = Sample(chunk.working, chunk.holdout)
        for iteration in range(1, self._limits.max_iterations + 1):
            place.iteration, place.attempt = iteration, 0
            functions = self._with.registry.functions()
            sample = self._with.residual(whole, functions)
            request = self._request(sample, functions, place)
            analysis = self._analyse(request, place)
            if analysis is None:
                continue
            if analysis.source is None:
                return found, analysis.chunk_status is ChunkStatus.CLEAN
            found = True
            if not self._work_on(analysis, request, sample, functions, place):
                self.rejected += 1
                if len(place.rejected) >= self._limits.max_rejected:
                    return found, False
        return found, False

    def _request(self, sample: Sample, functions: Sequence[Promoted], place: _Place) -> ProposalRequest:
        return ProposalRequest(
            rows=sample.working,
            instruction=self._task.instruction,
            conventions=self._task.conventions,
            promoted=tuple(_summary(p) for p in functions),
            rejected=tuple(place.rejected),
            chunk_index=place.chunk,
            iteration=place.iteration,
        )

    def _analyse(self, request: ProposalRequest, place: _Place) -> Analysis | None:
        """The proposer's answer, or None when it could not be read (recorded; the loop goes on)."""
        start = perf_counter()
        try:
            analysis = self._with.proposer.analyse(request)
        except ReplyError as error:
            self._with.record(
                AnalysisStep(
                    at=_now(), seconds=perf_counter() - start, chunk=place.chunk, iteration=place.iteration,
                    error=error.message,
                )
            )  # fmt: skip
            return None
        self._with.record(
            AnalysisStep(
                at=_now(),
                seconds=perf_counter() - start,
                usage=analysis.usage,
                chunk=place.chunk,
                iteration=place.iteration,
                issues=analysis.issues,
                chunk_status=analysis.chunk_status,
                proposed=analysis.source is not None,
                reply=analysis.reply,
                notes=analysis.notes,
            )
        )
        return analysis

    def _work_on(
        self,
        analysis: Analysis,
        request: ProposalRequest,
        sample: Sample,
        functions: Sequence[Promoted],
        place: _Place,
    ) -> bool:
        """Judge the candidate and its repairs until one passes; True when one was promoted."""
        while analysis.source is not None:
            source = analysis.source
            verdict = self._verify(source, sample, functions, place)
            if verdict.passed:
                self._promote(source, verdict, place)
                return True
            place.rejected.append(self._known(source, verdict))
            if place.attempt >= self._limits.max_repairs:
                return False
            place.attempt += 1
            repaired = self._repair(RepairRequest(request, source, analysis.reply, verdict, place.attempt), place)
            if repaired is None:
                return False
            analysis = repaired
        return False

    def _verify(self, source: str, sample: Sample, functions: Sequence[Promoted], place: _Place) -> Verdict:
        chunk, iteration, attempt = place.chunk, place.iteration, place.attempt
        try:
            name = self._with.gate.read(source).name
        except CandidateError:
            name = "(unreadable)"
        self._with.record(
            CandidateStep(at=_now(), chunk=chunk, iteration=iteration, attempt=attempt, name=name, source=source)
        )
        start = perf_counter()
        verdict = self._with.gate.verify(
            source, sample, promoted=functions, examples=self._task.examples, on_check=self._with.on_check
        )
        seconds = perf_counter() - start
        self._with.record(
            VerificationStep(
                at=_now(), seconds=seconds, chunk=chunk, iteration=iteration, attempt=attempt, verdict=verdict
            )
        )
        if verdict.verdict is Outcome.INFRA:
            details = "; ".join(c.detail for c in verdict.checks if c.outcome is Outcome.INFRA)
            raise SandboxError(
                f"The sandbox broke while {name} was judged: {details}", advice="Look at `cleanroom doctor`."
            )
        return verdict

    def _repair(self, repair: RepairRequest, place: _Place) -> Analysis | None:
        start = perf_counter()
        error: str | None = None
        analysis: Analysis | None = None
        try:
            analysis = self._with.proposer.repair(repair)
        except ReplyError as failure:
            error = failure.message
        self._with.record(
            RepairStep(
                at=_now(),
                seconds=perf_counter() - start,
                usage=analysis.usage if analysis else TokenUsage(),
                error=error,
                chunk=place.chunk,
                iteration=place.iteration,
                attempt=place.attempt,
                proposed=analysis is not None and analysis.source is not None,
                reply=analysis.reply if analysis else "",
            )
        )
        return analysis

    def _promote(self, source: str, verdict: Verdict, place: _Place) -> None:
        start = perf_counter()
        evidence = Evidence(
            verdict=verdict,
            policy_sha256=self._task.policy_sha256,
            proposer=self._with.proposer.name,
            run_id=self._task.run_id,
            data_sha256=self._task.data_sha256,
        )
        promoted = self._with.registry.promote(self._with.gate.read(source), evidence)
        self.promoted += 1
        self._with.record(
            PromotionStep(
                at=_now(),
                seconds=perf_counter() - start,
                chunk=place.chunk,
                iteration=place.iteration,
                name=promoted.name,
                sha256=promoted.candidate.sha256,
                version=promoted.version,
            )
        )

    def _known(self, source: str, verdict: Verdict) -> Candidate:
        try:
            return self._with.gate.read(source)
        except CandidateError:
            return Candidate(source=source, name=verdict.candidate.name)


def _summary(promoted: Promoted) -> PromotedSummary:
    candidate = promoted.candidate
    return PromotedSummary(
        name=candidate.name, docstring=candidate.docstring, columns=candidate.contract.modifies or ()
    )


def _now() -> datetime:
    return datetime.now(UTC)
