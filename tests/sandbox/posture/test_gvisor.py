"""gVisor (runsc) as the runtime: its limits, its whole posture, and a soak. Real where the engine knows runsc."""

from collections.abc import Iterator

import pytest

from orchestrator import redteam_bootstrap
from orchestrator.core.jobs import Ended
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.posture.proof.prove import prove
from orchestrator.sandbox.provision.engine_client import connect
from orchestrator.sandbox.redteam import corpus
from orchestrator.sandbox.redteam.redteam_runner import RedTeam
from orchestrator.sandbox.redteam.report import ControlState
from tests.sandbox.sandbox_jobs import CITIES, STRIP, make_job, run_one
from tests.support.required import skip_without

GVISOR = Policy(container=ContainerPolicy(runtime="runsc"))
JOBS, CHILDREN = 3, 16
ATTACKS = {  # what gVisor answers in its own way; the whole corpus: `cleanroom redteam --runtime runsc`
    "harness/freezes-the-supervisor",
    "harness/kills-the-supervisor",
    "objects/tunnels",
    "objects/writes-to-the-supervisors-output",
    "processes/fork-bomb",
}


@pytest.fixture(scope="module")
def gvisor(image: str) -> Iterator[DockerSandbox]:
    client = connect()
    known = (client.info().get("Runtimes") or {}).keys()
    client.close()
    if "runsc" not in known:
        skip_without("gvisor", "this engine does not know runsc: `cleanroom setup --runtime runsc` registers it")
    with DockerSandbox(GVISOR, image, run_id="test") as sandbox:
        yield sandbox


def test_its_limits_leave_room_for_gvisor_itself() -> None:
    """What is not given is larger than under runc; what is given is kept."""
    plain = ContainerPolicy()
    assert GVISOR.container.memory_bytes > plain.memory_bytes
    assert GVISOR.container.pids > plain.pids
    assert ContainerPolicy(runtime="runsc", pids=100).pids == 100
    assert ContainerPolicy.model_validate(GVISOR.container.model_dump()) == GVISOR.container


@pytest.mark.docker
def test_a_verdict_names_it(gvisor: DockerSandbox) -> None:
    """The result says which runtime ran it, and the result is the same."""
    result = gvisor.run(make_job(STRIP))
    assert result.info.runtime == "runsc"
    assert result.children[0].ended is Ended.OK
    assert run_one(gvisor, "def f(df): return df\n").table().equals(CITIES)


@pytest.mark.docker
def test_its_whole_posture_is_kept(gvisor: DockerSandbox, image: str) -> None:
    """The child's filter makes it the same few calls as under runc; Landlock alone is not there, which is told."""
    engine = Engine()
    try:
        proof = prove(engine, GVISOR, image)
    finally:
        engine.close()
    assert proof.deviations == ()
    assert proof.missing == ("there is no Landlock here",)


@pytest.mark.docker
@pytest.mark.slow
def test_attacks_are_held(gvisor: DockerSandbox) -> None:
    """What needs its own answer under gVisor ends as it must, and each control shows that the attack is real."""
    attacks = [one for one in corpus.load() if one.key in ATTACKS]
    assert len(attacks) == len(ATTACKS)
    with redteam_bootstrap.red_team_target(None, "runsc") as at:
        for report in RedTeam(at).run(attacks, lambda _: None):
            assert report.held, f"{report.name}: {report.happened}; {report.traces}"
            assert report.control is not ControlState.FAILED, f"{report.name}: {report.control_said}"


@pytest.mark.docker
@pytest.mark.slow
def test_it_lasts(gvisor: DockerSandbox) -> None:
    """Several containers with many children each end well, every one: old releases gave up after a few forks."""
    for number in range(JOBS):
        ended = [child.ended for child in gvisor.run(make_job(STRIP, children=CHILDREN)).children]
        assert ended == [Ended.OK] * CHILDREN, number
