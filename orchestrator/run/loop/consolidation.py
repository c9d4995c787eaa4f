"""Consolidation: promoted functions that overlap become one, where that is proved to change nothing.

Called by the loop every few chunks, when the proposer is a planner as well. A merger is adopted only when it passes the
same gate as every candidate, and when the functions with it leave every row of all chunks so far, holdout included, as
the functions without it do. The functions that it replaces are revoked then; in all other cases nothing changes.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from time import perf_counter
from typing import NamedTuple

import pyarrow as pa

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import CandidateError, SandboxError
from orchestrator.core.ports import Planner, Sample
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.proposals import Consolidation, Merger
from orchestrator.core.requests import ConsolidationRequest
from orchestrator.core.steps import CandidateStep, MergerStep, PlanningStep, PromotionStep, VerificationStep
from orchestrator.core.verdict import Counterexample, Verdict
from orchestrator.gate.judge.compare import difference, shown_rows
from orchestrator.run.journal.cursor import StepStream
from orchestrator.run.loop.context import Coordinator, RunContext, Task, fingerprint
from orchestrator.run.loop.model_calls import asked
from orchestrator.run.loop.verdicts import raise_if_infra


class Consolidator:
    """One look at all promoted functions."""

    def __init__(self, planner: Planner, surroundings: RunContext, task: Task, traffic: Coordinator) -> None:
        self._planner = planner
        self._with = surroundings
        self._task = task
        self._traffic = traffic
        self._recorded = surroundings.recorded

    def after(self, chunk: int, samples: Sequence[Sample]) -> None:
        """Plan after this chunk; `samples` are all chunks so far. Raises SandboxError, ProposalError."""
        place = StepStream(chunk, planning=True)
        plan = self._recorded.take(PlanningStep, place)
        if plan is None:
            plan = self._ask(chunk, samples)
        for number, merger in enumerate(plan.mergers):
            self._merge(place, number, merger, samples)

    def _ask(self, chunk: int, samples: Sequence[Sample]) -> PlanningStep:
        functions = self._with.registry.functions()
        against = fingerprint(functions)
        if len(functions) < 2 or self._recorded.planned(against):
            step = PlanningStep(at=_now(), chunk=chunk)
            self._with.record(step)
            return step
        with self._traffic.call():
            request = ConsolidationRequest(functions, samples[-1].working, self._task.instruction)
            answer = asked(lambda: self._planner.consolidate(request), Consolidation())
        step = PlanningStep(
            at=_now(),
            seconds=answer.seconds,
            usage=answer.usage,
            exchanges=answer.exchanges,
            error=answer.error,
            chunk=chunk,
            against=against,
            mergers=answer.value.mergers,
            again=answer.again,
            reply=answer.value.reply,
        )
        self._recorded.note(step)
        self._with.record(step)
        answer.raise_if_lost()
        return step

    def _merge(self, place: StepStream, number: int, merger: Merger, samples: Sequence[Sample]) -> None:
        """Decide on one merger, and carry the decision out. Nobody else promotes anything meanwhile."""
        with self._traffic.promotion():
            _Trial(self._with, self._task, place, number, merger).run(samples)


class _Objection(NamedTuple):
    """Why a merger is refused: a sentence, and where it is about rows, the first of them."""

    reason: str
    counterexample: Counterexample | None = None


class _Trial:
    """One merger before the gate, and beside the functions that it would replace."""

    def __init__(self, surroundings: RunContext, task: Task, place: StepStream, number: int, merger: Merger) -> None:
        self._with = surroundings
        self._task = task
        self._place = place
        self._number = number
        self._merger = merger
        self._announced: CandidateStep | None = None
        self._judged: VerificationStep | None = None

    def run(self, samples: Sequence[Sample]) -> None:
        recorded = self._with.recorded
        if isinstance(recorded.peek(self._place), CandidateStep):
            self._announced = recorded.take(CandidateStep, self._place)
            self._judged = recorded.take(VerificationStep, self._place)
        decision = recorded.take(MergerStep, self._place)
        if decision is None:
            decision = self._decide(samples)
            self._with.record(decision)
        if decision.adopted and recorded.take(PromotionStep, self._place) is None:
            self._adopt(samples[-1])

    def _decide(self, samples: Sequence[Sample]) -> MergerStep:
        functions = self._with.registry.functions()
        name, objection = "(unreadable)", _misfit(self._merger, functions)
        try:
            candidate = self._with.gate.read(self._merger.source)
            name = candidate.name
            objection = objection or self._objection(candidate, functions, samples)
        except CandidateError as error:
            objection = objection or _Objection(error.message)
        return MergerStep(
            at=_now(),
            chunk=self._place.chunk,
            attempt=self._number,
            name=name,
            replaces=self._merger.replaces,
            adopted=objection is None,
            reason=objection.reason if objection else "",
            counterexample=objection.counterexample if objection else None,
        )

    def _objection(
        self, candidate: Candidate, functions: Sequence[Promoted], samples: Sequence[Sample]
    ) -> _Objection | None:
        """Why it cannot take their place; None when it can. Raises SandboxError."""
        others = [f for f in functions if f.name not in self._merger.replaces]
        rests = [self._with.residual(sample, others) for sample in samples]
        verdict = (self._judged or self._judge(candidate, others, rests)).verdict
        if not verdict.passed:
            return _Objection(f"rejected by {', '.join(check.id for check in verdict.failures)}")
        merged = Promoted(candidate=candidate, evidence=self._evidence(verdict), order=0, promoted_at=_now())
        for sample, rest in zip(samples, rests, strict=True):
            try:
                new = self._with.residual(rest, [merged])
            except SandboxError as error:
                if error.temporary:
                    raise
                return _Objection(error.message)
            if objection := _otherwise(sample, self._with.residual(sample, functions), new):
                return objection
        return None

    def _judge(self, candidate: Candidate, others: Sequence[Promoted], rests: Sequence[Sample]) -> VerificationStep:
        chunk = self._place.chunk
        if self._announced is None:
            self._with.record(
                CandidateStep(
                    at=_now(),
                    chunk=chunk,
                    iteration=0,
                    attempt=self._number,
                    name=candidate.name,
                    source=candidate.source,
                )
            )
        start = perf_counter()
        verdict = self._with.gate.verify(
            candidate.source,
            Sample(_joined([rest.working for rest in rests]), _joined([rest.holdout for rest in rests])),
            promoted=others,
            examples=self._task.examples,
            on_check=self._with.on_check,
        )
        self._judged = VerificationStep(
            at=_now(),
            seconds=perf_counter() - start,
            chunk=chunk,
            iteration=0,
            attempt=self._number,
            against=fingerprint(others),
            verdict=verdict,
        )
        self._with.record(self._judged)
        raise_if_infra(verdict)
        return self._judged

    def _adopt(self, sample: Sample) -> None:
        """Promote it and revoke what it replaces; where a killed run had done a part of this, the rest."""
        assert self._judged is not None  # noqa: S101 - what is adopted was judged
        start = perf_counter()
        candidate, registry = self._with.gate.read(self._merger.source), self._with.registry
        merged = next((f for f in registry.functions() if f.candidate.sha256 == candidate.sha256), None)
        if merged is None:
            others = [f for f in registry.functions() if f.name not in self._merger.replaces]
            evidence = self._evidence(self._judged.verdict)
            merged = registry.promote(candidate, self._with.must_follow(sample, others, candidate, evidence))
        for function in registry.functions():
            if function.name in self._merger.replaces and function.candidate.sha256 != candidate.sha256:
                registry.revoke(function.name, f"merged into {merged.name}, version {merged.version}")
        step = PromotionStep(
            at=_now(),
            seconds=perf_counter() - start,
            chunk=self._place.chunk,
            iteration=0,
            name=merged.name,
            sha256=candidate.sha256,
            version=merged.version,
        )
        self._with.recorded.note(step)
        self._with.record(step)

    def _evidence(self, verdict: Verdict) -> Evidence:
        return self._task.evidence(verdict, self._with.proposer.name)


def _misfit(merger: Merger, functions: Sequence[Promoted]) -> _Objection | None:
    names = {function.name for function in functions}
    if len(set(merger.replaces)) < 2:
        return _Objection("it would replace fewer than two functions")
    if missing := [name for name in merger.replaces if name not in names]:
        return _Objection(f"it would replace {missing[0]}, which is not in use")
    return None


def _joined(tables: Sequence[pa.Table]) -> pa.Table:
    return pa.concat_tables(tables, promote_options="permissive").combine_chunks()


def _otherwise(sample: Sample, wanted: Sample, got: Sample) -> _Objection | None:
    """How the merger's rows differ from those of the functions that it would replace, holdout included."""
    where = ("", " (rows that were held back)")
    for came, one, other, part in zip(sample, wanted, got, where, strict=True):
        said, row, columns = difference(one, other)
        if not said:
            continue
        shown = None
        if row is not None:
            values = shown_rows(one.select(columns), [row])[0]
            shown = Counterexample(
                input=shown_rows(came, [row], columns) if came.num_rows == one.num_rows else (),
                output=shown_rows(other, [row], columns),
                wanted="; ".join(f"{name}: {value!r}" for name, value in values.items()),
            )
        return _Objection(f"compared with the functions that it would replace, {said}{part}", shown)
    return None


def _now() -> datetime:
    return datetime.now(UTC)
