"""Sandbox and judge with the question whose fault it is when one of them breaks. Called by the verifier.

A job whose container breaks runs again in a fresh one. If it keeps breaking, the canary is run, a function that is
known to be good: if the canary passes, the candidate is the cause. Processes that the wall clock stopped are run again,
too, and compared with an endless loop (`starvation`).
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.jobs import ChildResult, Job
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Sandbox
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.gate import canary, starvation
from orchestrator.gate.checks import executed
from orchestrator.gate.inputs.planner import Stage
from orchestrator.gate.judge.protocol import AnsweredStage, JudgeRequest, unpack
from orchestrator.gate.promoted_session import PromotedSession
from orchestrator.gate.verdict_builder import VerdictBuilder

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
        self._promoted_session = PromotedSession(sandbox)
        self._disposable = disposable
        self._policy = policy

    def close(self) -> None:
        """Destroy the container that is kept for promoted functions. Idempotent."""
        self._promoted_session.close()

    def run(self, stage: Stage, builder: VerdictBuilder, *, among_promoted: bool = False) -> AnsweredStage:
        """Run a stage's job in a container of its own, or among the promoted functions in theirs."""
        results = self._run_job(stage.job, builder, among_promoted)
        early = starvation.stopped_early(stage.job.children, results)
        share = self._share(builder) if early else 1.0
        if early and not (self._quiet(share) and starvation.slept([results[place] for place in early])):
            children = tuple(starvation.patient(stage.job.children[place], share) for place in early)
            job = replace(stage.job, children=children)
            again = dict(zip(early, self._run_job(job, builder, among_promoted), strict=True))
            results = tuple(again.get(place, result) for place, result in enumerate(results))
            self._require_time(stage, results, share, builder)
        return stage, results

    def _require_time(
        self, stage: Stage, results: Sequence[ChildResult], share_before: float, builder: VerdictBuilder
    ) -> None:
        """Raise VerdictDecided with `infra` if a busy machine, not the function, is why processes ran out of time."""
        early = starvation.stopped_early(stage.job.children, results, starvation.SURE_SHARE)
        if not early:
            return
        share = min(share_before, self._share(builder))
        if not self._quiet(share) and starvation.starved([results[place] for place in early], share):
            detail = f"the machine is too busy to judge it: an endless loop gets {share:.0%} of a processor"
            raise VerdictDecided(infra(_check_of(builder), f"{detail}; judge it again when less is running"))

    def _run_job(self, job: Job, builder: VerdictBuilder, among_promoted: bool) -> tuple[ChildResult, ...]:
        error = SandboxError("the sandbox was never asked")
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
        if error.temporary and not among_promoted and self._canary_passes():
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
            (result,) = self._sandbox.run(starvation.loop()).children
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
        except (DisposableDied, ValidationError, ValueError) as error:
            died = error if isinstance(error, DisposableDied) else DisposableDied("The judge's answer cannot be read.")
            if not self._canary_passes():
                raise VerdictDecided(_broken(check, died)) from None
            raise VerdictDecided(failed(check, f"hostile-output: {died.message}")) from None
        finally:
            builder.spent("judge_s", started)
        return checks, answer, blobs

    def _canary_passes(self) -> bool:
        """Whether a harmless function passes every check of the first container."""
        stage = canary.stage(self._policy)
        try:
            children = self._sandbox.run(stage.job).children
            request = JudgeRequest(candidate=canary.CANDIDATE, policy=self._policy.gate).packed([(stage, children)])
            answer, _ = unpack(self._disposable.call(request))
            checks = _CHECKS.validate_python(answer.get("checks"))
        except (SandboxError, DisposableDied, ValidationError, ValueError):
            return False
        return executed.ID in {check.id for check in checks} and all(c.outcome is Outcome.PASS for c in checks)


def _check_of(builder: VerdictBuilder) -> str:
    """The check that a container which runs now is for."""
    return "confirmed" if executed.ID in builder.known else executed.ID


def failed(check: str, detail: str) -> CheckResult:
    """The result of a check that the candidate fails."""
    return CheckResult(id=check, outcome=Outcome.FAIL, detail=detail, cases=1)


def infra(check: str, detail: str) -> CheckResult:
    """The result of a check that could not be judged."""
    return CheckResult(id=check, outcome=Outcome.INFRA, detail=detail)


def _broken(check: str, error: SandboxError | DisposableDied) -> CheckResult:
    return infra(check, " ".join(filter(None, [error.message, error.advice])))
