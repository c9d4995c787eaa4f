"""The k-th call to the engine fails, for every k: nothing is left behind, and no verdict is wrong."""

import pytest

from orchestrator.core.errors import SandboxError
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import Sample
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.client import DisposableProcess
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers import docker_sandbox
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from tests.crash.conftest import GOOD, WRONG, Left
from tests.crash.failing_engine import Calls, Failure

pytestmark = pytest.mark.docker

POLICY = Policy(container=ContainerPolicy(pool_size=1))
RIGHT = {GOOD: Outcome.PASS, WRONG: Outcome.FAIL}


def _verdict(
    calls: Calls, source: str, image: str, judge: DisposableProcess, sample: Sample, run_id: str
) -> Outcome | None:
    """The verdict on the source, through engines whose calls are counted; None when there was no sandbox at all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(docker_sandbox, "Engine", calls.engine)
        try:
            sandbox = DockerSandbox(POLICY, image, run_id=run_id)
        except SandboxError:
            return None
        with sandbox:
            gate = Verifier(sandbox, judge, POLICY)
            verdict = gate.verify(source, sample, quick=True)
            gate.close()
    return verdict.verdict


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("failure", Failure)
def test_every_call_in_turn(failure: Failure, image: str, judge: DisposableProcess, sample: Sample, left: Left) -> None:
    """Verdicts are right or `infra`, whichever call fails; a moment's trouble is got over; no container is left."""
    whole = Calls()
    assert _verdict(whole, GOOD, image, judge, sample, "kth-0") is Outcome.PASS
    assert len(whole.names) >= 12
    for k in range(1, len(whole.names) + 1):
        run_id = f"kth-{failure}-{k}"
        source = (GOOD, WRONG)[(k + len(failure)) % 2]
        calls = Calls(k, failure)
        found = _verdict(calls, source, image, judge, sample, run_id)
        assert found in {RIGHT[source], Outcome.INFRA, None}, (k, calls.names[k - 1])
        if failure is not Failure.BROKEN and k > 1:
            assert found is RIGHT[source], (k, calls.names[k - 1])
        assert left(run_id) == set(), (k, calls.names[k - 1])
