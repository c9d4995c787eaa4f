"""The broker on a real engine: what its clients hold is one container's streams, and no way to the engine."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.jobs import Ended
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import QueueLimits
from orchestrator.sandbox.broker.broker_client import BrokerLauncher
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.posture.posture import Posture
from orchestrator.sandbox.provision.recipe import read_recipe
from orchestrator.service import worker_process
from orchestrator.service.service_settings import ServiceSettings
from tests.sandbox.broker import broker_target
from tests.sandbox.broker.broker_target import containers, launch_request, serving, until
from tests.sandbox.broker.test_remote_engine import over_tls  # noqa: F401 - a fixture
from tests.sandbox.sandbox_jobs import STRIP, make_job

pytestmark = pytest.mark.docker
SMALL = Policy(container=ContainerPolicy(pool_size=1))
CLIENT = """
import sys, time
from tests.sandbox.broker.broker_target import connect, launched
from pathlib import Path
one = connect(Path(sys.argv[1]))
identity, stream = launched(one)
print(identity, flush=True)
time.sleep(60)
"""


@pytest.fixture
def engine() -> Iterator[Engine]:
    with closing(Engine()) as engine:
        yield engine


@pytest.fixture
def broker(tmp_path: Path, engine: Engine, image: str) -> Iterator[Path]:
    """A broker that runs; where."""
    with serving(tmp_path / "broker.sock", engine, image):
        yield tmp_path / "broker.sock"
    assert containers(engine) == []


def test_functions_run_where_the_client_has_no_engine(
    broker: Path, engine: Engine, image: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under the whole posture, which the broker compares and a strict client has proved."""
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere")
    launcher = BrokerLauncher(broker)
    launcher.prove(SMALL)
    with DockerSandbox(SMALL, image, "broker", launcher=launcher) as sandbox:
        assert sandbox.run(make_job(STRIP)).children[0].ended is Ended.OK


def test_the_service_has_its_sandbox_from_the_broker(
    engine: Engine, image: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker proves what it gets there, and is ready where it has no engine itself."""
    monkeypatch.setattr(broker_target, "RECIPE", read_recipe().tag)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere")
    monkeypatch.setenv("CLEANROOM_BROKER", str(tmp_path / "broker.sock"))
    (tmp_path / "policy.yaml").write_text("container: {pool_size: 1}\n")
    stopping, told = worker_process._Stopping(), []

    def tell(what: dict[str, Any]) -> None:
        told.append(what)
        stopping.set()

    monkeypatch.setattr(worker_process, "_tell", tell)
    settings = ServiceSettings(
        registry=str(tmp_path), state=tmp_path / "state", policy=tmp_path / "policy.yaml", drain_s=1.0
    )
    with (
        serving(tmp_path / "broker.sock", engine, image),
        closing(JobStore(f"sqlite:///{tmp_path}/registry.db", QueueLimits(), create=True)) as jobs,
    ):
        worker_process._work("one", settings, jobs, stopping)
    assert told[0] == {"ready": True, "problem": ""}


def test_the_stream_is_no_way_to_the_engine(broker: Path, engine: Engine, image: str) -> None:
    """What a client writes on it goes to the guest, which ends; the engine never answers."""
    launcher = BrokerLauncher(broker)
    request = launch_request()
    launched = launcher.launch(Posture.of(request.container, image, request.environment), "broker", 7, inspect=True)
    with launched.handle as stream:
        stream.settimeout(60)
        stream.sendall(b"GET /containers/json HTTP/1.1\r\nHost: engine\r\n\r\n" * 50)
        heard = b""
        while part := stream.recv(65536):
            heard += part
        assert b"HTTP/" not in heard
        assert b"Id" not in heard
    launcher.remove(launched.identity)


def test_a_client_that_is_killed_leaves_no_container(broker: Path, engine: Engine) -> None:
    """kill -9, in the middle."""
    process = subprocess.Popen([sys.executable, "-c", CLIENT, str(broker)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    identity = process.stdout.readline().strip()
    assert identity in containers(engine)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert until(lambda: identity not in containers(engine))


def test_streams_are_passed_on_where_the_engine_is_remote(over_tls: Path, tmp_path: Path, image: str) -> None:  # noqa: F811 - the fixture
    """A connection under TLS cannot be handed over, so the broker copies its bytes."""
    with closing(Engine()) as engine, serving(tmp_path / "broker.sock", engine, image):
        launcher = BrokerLauncher(tmp_path / "broker.sock")
        with DockerSandbox(SMALL, image, "broker", launcher=launcher) as sandbox:
            assert sandbox.run(make_job(STRIP)).children[0].ended is Ended.OK
