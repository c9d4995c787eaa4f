"""The gate: screen, run in a container, judge, confirm in a second one, and say the verdict. Built by bootstrap.

Implements `core.ports.Gate`. It never looks into what a candidate wrote: observations go to the judge's disposable
process as bytes, and only the judge's JSON comes back. The candidate's result for the sample comes back as well, is
never decoded here, and goes straight into the next container.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from pydantic import TypeAdapter, ValidationError

from orchestrator.core.candidate import Candidate, Example, source_hash
from orchestrator.core.errors import CandidateError
from orchestrator.core.jobs import ChildResult
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Sample, Sandbox
from orchestrator.core.promoted import Promoted
from orchestrator.core.verdict import CheckResult, Counterexample, Outcome, Verdict
from orchestrator.data.records import from_table, is_records
from orchestrator.gate import canary, candidate_file, screen
from orchestrator.gate.checks import STRUCTURE, composes
from orchestrator.gate.execution import Execution, VerdictDecided, failed
from orchestrator.gate.inputs.planner import CasePlanner, ExampleCase, Stage, example_case
from orchestrator.gate.judge.request import AnsweredStage, judge_request
from orchestrator.gate.properties.runner import PropertyRunner
from orchestrator.gate.recheck_cache import Heard, JudgedStage, RecheckCache, RecheckEntry
from orchestrator.gate.team.client import ask_team
from orchestrator.gate.verdict_builder import OnCheck, VerdictBuilder

DRAWN = ("properties", "resources")
_SAMPLES = TypeAdapter(tuple[Counterexample, ...])
_FACTS = TypeAdapter(dict[str, int])
_ROWS = TypeAdapter(list[int] | None)


class Verifier:
    """The Gate. `seed` gives one secret number per verdict, from which rows and shuffles are drawn.

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
        self._machinery = Execution(sandbox, disposable, self._policy)
        self._proofs = RecheckCache()
        self._seed = seed
        self._team = team

    def close(self) -> None:
        """Destroy the container that is kept for promoted functions. Idempotent."""
        self._machinery.close()

    def read(self, source: str) -> Candidate:
        """The candidate in a source text. Raises CandidateError when it cannot be read."""
        return candidate_file.read(source)

    def verify(
        self,
        source: str,
        sample: Sample,
        *,
        promoted: Sequence[Promoted] = (),
        examples: Sequence[Example] = (),
        screen: bool = True,
        quick: bool = False,
        on_check: OnCheck | None = None,
    ) -> Verdict:
        """Judge one candidate. Raises for nothing that the candidate does; machinery that stays broken: `infra`."""
        minutes = VerdictBuilder(source, on_check)
        heard: Heard | None = None
        try:
            candidate = self._admit(source, minutes, screened=screen)
            heard = self._hear(candidate, sample, promoted, examples, minutes, quick=quick)
        except VerdictDecided as over:
            minutes.note([over.result])
        verdict = minutes.verdict()
        if verdict.passed and heard is not None:
            self._proofs.keep(RecheckEntry(heard, sample, tuple(examples), verdict))
        return verdict

    def recheck(
        self,
        source: str,
        sample: Sample,
        *,
        promoted: Sequence[Promoted],
        examples: Sequence[Example] = (),
        on_check: OnCheck | None = None,
    ) -> Verdict:
        """Judge a candidate that passed once more, beside functions promoted since.

        Where these leave the rows as they were, only `composes` is judged anew, from what the candidate made of the
        rows; where they do not, the verdict is a quick one on the new rows.
        """
        proof = self._proofs.take(source_hash(source))
        if proof is None or not proof.covers(sample, examples):
            return self.verify(source, sample, promoted=promoted, examples=examples, quick=True, on_check=on_check)
        minutes = VerdictBuilder(source, on_check)
        minutes.of(proof.heard.candidate)
        minutes.note(check for check in proof.verdict.checks if check.id != composes.ID)
        try:
            self._conclude(proof.heard, promoted, minutes)
        except VerdictDecided as over:
            minutes.note([over.result])
        again = minutes.verdict()
        return proof.verdict.model_copy(
            update={"verdict": again.verdict, "checks": again.checks, "timings": again.timings}
        )

    def _admit(self, source: str, minutes: VerdictBuilder, *, screened: bool) -> Candidate:
        started = time.perf_counter()
        try:
            candidate = candidate_file.read(source)
            minutes.of(candidate)
            found = screen.problems(candidate, self._policy.screen) if screened else []
        except CandidateError as error:
            raise VerdictDecided(failed("screen", " ".join(filter(None, [error.message, error.advice])))) from None
        finally:
            minutes.spent("screen_s", started)
        if found:
            raise VerdictDecided(failed("screen", "; ".join(found)))
        skipped = CheckResult(id="screen", outcome=Outcome.SKIP, detail="switched off by the caller")
        minutes.note([CheckResult(id="screen", outcome=Outcome.PASS, cases=1) if screened else skipped])
        return candidate

    def _hear(
        self,
        candidate: Candidate,
        sample: Sample,
        promoted: Sequence[Promoted],
        user_examples: Sequence[Example],
        minutes: VerdictBuilder,
        *,
        quick: bool,
    ) -> Heard | None:
        """Run and judge it; what was run is None when the first container was enough for a fail."""
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
        seed = self._seed()
        planner = CasePlanner(candidate, sample, self._policy, seed)
        examples = example_case(candidate, user_examples, planner.working.schema)
        stage = planner.first(examples)
        answered, first = self._first(candidate, stage, examples, minutes)
        if minutes.failed:
            self._ask_team(candidate, [answered], minutes)
            return None
        trial = None if quick else PropertyRunner(candidate, planner.working, self._policy, seed, answered)
        confirmed, drawn = self._confirm(planner.confirm(first.result), trial, minutes)
        heard = Heard(candidate, planner, examples, first, confirmed)
        self._conclude(heard, promoted, minutes)
        self._ask_team(candidate, [answered, confirmed], minutes, final=True)
        if trial is None or trial.too_slow:
            why = "a quick verdict" if trial is None else "on the sample alone it takes most of the time that it has"
            minutes.note(CheckResult(id=n, outcome=Outcome.SKIP, detail=f"left out: {why}") for n in DRAWN)
        elif not minutes.failed:
            self._judge_drawn(trial, drawn, minutes)
        return heard

    def _conclude(self, heard: Heard, promoted: Sequence[Promoted], minutes: VerdictBuilder) -> None:
        """Have the promoted functions run on its result, and judge what the first container could not tell."""
        candidate, first, answered = heard.candidate, heard.first, [heard.confirmed]
        if promoted:
            stage = heard.planner.compose(promoted, first.result)
            answered.append(self._machinery.run(stage, minutes, among_promoted=True))
        request = judge_request(
            candidate,
            self._policy.gate,
            answered,
            heard.examples,
            done=minutes.known,
            facts=first.facts,
            orders={} if first.origin is None else {"chained-origin": first.origin},
            promoted=[function.name for function in promoted],
            duplicate_of=next((p.name for p in promoted if p.candidate.sha256 == candidate.sha256), ""),
            rules=self._policy.columns,
            team=self._team is not None,
            final=True,
        )
        self._machinery.judge(request, minutes, "confirmed")

    def _confirm(
        self, stage: Stage, trial: PropertyRunner | None, minutes: VerdictBuilder
    ) -> tuple[AnsweredStage, tuple[ChildResult, ...]]:
        """Run the confirming container; what was drawn runs in it as well, in processes of its own."""
        own = len(stage.job.children)
        more = () if trial is None else trial.stage.job.children
        job = replace(stage.job, children=(*stage.job.children, *more))
        _, results = self._machinery.run(replace(stage, job=job), minutes)
        return (stage, results[:own]), tuple(results[own:])

    def _judge_drawn(self, trial: PropertyRunner, drawn: Sequence[ChildResult], minutes: VerdictBuilder) -> None:
        """Judge what was drawn; measure a cost that looks too high once more, make what fails smaller."""
        seconds = trial.seconds(drawn)
        if trial.looks_steep(seconds):
            again = self._machinery.run(trial.loads, minutes)[1]
            seconds = trial.lower(seconds, again)
        checks, _, _ = self._machinery.ask(trial.request(drawn, seconds, minutes.known), minutes, "properties")
        started = time.perf_counter()
        minutes.note(trial.smaller(self._sandbox, self._disposable, drawn, check) for check in checks)
        minutes.spent("sandbox_s", started)

    def _first(
        self, candidate: Candidate, stage: Stage, examples: ExampleCase, minutes: VerdictBuilder
    ) -> tuple[AnsweredStage, JudgedStage]:
        answered = self._machinery.run(stage, minutes)
        request = judge_request(
            candidate,
            self._policy.gate,
            [answered],
            examples,
            rules=self._policy.columns,
            team=self._team is not None,
        )
        answer, blobs = self._machinery.judge(request, minutes, "executed")
        try:
            minutes.samples = _SAMPLES.validate_python(answer.get("samples", ()))
            minutes.rows_changed = int(answer.get("rows_changed", 0))
            facts = _FACTS.validate_python(answer.get("facts", {}))
            origin = _ROWS.validate_python(answer.get("origin"))
        except (ValidationError, TypeError, ValueError):
            raise VerdictDecided(
                failed("executed", "hostile-output: the judge was led astray by what it read")
            ) from None
        if not blobs and not minutes.failed:
            raise VerdictDecided(failed("executed", "it gave no result for the sample"))
        return answered, JudgedStage(blobs[0] if blobs else b"", facts, origin)

    def _ask_team(
        self, candidate: Candidate, answered: Sequence[AnsweredStage], minutes: VerdictBuilder, *, final: bool = False
    ) -> None:
        """Have the team's own checks, if there are any, look at what came of the sample."""
        if self._team is None or minutes.failed in STRUCTURE:
            return
        started = time.perf_counter()
        request = judge_request(
            candidate, self._policy.gate, answered, canary.NO_EXAMPLES, rules=self._policy.columns, final=final
        )
        minutes.note(ask_team(self._team, request))
        minutes.spent("judge_s", started)


def _as_records(sample: Sample) -> Sample:
    try:
        return Sample(from_table(sample.working), from_table(sample.holdout))
    except ValueError as error:
        raise VerdictDecided(failed("executed", f"{error}: write a function of the shape `table` instead")) from None
