"""The engine restarts, the image goes, the disk is full: in the middle of a verification."""

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docker
import pytest

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.verifier import Verifier
from orchestrator.registry.store import SqlRegistry
from orchestrator.sandbox.containers.container import Container
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.launcher import DirectLauncher
from orchestrator.sandbox.posture.posture import Posture
from tests.crash.conftest import GOOD, Left
from tests.support.engine_proxy import EngineProxy

pytestmark = pytest.mark.docker

POLICY = Policy(container=ContainerPolicy(pool_size=1))
CLEANROOM = Path(sys.executable).parent / "cleanroom"


# The SDK forgets the sockets of connections that it did not get; they are collected while that may be ignored.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_an_engine_that_goes_away_for_a_while(
    tmp_path: Path, image: str, judge: DisposableProcess, sample: Sample, left: Left, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each verdict is right or `infra`; once the engine is back so are the right ones; nothing is left."""
    place = tmp_path / "engine.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{place}")
    with EngineProxy(place) as proxy:
        sandbox = DockerSandbox(POLICY, image, run_id="restart")
        gate = Verifier(sandbox, judge, POLICY)
        found: list[Outcome] = []
        work = threading.Thread(
            target=lambda: found.extend(gate.verify(VerifyRequest(GOOD, sample, quick=True)).verdict for _ in range(3))
        )
        work.start()
        while not found and work.is_alive():
            time.sleep(0.01)
        proxy.cut()
        work.join(200)
    assert len(found) == 3
    assert set(found) <= {Outcome.PASS, Outcome.INFRA}
    assert Outcome.INFRA in found
    with EngineProxy(place):
        assert gate.verify(VerifyRequest(GOOD, sample, quick=True)).verdict is Outcome.PASS
        gate.close()
        sandbox.close()
    monkeypatch.delenv("DOCKER_HOST")
    assert left("restart") == set()
    gc.collect()


def test_an_image_that_is_removed_in_the_middle(
    image: str, judge: DisposableProcess, sample: Sample, left: Left, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdict is `infra` with the advice to set up again, never a pass or a fail."""
    api: Any = docker.from_env().api
    made = api.create_container(image, labels={"made": str(time.time())})["Id"]
    copy = str(api.commit(made, changes=[f"LABEL copy={made}"])["Id"])
    api.remove_container(made)
    real = Engine.create
    count = 0

    def create(self: Engine, config: dict[str, Any]) -> str:
        nonlocal count
        count += 1
        if count == 2:  # a verdict takes two; an image in use cannot be removed, so its containers go first
            for one in api.containers(all=True, filters={"ancestor": copy}):
                self.remove(one["Id"])
            api.remove_image(copy, force=True, noprune=True)
        return real(self, config)

    monkeypatch.setattr(Engine, "create", create)
    try:
        with DockerSandbox(POLICY, copy, run_id="image-gone") as sandbox:
            gate = Verifier(sandbox, judge, POLICY)
            verdict = gate.verify(VerifyRequest(GOOD, sample, quick=True))
            gate.close()
    finally:
        for one in api.images(quiet=True, all=True):
            if one == copy:
                api.remove_image(copy, force=True)
        api.close()
    assert verdict.verdict is Outcome.INFRA, verdict.failures
    assert any("setup" in check.detail for check in verdict.checks)
    assert left("image-gone") == set()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 KiB, which has room for an empty registry and its index. Needs root to be mounted."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place], check=True)
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_disk_that_is_full_while_promoting(tmp_path: Path, small_disk: Path) -> None:
    """The verdict stands; the registry says that there is no space, and holds all of a function or nothing of it."""
    (tmp_path / "a.csv").write_text("city,n\n" + " Rome,1\nOslo ,2\nLima,3\n" * 20)
    (tmp_path / "f.py").write_text(GOOD)
    with SqlRegistry(f"sqlite:///{small_disk / 'registry.db'}"):
        pass
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 1024):
                pass
        except OSError:
            pass
    done = subprocess.run(
        [CLEANROOM, "verify", "f.py", "--data", "a.csv", "--promote", "--registry", small_disk, "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert "full" in done.stderr or "space" in done.stderr
    filler.unlink()
    with SqlRegistry(f"sqlite:///{small_disk / 'registry.db'}", create=False) as registry:
        assert registry.functions() == ()


def test_a_guest_whose_owner_never_comes_back_ends_at_its_deadline(image: str, left: Left) -> None:
    """With its input still held open, and nobody to remove it, a container is gone once its life is over."""
    short = ContainerPolicy().model_copy(update={"lifetime_s": 4.0})
    engine = Engine()
    container = Container.start(
        DirectLauncher(engine), Posture.of(short, image, GuestEnvironment.FIRST), "abandoned", inspect=False
    )
    assert left("abandoned", 0) == {container.id}
    assert left("abandoned") == set()
    container.destroy()
    engine.close()
