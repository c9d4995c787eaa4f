"""The k-th call to the engine fails: nothing is left behind, and no verdict is wrong.

Every k on a fake engine, where a verdict takes no containers; on the real one each kind of call once.
"""

import pytest

from orchestrator.core.errors import SandboxError
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers import docker_sandbox
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.provision import engine_client
from tests.crash.conftest import GOOD, WRONG, Left, containers_left
from tests.crash.failing_engine import Calls, Failure
from tests.crash.fake_engine import FakeEngine

NO_IMAGE = f"sha256:{0:064x}"
POLICY = Policy(container=ContainerPolicy(pool_size=1))
GOOD_BY_ROW = '''"""City names carry stray blanks."""
CONTRACT = {"shape": "record", "modifies": ["city"]}
def detect(record):
    city = record.get("city")
    return isinstance(city, str) and city != city.strip()
def trim_city(record):
    """Strip blanks from city."""
    return {**record, "city": record["city"].strip()} if detect(record) else record
'''
WRONG_BY_ROW = GOOD_BY_ROW.replace("{**record, ", "{")
RIGHT = {GOOD: Outcome.PASS, WRONG: Outcome.FAIL, GOOD_BY_ROW: Outcome.PASS, WRONG_BY_ROW: Outcome.FAIL}


def _verdict(
    calls: Calls, source: str, image: str, judge: DisposableProcess, sample: Sample, run_id: str
) -> Outcome | None:
    """The verdict on the source, through engines whose calls are counted; None when there was no sandbox at all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(docker_sandbox, "Engine", calls.engine)
        try:
            sandbox = DockerSandbox(POLICY, image, run_id=run_id, light=source in (GOOD_BY_ROW, WRONG_BY_ROW))
        except SandboxError:
            return None
        with sandbox:
            gate = Verifier(sandbox, judge, POLICY)
            verdict = gate.verify(VerifyRequest(source, sample, quick=True))
            gate.close()
    return verdict.verdict


def _check(found: Outcome | None, source: str, calls: Calls, k: int, failure: Failure) -> None:
    """A verdict is right or `infra`, and right where the failure was one of a moment."""
    assert found in {RIGHT[source], Outcome.INFRA, None}, (k, calls.names[k - 1])
    if failure is not Failure.BROKEN and k > 1:
        assert found is RIGHT[source], (k, calls.names[k - 1])


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("failure", Failure)
def test_every_call_in_turn(
    failure: Failure, judge: DisposableProcess, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdicts are right or `infra`, whichever call fails; a moment's trouble is got over; no container is left."""
    fake = FakeEngine()
    monkeypatch.setattr(engine_client, "connect", lambda: fake)
    engine = Engine()
    whole = Calls()
    assert _verdict(whole, GOOD_BY_ROW, NO_IMAGE, judge, sample, "kth-0") is Outcome.PASS
    assert len(whole.names) >= 12
    for k in range(1, len(whole.names) + 1):
        source = (GOOD_BY_ROW, WRONG_BY_ROW)[(k + len(failure)) % 2]
        calls = Calls(k, failure)
        _check(_verdict(calls, source, NO_IMAGE, judge, sample, f"kth-{k}"), source, calls, k, failure)
        assert containers_left(engine, f"kth-{k}") == set(), (k, calls.names[k - 1])


@pytest.mark.parametrize("failure", [Failure.REFUSED, Failure.LOST])
def test_an_engine_that_is_away_for_three_calls(
    failure: Failure, judge: DisposableProcess, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a container can be neither used nor removed at once, none is left at the end."""
    fake = FakeEngine()
    monkeypatch.setattr(engine_client, "connect", lambda: fake)
    engine = Engine()
    for k in range(2, 10):
        found = _verdict(Calls(k, failure, many=3), GOOD_BY_ROW, NO_IMAGE, judge, sample, f"away-{k}")
        assert found in {Outcome.PASS, Outcome.INFRA}
        assert containers_left(engine, f"away-{k}", 2) == set(), k


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_each_call_to_the_real_engine(image: str, judge: DisposableProcess, sample: Sample, left: Left) -> None:
    """The same where each kind of call is the first to fail, each failure twice; the fake one is asked the same."""
    fake, whole = Calls(), Calls()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_client, "connect", FakeEngine)
        assert _verdict(fake, GOOD, NO_IMAGE, judge, sample, "kth-fake") is Outcome.PASS
    assert _verdict(whole, GOOD, image, judge, sample, "kth-0") is Outcome.PASS
    assert set(fake.names) == set(whole.names)
    first = {name: k for k, name in reversed(list(enumerate(whole.names, 1)))}
    assert len(first) == 6
    for number, k in enumerate(sorted(first.values())):
        failure = list(Failure)[number % 3]
        source = (GOOD, WRONG)[number % 2]
        calls = Calls(k, failure)
        run_id = f"kth-{failure}-{k}"
        _check(_verdict(calls, source, image, judge, sample, run_id), source, calls, k, failure)
        assert left(run_id) == set(), (k, calls.names[k - 1])
