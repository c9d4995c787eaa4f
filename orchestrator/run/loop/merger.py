"""Decides on one merger: judged like every candidate, and compared with the functions that it would replace.

It is adopted only if it passes the gate, and if the functions with it give the same rows as the functions without it,
on all chunks so far, holdout included. What it replaces is then revoked; otherwise nothing changes. Called by
`consolidation`, while no other lane promotes anything.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, NamedTuple

import pyarrow as pa

from orchestrator.core.candidate import Candidate, Contract, Example
from orchestrator.core.errors import CandidateError, SandboxError
from orchestrator.core.ports import Sample
from orchestrator.core.promoted import Promoted
from orchestrator.core.proposals import Merger
from orchestrator.core.steps import CandidateStep, MergerStep, PromotionStep, VerificationStep
from orchestrator.core.verdict import Counterexample
from orchestrator.data.text import clean_text
from orchestrator.gate.judge.compare import difference, shown_rows
from orchestrator.run.journal.cursor import StepStream
from orchestrator.run.loop.promotion import CandidateAttempt, Promoter, TesterWord
from orchestrator.run.loop.run_context import CleanedSample, RunContext, RunTask


class _Objection(NamedTuple):
    """Why a merger is refused: a sentence, and the first row concerned, if any."""

    reason: str
    counterexample: Counterexample | None = None


class MergerTrial:
    """Decides on one merger, the `number`-th of its plan, and executes the decision."""

    def __init__(self, context: RunContext, task: RunTask, stream: StepStream, number: int, merger: Merger) -> None:
        self._context = context
        self._task = task
        self._stream = stream
        self._attempt = CandidateAttempt(stream.chunk, 0, number)
        self._merger = merger
        self._promoter = Promoter(context, task)
        self._announced = False
        self._judged: VerificationStep | None = None

    def run(self, samples: Sequence[Sample]) -> None:
        """Judge it on the chunks so far, unless the journal has the decision. Raises SandboxError."""
        recorded = self._context.recorded
        if isinstance(recorded.peek(self._stream), CandidateStep):
            self._announced = recorded.take(CandidateStep, self._stream) is not None
            self._judged = recorded.take(VerificationStep, self._stream)
        decision = recorded.take(MergerStep, self._stream)
        if decision is None:
            decision = self._decide(samples)
            self._context.record(decision)
        if decision.adopted and recorded.take(PromotionStep, self._stream) is None:
            self._adopt(samples[-1])

    def _decide(self, samples: Sequence[Sample]) -> MergerStep:
        functions = self._context.registry.functions()
        name, objection = "(unreadable)", _misfit(self._merger, self._task.own(functions))
        try:
            candidate = self._context.gate.read(self._merger.source)
            name = candidate.name
            objection = objection or self._objection(candidate, functions, samples)
        except CandidateError as error:
            objection = objection or _Objection(error.message)
        return MergerStep(
            at=datetime.now(UTC),
            chunk=self._attempt.chunk,
            attempt=self._attempt.attempt,
            name=name,
            replaces=self._merger.replaces,
            adopted=objection is None,
            reason=objection.reason if objection else "",
            counterexample=objection.counterexample if objection else None,
        )

    def _objection(
        self, candidate: Candidate, functions: Sequence[Promoted], samples: Sequence[Sample]
    ) -> _Objection | None:
        """Why it cannot replace them; None if it can. Raises SandboxError."""
        others = self._others(functions)
        rests = [self._context.residual(sample, others).sample for sample in samples]
        verdict = (self._judged or self._judge(candidate, others, rests)).verdict
        if verdict.failures:
            return _Objection(f"rejected by {', '.join(check.id for check in verdict.failures)}")
        if not verdict.passed:
            doubt = verdict.concerns[0]
            return _Objection(f"in doubt, and nobody is asked about a merger: {doubt.detail}", doubt.counterexample)
        if wider := _wider(candidate.contract, [one.candidate.contract for one in self._replaced(functions)]):
            return _Objection(wider)
        evidence = self._task.evidence(verdict, self._context.proposer.name)
        merged = Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))
        for sample, rest in zip(samples, rests, strict=True):
            try:
                new = self._context.residual(rest, [merged]).sample
            except SandboxError as error:
                if error.temporary:
                    raise
                return _Objection(error.message)
            if objection := _difference(sample, self._context.residual(sample, functions).sample, new):
                return objection
        return None

    def _judge(self, candidate: Candidate, others: tuple[Promoted, ...], rests: Sequence[Sample]) -> VerificationStep:
        if not self._announced:
            self._promoter.announce(self._attempt, candidate.source)
        whole = Sample(_joined([rest.working for rest in rests]), _joined([rest.holdout for rest in rests]))
        replaced = self._replaced(self._context.registry.functions())
        self._judged = self._promoter.judge(
            self._attempt,
            candidate.source,
            CleanedSample(others, whole),
            tests=said_of_replaced(replaced),
            word=_word(replaced, self._context.proposer.name),
        )
        return self._judged

    def _adopt(self, sample: Sample) -> None:
        """Promote it and revoke what it replaces; after a killed run, do what is still missing."""
        assert self._judged is not None  # noqa: S101 - what is adopted was judged
        start = perf_counter()
        candidate, registry = self._context.gate.read(self._merger.source), self._context.registry
        merged = next((f for f in registry.functions() if f.candidate.sha256 == candidate.sha256), None)
        if merged is None:
            others = self._others(registry.functions())
            tests = said_of_replaced(self._replaced(registry.functions()))
            merged = self._promoter.enter(candidate, self._judged.verdict, sample, others, tests)
        for function in registry.functions():
            if function.name in self._merger.replaces and function.candidate.sha256 != candidate.sha256:
                registry.revoke(function.name, f"merged into {merged.name}, version {merged.version}")
        self._promoter.record(self._attempt, merged, start)

    def _others(self, functions: Sequence[Promoted]) -> tuple[Promoted, ...]:
        """The functions that would remain besides it."""
        return tuple(f for f in functions if f.name not in self._merger.replaces)

    def _replaced(self, functions: Sequence[Promoted]) -> tuple[Promoted, ...]:
        return tuple(f for f in functions if f.name in self._merger.replaces)


def said_of_replaced(replaced: Sequence[Promoted]) -> tuple[Example, ...]:
    """What a tester said of these functions, as far as it holds for all of them one after the other.

    Of a cell in a column that another one of them changes, too, it has said what only one of them makes.
    """
    found: dict[str, Example] = {}
    for function in replaced:
        others = [one.candidate.contract for one in replaced if one is not function]
        if any(other.modifies is None for other in others):
            continue
        added = {name for other in others for name in other.adds}  # in the merger's rows there are none yet
        touched = added | {name for other in others for name in (*(other.modifies or ()), *other.drops)}
        for test in function.evidence.witnesses.tests:
            given, kept = _without(test.input, added), _without(test.output, touched)
            if given and kept:
                made = Example(input=given, output=kept)
                found.setdefault(made.model_dump_json(), made)
    return tuple(found.values())


def _without(row: Any, names: set[str]) -> dict[str, Any]:
    """The row without these columns; nothing where it is none."""
    return {name: cell for name, cell in row.items() if name not in names} if isinstance(row, dict) else {}


def _word(replaced: Sequence[Promoted], proposer: str) -> TesterWord | None:
    """Whose word these functions rest on, and which concerns it settled; None where a tester said nothing of them."""
    said = [told for one in replaced if (told := one.evidence.verdict.settled) is not None]
    if not said or not said_of_replaced(replaced):
        return None
    return TesterWord(said[-1].by, proposer, tuple(concern for told in said for concern in told.concerns))


def _misfit(merger: Merger, functions: Sequence[Promoted]) -> _Objection | None:
    names = {function.name for function in functions}
    if len(set(merger.replaces)) < 2:
        return _Objection("it would replace fewer than two functions")
    if missing := [name for name in merger.replaces if name not in names]:
        return _Objection(f"it would replace {missing[0]}, which is not in use")
    return None


def _wider(merged: Contract, replaced: Sequence[Contract]) -> str:
    """What a merger's contract allows and no contract of what it replaces; empty for nothing.

    It changes the same cells of the chunks as they do. Of the rest of the file its contract is all that is known.
    """
    does_so = ", and none of those that it would replace does so"
    if all(one.modifies is not None for one in replaced):
        if merged.modifies is None:
            return f"its contract lets it change every column{does_so}"
        if more := _columns(merged) - set().union(*map(_columns, replaced)):
            return f"its contract lets it change '{clean_text(min(more), 60)}'{does_so}"
    if merged.drops_rows and not any(one.drops_rows for one in replaced):
        return f"its contract lets it drop rows{does_so}"
    return ""


def _columns(contract: Contract) -> set[str]:
    return set(contract.named)


def _joined(tables: Sequence[pa.Table]) -> pa.Table:
    return pa.concat_tables(tables, promote_options="permissive").combine_chunks()


def _difference(sample: Sample, wanted: Sample, got: Sample) -> _Objection | None:
    """How the merger's rows differ from those of the functions that it would replace; None if they do not."""
    where = ("", " (rows that were held back)")
    for source, one, other, part in zip(sample, wanted, got, where, strict=True):
        sentence, row, columns = difference(one, other)
        if not sentence:
            continue
        counterexample = None
        if row is not None:
            values = shown_rows(one.select(columns), [row])[0]
            counterexample = Counterexample(
                input=shown_rows(source, [row], columns) if source.num_rows == one.num_rows else (),
                output=shown_rows(other, [row], columns),
                wanted="; ".join(f"{name}: {value!r}" for name, value in values.items()),
            )
        return _Objection(f"compared with the functions that it would replace, {sentence}{part}", counterexample)
    return None
