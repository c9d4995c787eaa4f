"""Sandbox and judge with the question whose fault it is when one of them breaks. Called by the verifier.

On broken machinery a job runs again on a fresh container. What breaks time and again is asked of the canary, a harmless
function: does it get through, the candidate is to blame.
"""

import time
from typing import Any

from pydantic import TypeAdapter, ValidationError

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Sandbox
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.gate import canary
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
        error = SandboxError("the sandbox was never asked")
        for _ in range(self._policy.gate.infra_retries + 1):
            try:
                result = (self._promoted_session if among_promoted else self._sandbox).run(stage.job)
            except SandboxError as broken:
                error = broken
                if not broken.temporary:
                    break
            else:
                builder.ran(result, own=not among_promoted)
                return stage, result.children
        check = "confirmed" if "executed" in builder.known else "executed"
        if error.temporary and self._canary_passes():
            raise VerdictDecided(
                failed(check, f"breaks-sandbox: {error.message}, time and again, but not for other functions")
            )
        raise VerdictDecided(_broken(check, error))

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


def failed(check: str, detail: str) -> CheckResult:
    """The result of a check that the candidate fails."""
    return CheckResult(id=check, outcome=Outcome.FAIL, detail=detail, cases=1)


def infra(check: str, detail: str) -> CheckResult:
    """The result of a check that could not be judged."""
    return CheckResult(id=check, outcome=Outcome.INFRA, detail=detail)


def _broken(check: str, error: SandboxError | DisposableDied) -> CheckResult:
    return infra(check, " ".join(filter(None, [error.message, error.advice])))
