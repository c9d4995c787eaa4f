"""Sandbox and judge with the question whose fault it is when one of them breaks. Called by the verifier.

A job whose container breaks runs again in a fresh one. If it keeps breaking, the canary is run, a function that is
known to be good: if the canary passes, the candidate is the cause. Processes that the wall clock stopped are run again,
too, and compared with an endless loop (`starvation`) and with a function of known cost (`control`).
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.jobs import Child, ChildResult, Ended, Job
from orchestrator.core.kept_session import KeptSession
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Sandbox
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.gate import canary, control, starvation
from orchestrator.gate.checks import executed
from orchestrator.gate.inputs.case_planner import Stage
from orchestrator.gate.judge.protocol import AnsweredStage, unpack
from orchestrator.gate.properties.loads import LoadCosts
from orchestrator.gate.verdict_builder import VerdictBuilder

if TYPE_CHECKING:
    from orchestrator.gate.properties.property_runner import PropertyRunner

_COMPARED = 3  # processes that ran out of time and are tried with the control function
_CHECKS = TypeAdapter(tuple[CheckResult, ...])


class VerdictDecided(Exception):
    """The verdict is decided: nothing more is run or asked."""

    def __init__(self, result: CheckResult) -> None:
        super().__init__(result.detail)
        self.result = result


class Execution:
    """Runs stages and has them judged. Raises VerdictDecided, never a SandboxError or DisposableDied."""

    def __init__(self, sandbox: Sandbox, disposable: Disposable, policy: Policy) -> None:
        self._sandbox = sandbox
        self._promoted_session = KeptSession(sandbox)  # of promoted functions: saves every verdict a container
        self._disposable = disposable
        self._policy = policy

    def close(self) -> None:
        """Destroy the container that is kept for promoted functions. Idempotent."""
        self._promoted_session.close()

    def run(self, stage: Stage, builder: VerdictBuilder, *, among_promoted: bool = False) -> AnsweredStage:
        """Run a stage's job in a container of its own, or among the promoted functions in theirs."""
        results = self._run_job(stage.job, builder, among_promoted)
        results = self._patiently(stage, results, builder, among_promoted)
        early = starvation.stopped_early(stage.job.children, results)[:_COMPARED]
        late = [stage.job.children[place] for place in early]
        if late and any(one.ended is Ended.TIMEOUT for one in self.control(stage.job, late, builder)):
            raise VerdictDecided(infra(_check_of(builder), _busy("a simple function ran out of time as well")))
        if late:  # the machine may have had time again for the control only
            results = self._patiently(stage, results, builder, among_promoted, last=True)
        return stage, results

    def _patiently(
        self,
        stage: Stage,
        results: tuple[ChildResult, ...],
        builder: VerdictBuilder,
        among_promoted: bool,
        *,
        last: bool = False,
    ) -> tuple[ChildResult, ...]:
        """The results, where processes that the wall clock stopped were run again.

        With more of it, unless they did nothing but wait while there was time; those not when it is the `last` try.
        """
        early = starvation.stopped_early(stage.job.children, results)
        if not early:
            return results
        share = self._share(builder)
        waits = share >= starvation.WAITING_SHARE and starvation.slept([results[place] for place in early])
        if waits and last:
            return results
        children = tuple(stage.job.children[place] for place in early)
        if not waits:
            children = tuple(starvation.patient(child, share) for child in children)
        job = replace(stage.job, children=children)
        again = dict(zip(early, self._run_job(job, builder, among_promoted), strict=True))
        results = tuple(again.get(place, result) for place, result in enumerate(results))
        self._require_time(stage, results, share, builder)
        return results

    def control(self, job: Job, children: Sequence[Child], builder: VerdictBuilder) -> tuple[ChildResult, ...]:
        """What the control function needs for some of a job's children."""
        try:
            return self._sandbox.run(replace(control.job(job, children), on=builder.worker)).children
        except SandboxError as error:
            raise VerdictDecided(_broken(_check_of(builder), error)) from None

    def measured(
        self, runner: "PropertyRunner", drawn: Sequence[ChildResult], builder: VerdictBuilder
    ) -> tuple[list[AnsweredStage], LoadCosts, str]:
        """What was drawn, with its loads measured until it is clear what they cost; else why it cannot be told.

        A cost that looks too high is measured three times, the lowest counts.
        """
        stage = runner.again(drawn)
        answered, costs = runner.measured(drawn, None if stage is None else self.run(stage, builder))
        if not costs.found(self._policy):
            return answered, costs, ""
        loads = runner.doubtful(answered, costs)
        unsure = self._control_steep(loads, builder)
        return *runner.better(answered, self.run(loads, builder)), unsure

    def _control_steep(self, loads: Stage, builder: VerdictBuilder) -> str:
        """Why growing loads cannot be measured now: the control function's cost grows too fast as well; else ""."""
        children = loads.job.children
        costs = LoadCosts.of(children, self.control(loads.job, children, builder))
        found = costs.found(self._policy)
        return _busy(f"the cost of a simple function grows too fast as well: {found}") if found else ""

    def _require_time(
        self, stage: Stage, results: Sequence[ChildResult], share_before: float, builder: VerdictBuilder
    ) -> None:
        """Raise VerdictDecided with `infra` if a busy machine, not the function, is why processes ran out of time."""
        early = starvation.stopped_early(stage.job.children, results)
        if not early:
            return
        share = min(share_before, self._share(builder))
        if not self._quiet(share) and starvation.starved([results[place] for place in early], share):
            why = f"an endless loop gets {share:.0%} of a processor"
            raise VerdictDecided(infra(_check_of(builder), _busy(why)))

    def _run_job(self, job: Job, builder: VerdictBuilder, among_promoted: bool) -> tuple[ChildResult, ...]:
        error = SandboxError("the sandbox was never asked")
        job = job if among_promoted else builder.placed(job)
        for _ in range(self._policy.gate.infra_retries + 1):
            try:
                result = (self._promoted_session if among_promoted else self._sandbox).run(job)
            except SandboxError as broken:
                error = broken
                if not broken.temporary:
                    break
            else:
                builder.ran(job, result, own=not among_promoted)
                return result.children
        check = _check_of(builder)
        if (
            error.temporary
            and not among_promoted
            and canary.passes(self._sandbox, self._disposable, self._policy, error.worker)
        ):
            raise VerdictDecided(
                failed(check, f"breaks-sandbox: {error.message}, time and again, but not for other functions")
            )
        raise VerdictDecided(_broken(check, error))

    def _quiet(self, share: float) -> bool:
        """Whether a container that gets this share of a processor runs on a machine that is not busy."""
        return share >= starvation.SHARE * min(1.0, self._policy.container.cpus)

    def _share(self, builder: VerdictBuilder) -> float:
        """The processor time that an endless loop gets now, by its wall time."""
        try:
            (result,) = self._sandbox.run(replace(starvation.loop(), on=builder.worker)).children
        except SandboxError as error:
            raise VerdictDecided(_broken(_check_of(builder), error)) from None
        return result.cpu_s / result.wall_s if result.wall_s else 0.0

    def judge(self, request: bytes, builder: VerdictBuilder, check: str) -> tuple[dict[str, Any], list[bytes]]:
        """Have the observations judged, and note what the judge found."""
        checks, answer, blobs = self.ask(request, builder, check)
        builder.note(checks)
        return answer, blobs

    def ask(
        self, request: bytes, builder: VerdictBuilder, check: str
    ) -> tuple[tuple[CheckResult, ...], dict[str, Any], list[bytes]]:
        """The judge's answer. A judge that dies of a request is the candidate's failure, if the canary passes."""
        started = time.perf_counter()
        try:
            answer, blobs = unpack(self._disposable.call(request))
            checks = _CHECKS.validate_python(answer.get("checks"))
        except SandboxError as error:  # it was never asked
            raise VerdictDecided(_broken(check, error)) from None
        except (DisposableDied, ValidationError, ValueError) as error:
            died = error if isinstance(error, DisposableDied) else DisposableDied("The judge's answer cannot be read.")
            if not canary.passes(self._sandbox, self._disposable, self._policy):
                raise VerdictDecided(_broken(check, died)) from None
            raise VerdictDecided(failed(check, f"hostile-output: {died.message}")) from None
        finally:
            builder.spent("judge_s", started)
        return checks, answer, blobs


def _check_of(builder: VerdictBuilder) -> str:
    """The check that a container which runs now is for."""
    return "confirmed" if executed.ID in builder.known else executed.ID


def failed(check: str, detail: str) -> CheckResult:
    """The result of a check that the candidate fails."""
    return CheckResult(id=check, outcome=Outcome.FAIL, detail=detail, cases=1)


def infra(check: str, detail: str) -> CheckResult:
    """The result of a check that could not be judged."""
    return CheckResult(id=check, outcome=Outcome.INFRA, detail=detail)


def _busy(why: str) -> str:
    return f"the machine is too busy to judge it: {why}; judge it again when less is running"


def _broken(check: str, error: SandboxError | DisposableDied) -> CheckResult:
    return infra(check, " ".join(filter(None, [error.message, error.advice])))
