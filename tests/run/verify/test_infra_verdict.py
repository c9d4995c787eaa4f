"""Where the infrastructure fails, who waits for a verdict reads the reason, wherever the verdict was asked for."""

from typing import Any, NamedTuple

import pytest

from orchestrator.core.errors import SandboxError
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict
from orchestrator.core.witnesses import Witnesses
from orchestrator.run.infra_verdict import raise_if_infra
from orchestrator.run.verify.stored import verdict_again
from tests.registry.conftest import make_candidate

BUSY = "the machine is too busy to judge it; judge it again when less is running"
_UNUSED: Any = None


def verdict(outcome: Outcome) -> Verdict:
    check = CheckResult(id="executed", outcome=outcome, detail=BUSY)
    return Verdict(candidate=CandidateInfo(name="trim", sha256="0" * 64), verdict=outcome, checks=(check,))


class BusyGate:
    """Every verdict is about the machine."""

    def verify(self, _request: VerifyRequest) -> Verdict:
        return verdict(Outcome.INFRA)


class Parts(NamedTuple):
    """Of the services, what a verdict needs."""

    gate: BusyGate


class Stored(NamedTuple):
    """Of a stored function, what a verdict needs."""

    name: str
    candidate: Any


def test_a_busy_machine_is_told_as_one_for_a_stored_function() -> None:
    """`check`, `import`, `adopt` and `verify --rerun` said only that the sandbox failed."""
    stored: Any = Stored("trim", make_candidate("trim"))
    services: Any = Parts(BusyGate())
    with pytest.raises(SandboxError) as failed:
        verdict_again(stored, _UNUSED, (), services, Witnesses())
    assert failed.value.message == f"The sandbox failed while trim was judged: {BUSY}. Nothing was changed."


@pytest.mark.parametrize("outcome", [Outcome.PASS, Outcome.FAIL, Outcome.HOLD])
def test_a_verdict_on_the_function_is_no_failure_of_the_sandbox(outcome: Outcome) -> None:
    """Only what says nothing of it is an error."""
    raise_if_infra(verdict(outcome))
    with pytest.raises(SandboxError, match=f"trim was judged: {BUSY}$"):
        raise_if_infra(verdict(Outcome.INFRA))
