"""The gate: screen, run in a container, judge, confirm in a second one, and give the verdict. Built by bootstrap.

Implements `core.ports.Gate`. It never decodes what a candidate wrote: observations go to the judge's disposable
process as bytes, and the judge's JSON comes back; so does the result for the sample, for the next container, undecoded.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from pydantic import TypeAdapter, ValidationError

from orchestrator.core.baseline import DataBaseline
from orchestrator.core.candidate import Candidate, Shape, source_hash
from orchestrator.core.effects import Effects
from orchestrator.core.errors import CandidateError
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Sample, Sandbox, VerifyRequest
from orchestrator.core.verdict import Counterexample, DistinctChange, OnCheck, Verdict
from orchestrator.core.weakened import weakened_layers
from orchestrator.data.record_tables import from_table, is_records
from orchestrator.gate import candidate_file, screen
from orchestrator.gate.checks import composes
from orchestrator.gate.checks.catalog import STRUCTURAL
from orchestrator.gate.checks.check import VerdictScope
from orchestrator.gate.confirmation import Confirmation
from orchestrator.gate.execution import Execution, VerdictDecided, failed, infra
from orchestrator.gate.fitted.agreement import agreed_answers
from orchestrator.gate.fitted.learning import Learning
from orchestrator.gate.inputs.case_planner import CasePlanner, Stage
from orchestrator.gate.inputs.example_case import ExampleCase, example_case
from orchestrator.gate.inputs.wanted import Wanted
from orchestrator.gate.judge.protocol import AnsweredStage, JudgeRequest
from orchestrator.gate.properties.plan import Drawn
from orchestrator.gate.properties.property_runner import PropertyRunner
from orchestrator.gate.recheck_cache import JudgedStage, ObservedCandidate, RecheckCache, RecheckEntry
from orchestrator.gate.team.team_process import ask_team
from orchestrator.gate.verdict_builder import VerdictBuilder

_SAMPLES = TypeAdapter(tuple[Counterexample, ...])
_CHANGES = TypeAdapter(tuple[DistinctChange, ...])
_FACTS = TypeAdapter(dict[str, int])
_EFFECTS = TypeAdapter(Effects | None)
_BASELINE = TypeAdapter(DataBaseline | None)
_ROWS = TypeAdapter(list[int] | None)
_CELLS = TypeAdapter(dict[str, list[str]])


class Verifier:
    """The Gate. `seed` gives a secret number for a verdict whose request has none: rows and shuffles are drawn from it.

    `team` is the process of the team's own checks, where there are any.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        disposable: Disposable,
        policy: Policy | None = None,
        *,
        seed: Callable[[], int] = lambda: secrets.randbits(64),
        team: Disposable | None = None,
    ) -> None:
        self._sandbox = sandbox
        self._disposable = disposable
        self._policy = policy or Policy()
        self._execution = Execution(sandbox, disposable, self._policy)
        self._confirmation = Confirmation(sandbox, disposable, self._policy, self._execution, team=team is not None)
        self._recheck_cache = RecheckCache()
        self._seed = seed
        self._team = team

    def close(self) -> None:
        """Destroy the container that is kept for promoted functions. Idempotent."""
        self._execution.close()

    def read(self, source: str) -> Candidate:
        """The candidate in a source text. Raises CandidateError when it cannot be read."""
        return candidate_file.read(source)

    def verify(self, request: VerifyRequest, on_check: OnCheck | None = None) -> Verdict:
        """Judge one candidate. Raises nothing for what it does; infrastructure that keeps failing is `infra`."""
        weakened = weakened_layers(self._policy, screened=request.screen)
        builder = VerdictBuilder(request.source, on_check, weakened)
        observed: ObservedCandidate | None = None
        try:
            candidate = self._admit(request, builder)
            observed = self._observe(candidate, request, builder)
        except VerdictDecided as decided:
            builder.decide(decided.result)
        verdict = builder.verdict()
        if verdict.passed and observed is not None:
            self._recheck_cache.keep(RecheckEntry(observed, request.sample, request.witnesses, verdict))
        return verdict

    def recheck(self, request: VerifyRequest, on_check: OnCheck | None = None) -> Verdict:
        """Judge a candidate that passed once more, beside functions promoted since.

        Where these leave the rows as they were, only `composes` is judged again, from what the candidate made of the
        rows; where they do not, the verdict is a quick one on the new rows.
        """
        entry = self._recheck_cache.take(source_hash(request.source))
        if entry is None or not entry.covers(request.sample, request.witnesses):
            return self.verify(replace(request, quick=True), on_check)
        builder = VerdictBuilder(request.source, on_check)
        builder.of(entry.observed.candidate)
        builder.leave_out(replace(entry.observed.scope, promoted=len(request.promoted)))
        builder.note(check for check in entry.verdict.checks if check.id != composes.ID)
        try:
            rows = entry.observed.planner.working_bytes, entry.observed.first.result
            together = self._confirmation.run_promoted(request.promoted, *rows, builder)
            self._confirmation.judge(entry.observed, request.promoted, together, builder)
        except VerdictDecided as decided:
            builder.decide(decided.result)
        again = builder.verdict()
        return entry.verdict.model_copy(
            update={"verdict": again.verdict, "checks": again.checks, "timings": again.timings}
        )

    def _admit(self, request: VerifyRequest, builder: VerdictBuilder) -> Candidate:
        """The candidate, once it may be run."""
        started = time.perf_counter()
        try:
            candidate = candidate_file.read(request.source)
            builder.of(candidate)
            found = request.refusals(candidate)
            if not found and request.screen:
                found = screen.problems(candidate, self._policy.screen)
        except CandidateError as error:
            raise VerdictDecided(screen.unreadable(error)) from None
        finally:
            builder.spent("screen_s", started)
        if found:
            raise VerdictDecided(screen.refused(found))
        if request.screen:
            builder.note([screen.admitted(candidate)])
        return candidate

    def _observe(
        self, candidate: Candidate, request: VerifyRequest, builder: VerdictBuilder
    ) -> ObservedCandidate | None:
        """Run and judge it; None when the first container was enough for a fail."""
        sample, promoted = request.sample, request.promoted
        if sample.working.num_rows == 0 or sample.working.num_columns == 0:
            raise VerdictDecided(failed("executed", "it was not executed on a single row: the sample is empty"))
        if candidate.contract.shape.by_row:
            sample = _as_records(sample)
        elif is_records(sample.working):
            raise VerdictDecided(
                failed("executed", "the rows are records, and a function of the shape `table` takes a table")
            )
        if any(p.candidate.contract.shape.by_row is not candidate.contract.shape.by_row for p in promoted):
            raise VerdictDecided(
                failed("composes", "functions of tables and of records or texts cannot follow each other")
            )
        seed = self._seed() if request.seed is None else request.seed
        if candidate.contract.shape is Shape.FITTED:
            taught = Learning(self._execution, self._policy, lambda: seed).taught(
                candidate, sample, request.conventions, builder
            )
            if taught is None:
                return None
            candidate = taught
        planner = CasePlanner(candidate, sample, self._policy, seed)
        told = request.examples, planner.working.schema, request.tests, request.conventions, sample
        agreed = agreed_answers(sample, candidate.contract, request.conventions)
        examples = replace(example_case(candidate, *told), agreed=agreed, instruction=request.instruction)
        scope = VerdictScope(
            contract=candidate.contract,
            has_detect=candidate.has_detect,
            screened=request.screen,
            examples=len(examples.used) + len(examples.problems),
            holdout_rows=sample.holdout.num_rows,
            promoted=len(promoted),
            demands=bool(self._policy.columns) or self._team is not None,
            not_drawn="left out: a quick verdict" if request.quick else "",
        )
        builder.leave_out(scope)
        wanted = Wanted.of(candidate, request, self._policy)
        stage = planner.first(examples)
        with ThreadPoolExecutor(1, thread_name_prefix="verdict") as beside:
            drawing = None if request.quick else beside.submit(Drawn, candidate, planner.working, self._policy, seed)
            answered, first = self._first(candidate, stage, examples, wanted, builder)
            if builder.settled:
                self._ask_team(candidate, [answered], builder)
                return None
            runner = None if drawing is None else PropertyRunner(candidate, self._policy, drawing.result(), answered)
            confirm = self._confirmation
            composing = beside.submit(confirm.run_promoted, promoted, planner.working_bytes, first.result, builder)
            stage = planner.confirm(first.result, first.touched, first.clean)
            confirmed, drawn = confirm.run(stage, runner, builder)
            observed = ObservedCandidate(candidate, scope, planner, examples, wanted, first, confirmed)
            judging = None
            if runner is not None:
                judging = beside.submit(confirm.judge_drawn, runner, drawn, examples, builder)
            confirm.judge(observed, promoted, composing.result(), builder, answered)
            self._ask_team(candidate, [answered, confirmed], builder, final=True)
            if runner is not None and judging is not None and not builder.settled:
                confirm.note_drawn(runner, drawn, judging.result(), builder)
        return observed

    def _first(
        self,
        candidate: Candidate,
        stage: Stage,
        examples: ExampleCase,
        wanted: Wanted,
        builder: VerdictBuilder,
    ) -> tuple[AnsweredStage, JudgedStage]:
        answered = self._execution.run(stage, builder)
        request = JudgeRequest(
            candidate=candidate,
            policy=self._policy.gate,
            done=tuple(builder.known),
            asked=wanted.asked,
            matter=wanted.matter,
            reads=wanted.reads,
            rules=self._policy.columns,
            team=self._team is not None,
        ).with_examples(examples)
        answer, blobs = self._execution.judge(request.packed([answered]), builder, "executed")
        try:
            builder.samples = _SAMPLES.validate_python(answer.get("samples", ()))
            builder.changes = _CHANGES.validate_python(answer.get("changes", ()))
            builder.rows_changed = int(answer.get("rows_changed", 0))
            builder.effects = _EFFECTS.validate_python(answer.get("effects"))
            builder.baseline = _BASELINE.validate_python(answer.get("baseline"))
            facts = _FACTS.validate_python(answer.get("facts", {}))
            origin = _ROWS.validate_python(answer.get("origin"))
            touched = _ROWS.validate_python(answer.get("touched")) or []
            clean = _CELLS.validate_python(answer.get("clean", {}))
        except (ValidationError, TypeError, ValueError):
            raise VerdictDecided(failed("executed", "hostile-output: the judge gave an invalid answer")) from None
        if not blobs and not builder.settled:
            raise VerdictDecided(infra("executed", "the judge gave no result for the sample, and no failed check"))
        return answered, JudgedStage(blobs[0] if blobs else b"", facts, origin, tuple(touched), clean)

    def _ask_team(
        self, candidate: Candidate, answered: Sequence[AnsweredStage], builder: VerdictBuilder, *, final: bool = False
    ) -> None:
        """Run the team's own checks, if there are any, on the candidate's result for the sample."""
        if self._team is None or builder.failed in STRUCTURAL:
            return
        started = time.perf_counter()
        request = JudgeRequest(candidate=candidate, policy=self._policy.gate, rules=self._policy.columns, final=final)
        builder.note(ask_team(self._team, request.packed(answered)))
        builder.spent("judge_s", started)


def _as_records(sample: Sample) -> Sample:
    try:
        return Sample(from_table(sample.working), from_table(sample.holdout))
    except ValueError as error:
        raise VerdictDecided(failed("executed", f"{error}: write a function of the shape `table` instead")) from None
