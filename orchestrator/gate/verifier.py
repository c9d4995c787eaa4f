"""The gate: screen, run in a container, judge, confirm in a second one, and say the verdict. Built by bootstrap.

Implements `core.ports.Gate`. It never looks into what a candidate wrote: observations go to the judge's disposable
process as bytes, and only the judge's JSON comes back. The candidate's result for the sample comes back as well, is
never decoded here, and goes straight into the next container.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.errors import CandidateError, DisposableDied, SandboxError
from orchestrator.core.jobs import ChildResult
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Sample, Sandbox
from orchestrator.core.promoted import Promoted
from orchestrator.core.verdict import CheckResult, Counterexample, Outcome, Verdict
from orchestrator.data.records import from_table, is_records
from orchestrator.gate import canary, candidate_file, screen
from orchestrator.gate.cases import ExampleCase, Planner, Stage, example_case
from orchestrator.gate.checks import STRUCTURE
from orchestrator.gate.companions import Companions
from orchestrator.gate.minutes import Minutes, OnCheck
from orchestrator.gate.packet import unpack
from orchestrator.gate.properties.trial import Trial
from orchestrator.gate.request import Answered, judge_request
from orchestrator.gate.team import ask_team

DRAWN = ("properties", "resources")
_CHECKS = TypeAdapter(tuple[CheckResult, ...])
_SAMPLES = TypeAdapter(tuple[Counterexample, ...])
_FACTS = TypeAdapter(dict[str, int])
_ROWS = TypeAdapter(list[int] | None)


class _Over(Exception):
    def __init__(self, result: CheckResult) -> None:
        super().__init__(result.detail)
        self.result = result


@dataclass(frozen=True)
class _Judged:
    """The judge's answer on the first stage."""

    result: bytes
    facts: dict[str, int]
    origin: list[int] | None
    answered: Answered


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
        self._companions = Companions(sandbox)
        self._disposable = disposable
        self._policy = policy or Policy()
        self._seed = seed
        self._team = team

    def close(self) -> None:
        """Destroy the container that is kept for promoted functions. Idempotent."""
        self._companions.close()

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
        minutes = Minutes(source, on_check)
        try:
            candidate = self._admit(source, minutes, screened=screen)
            self._hear(candidate, sample, promoted, examples, minutes, quick=quick)
        except _Over as over:
            minutes.note([over.result])
        return minutes.verdict()

    def _admit(self, source: str, minutes: Minutes, *, screened: bool) -> Candidate:
        started = time.perf_counter()
        try:
            candidate = candidate_file.read(source)
            minutes.of(candidate)
            found = screen.problems(candidate, self._policy.screen) if screened else []
        except CandidateError as error:
            raise _Over(_failed("screen", " ".join(filter(None, [error.message, error.advice])))) from None
        finally:
            minutes.spent("screen_s", started)
        if found:
            raise _Over(_failed("screen", "; ".join(found)))
        skipped = CheckResult(id="screen", outcome=Outcome.SKIP, detail="switched off by the caller")
        minutes.note([CheckResult(id="screen", outcome=Outcome.PASS, cases=1) if screened else skipped])
        return candidate

    def _hear(
        self,
        candidate: Candidate,
        sample: Sample,
        promoted: Sequence[Promoted],
        user_examples: Sequence[Example],
        minutes: Minutes,
        *,
        quick: bool,
    ) -> None:
        if sample.working.num_rows == 0 or sample.working.num_columns == 0:
            raise _Over(_failed("executed", "it was not executed on a single row: the sample is empty"))
        if candidate.contract.shape.by_row:
            sample = _as_records(sample)
        elif is_records(sample.working):
            raise _Over(_failed("executed", "the rows are records, and a function of the shape `table` takes a table"))
        if any(p.candidate.contract.shape.by_row is not candidate.contract.shape.by_row for p in promoted):
            raise _Over(_failed("composes", "functions of tables and of records or texts cannot follow each other"))
        seed = self._seed()
        planner = Planner(candidate, sample, self._policy, seed)
        examples = example_case(candidate, user_examples, planner.working.schema)
        stage = planner.first(examples)
        first = self._first(candidate, stage, examples, minutes)
        if minutes.failed:
            self._ask_team(candidate, [first.answered], minutes)
            return
        trial = None if quick else Trial(candidate, planner.working, self._policy, seed, first.answered)
        confirmed, drawn = self._confirm(planner.confirm(first.result), trial, minutes)
        answered = [confirmed]
        if promoted:
            answered.append(self._run(planner.compose(promoted, first.result), minutes, among_promoted=True))
        request = judge_request(
            candidate,
            self._policy.gate,
            answered,
            examples,
            done=minutes.known,
            facts=first.facts,
            orders={} if first.origin is None else {"chained-origin": first.origin},
            promoted=[function.name for function in promoted],
            duplicate_of=next((p.name for p in promoted if p.candidate.sha256 == candidate.sha256), ""),
            rules=self._policy.columns,
            team=self._team is not None,
            final=True,
        )
        self._judge(request, minutes, "confirmed")
        self._ask_team(candidate, [first.answered, confirmed], minutes, final=True)
        if trial is None or trial.too_slow:
            why = "a quick verdict" if trial is None else "on the sample alone it takes most of the time that it has"
            minutes.note(CheckResult(id=n, outcome=Outcome.SKIP, detail=f"left out: {why}") for n in DRAWN)
        elif not minutes.failed:
            self._judge_drawn(trial, drawn, minutes)

    def _confirm(self, stage: Stage, trial: Trial | None, minutes: Minutes) -> tuple[Answered, tuple[ChildResult, ...]]:
        """Run the confirming container; what was drawn runs in it as well, in processes of its own."""
        own = len(stage.job.children)
        more = () if trial is None else trial.stage.job.children
        job = replace(stage.job, children=(*stage.job.children, *more))
        _, results = self._run(replace(stage, job=job), minutes)
        return (stage, results[:own]), tuple(results[own:])

    def _judge_drawn(self, trial: Trial, drawn: Sequence[ChildResult], minutes: Minutes) -> None:
        """Judge what was drawn; measure a cost that looks too high once more, make what fails smaller."""
        seconds = trial.seconds(drawn)
        if trial.looks_steep(seconds):
            again = self._run(trial.loads, minutes)[1]
            seconds = trial.lower(seconds, again)
        checks, _, _ = self._asked(trial.request(drawn, seconds, minutes.known), minutes, "properties")
        started = time.perf_counter()
        minutes.note(trial.smaller(self._sandbox, self._disposable, drawn, check) for check in checks)
        minutes.spent("sandbox_s", started)

    def _first(self, candidate: Candidate, stage: Stage, examples: ExampleCase, minutes: Minutes) -> _Judged:
        answered = self._run(stage, minutes)
        request = judge_request(
            candidate,
            self._policy.gate,
            [answered],
            examples,
            rules=self._policy.columns,
            team=self._team is not None,
        )
        answer, blobs = self._judge(request, minutes, "executed")
        try:
            minutes.samples = _SAMPLES.validate_python(answer.get("samples", ()))
            minutes.rows_changed = int(answer.get("rows_changed", 0))
            facts = _FACTS.validate_python(answer.get("facts", {}))
            origin = _ROWS.validate_python(answer.get("origin"))
        except (ValidationError, TypeError, ValueError):
            raise _Over(_failed("executed", "hostile-output: the judge was led astray by what it read")) from None
        if not blobs and not minutes.failed:
            raise _Over(_failed("executed", "it gave no result for the sample"))
        return _Judged(blobs[0] if blobs else b"", facts, origin, answered)

    def _ask_team(
        self, candidate: Candidate, answered: Sequence[Answered], minutes: Minutes, *, final: bool = False
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

    def _run(self, stage: Stage, minutes: Minutes, *, among_promoted: bool = False) -> Answered:
        """Run a job; on broken machinery again on a fresh container, then ask the canary whose fault it is."""
        error = SandboxError("the sandbox was never asked")
        for _ in range(self._policy.gate.infra_retries + 1):
            try:
                result = (self._companions if among_promoted else self._sandbox).run(stage.job)
            except SandboxError as broken:
                error = broken
                if not broken.temporary:
                    break
            else:
                minutes.ran(result, own=not among_promoted)
                return stage, result.children
        check = "confirmed" if "executed" in minutes.known else "executed"
        if error.temporary and self._canary_lives():
            raise _Over(_failed(check, f"breaks-sandbox: {error.message}, time and again, but not for other functions"))
        raise _Over(_infra(check, error))

    def _judge(self, request: bytes, minutes: Minutes, check: str) -> tuple[dict[str, Any], list[bytes]]:
        """Have the observations judged, and note what the judge found."""
        checks, answer, blobs = self._asked(request, minutes, check)
        minutes.note(checks)
        return answer, blobs

    def _asked(
        self, request: bytes, minutes: Minutes, check: str
    ) -> tuple[tuple[CheckResult, ...], dict[str, Any], list[bytes]]:
        """The judge's answer. A judge that dies of a request is the candidate's failure, if the canary lives."""
        started = time.perf_counter()
        try:
            answer, blobs = unpack(self._disposable.call(request))
            checks = _CHECKS.validate_python(answer.get("checks"))
        except (DisposableDied, ValidationError, ValueError) as error:
            if isinstance(error, DisposableDied) and not self._canary_lives():
                raise _Over(_infra(check, error)) from None
            raise _Over(_failed(check, f"hostile-output: {_sentence(error)}")) from None
        finally:
            minutes.spent("judge_s", started)
        return checks, answer, blobs

    def _canary_lives(self) -> bool:
        stage = canary.stage(self._policy)
        try:
            children = self._sandbox.run(stage.job).children
            request = judge_request(canary.CANDIDATE, self._policy.gate, [(stage, children)], canary.NO_EXAMPLES)
            answer, _ = unpack(self._disposable.call(request))
            checks = _CHECKS.validate_python(answer.get("checks"))
        except (SandboxError, DisposableDied, ValidationError, ValueError):
            return False
        return bool(checks) and all(check.outcome is not Outcome.FAIL for check in checks)


def _as_records(sample: Sample) -> Sample:
    try:
        return Sample(from_table(sample.working), from_table(sample.holdout))
    except ValueError as error:
        raise _Over(_failed("executed", f"{error}: write a function of the shape `table` instead")) from None


def _failed(check: str, detail: str) -> CheckResult:
    return CheckResult(id=check, outcome=Outcome.FAIL, detail=detail, cases=1)


def _infra(check: str, error: SandboxError | DisposableDied) -> CheckResult:
    detail = " ".join(filter(None, [error.message, error.advice]))
    return CheckResult(id=check, outcome=Outcome.INFRA, detail=detail)


def _sentence(error: Exception) -> str:
    return error.message if isinstance(error, DisposableDied) else "the answer of the judge cannot be read"
