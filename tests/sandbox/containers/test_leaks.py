"""No container outlives its use: after close, after errors, after interrupts, after kill -9 of the owner."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing

import pytest

from orchestrator.core.errors import GuestProtocolError, ImageMissing, SandboxError
from orchestrator.core.jobs import Ended, GuestEnvironment, Limits
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.containers.container import Container
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import RUN, labels, orphaned
from orchestrator.sandbox.containers.reaper import reap
from orchestrator.sandbox.posture.posture import LABEL
from tests.sandbox.sandbox_jobs import IDENTITY, STRIP, make_job

SMALL = Policy(container=ContainerPolicy(pool_size=1))


def alive(run_id: str) -> set[str]:
    engine = Engine()
    try:
        return {identity for identity, found in engine.labelled(RUN) if found[RUN] == run_id}
    finally:
        engine.close()


def until(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)


def test_an_owner_is_a_process_not_a_number() -> None:
    """A container is orphaned when its deadline passed or its very owner is gone, never because of another machine."""
    now = time.time()
    own = labels("run", GuestEnvironment.FIRST, 60)
    assert not orphaned(own, now)
    assert orphaned(own, now + 61)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert orphaned(own | {f"{LABEL}owner-pid": str(gone.pid)}, now)
    assert orphaned(own | {f"{LABEL}owner-start": "1"}, now)
    elsewhere = {f"{LABEL}owner-host": "another", f"{LABEL}owner-pid": str(gone.pid)}
    assert not orphaned(own | elsewhere, now)
    assert orphaned(own | elsewhere, now + 61)
    assert orphaned({RUN: "x"}, now)
    assert orphaned(own | {f"{LABEL}deadline": "soon"}, now)


@pytest.mark.docker
def test_containers_are_used_once_and_none_is_left(image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each job has a container of its own, and after close there is none."""
    seen: set[str] = set()
    with DockerSandbox(SMALL, image, run_id="leak-once") as sandbox:
        discard = sandbox._pool.discard

        def observe(container: Container) -> None:
            seen.add(container.id)
            discard(container)

        monkeypatch.setattr(sandbox._pool, "discard", observe)
        for _ in range(4):
            assert sandbox.run(make_job(STRIP)).children[0].ended is Ended.OK
    assert len(seen) == 4
    assert alive("leak-once") == set()
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run(make_job(STRIP))


@pytest.mark.docker
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_in_the_middle_leaves_nothing(image: str, error: type[BaseException]) -> None:
    """Whatever interrupts a job or a session, its container is gone after close."""

    def interrupted() -> None:
        with DockerSandbox(SMALL, image, run_id="leak-error") as sandbox, sandbox.session() as session:
            session.run(make_job(STRIP))
            raise error

    with pytest.raises(error):
        interrupted()
    assert alive("leak-error") == set()


@pytest.mark.docker
def test_a_missing_image_is_named_and_leaves_nothing() -> None:
    """An image that is not there is an error with advice."""
    with (
        DockerSandbox(SMALL, "sha256:" + "0" * 64, run_id="leak-image") as sandbox,
        pytest.raises(ImageMissing) as caught,
    ):
        sandbox.run(make_job(STRIP))
    assert "setup" in caught.value.advice
    assert alive("leak-image") == set()


@pytest.mark.docker
def test_a_container_that_is_removed_under_a_job_is_broken_machinery(
    image: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the container goes away in the middle, nothing is known of the candidate."""
    with DockerSandbox(SMALL, image, run_id="leak-gone") as sandbox:
        until(lambda: bool(alive("leak-gone")))
        with sandbox.session() as session:
            session.run(make_job(STRIP))
            container = session._container
            assert container is not None
            container.destroy()
            monkeypatch.setattr(container, "usable", lambda _: True)
            with pytest.raises(GuestProtocolError):
                session.run(make_job(STRIP))
            assert session.run(make_job(STRIP)).children[0].ended is Ended.OK


@pytest.mark.docker
def test_a_frozen_guest_is_destroyed_at_the_hosts_deadline(image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's deadline does not depend on the guest: every child counts as timed out, and the container is gone."""
    limits = Limits(wall_s=0.5)
    with DockerSandbox(SMALL, image, run_id="leak-frozen-guest") as sandbox, sandbox.session() as session:
        session.run(make_job(STRIP))
        container = session._container
        assert container is not None
        with closing(Engine()) as engine:
            engine._api.pause(container.id)
        monkeypatch.setattr("orchestrator.sandbox.containers.container._MARGIN_S", 0.5)
        started = time.monotonic()
        results = session.run(make_job(STRIP, limits=limits, children=2)).children
        assert [result.ended for result in results] == [Ended.TIMEOUT] * 2
        assert time.monotonic() - started < 60  # the container would live for ten minutes
        assert container.id not in alive("leak-frozen-guest")
        assert session.run(make_job(STRIP)).children[0].ended is Ended.OK


@pytest.mark.docker
def test_a_session_outlives_its_containers(image: str) -> None:
    """A container that would not live long enough for the next job is replaced in time."""
    policy = Policy(container=ContainerPolicy(pool_size=1, lifetime_s=60.0))
    with DockerSandbox(policy, image, run_id="leak-session") as sandbox, sandbox.session() as session:
        session.run(make_job(STRIP))
        first = session._container
        assert first is not None
        session.run(make_job(STRIP))
        assert session._container is first
        first.expires -= 45
        assert session.run(make_job(STRIP)).children[0].ended is Ended.OK
        assert session._container is not first


@pytest.mark.docker
def test_limits_longer_than_a_containers_life_are_no_trouble(image: str) -> None:
    """A job that would be allowed more time than its container has still gets one, and runs."""
    policy = Policy(container=ContainerPolicy(pool_size=1, lifetime_s=20.0))
    with DockerSandbox(policy, image, run_id="leak-long") as sandbox:
        job = make_job(STRIP, limits=Limits(wall_s=1000.0))
        assert sandbox.run(job).children[0].ended is Ended.OK


OWNER = """
import sys, time
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from tests.sandbox.sandbox_jobs import make_job
sandbox = DockerSandbox(Policy(container=ContainerPolicy(pool_size=1)), sys.argv[1], run_id=sys.argv[2])
if sys.argv[3] == "exit":
    print(sandbox.run(make_job("def f(df): return df")).children[0].ended, flush=True)
else:
    print("started", flush=True)
    sandbox.run(make_job("def f(df):\\n    while True: pass"))
"""


@pytest.mark.docker
def test_a_killed_owner_leaves_nothing(image: str) -> None:
    """After kill -9 the guests end by themselves, and the next start removes what is left."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, image, "leak-killed", "loop"],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": "."},
    )
    assert process.stdout is not None
    process.stdout.readline()
    until(lambda: len(alive("leak-killed")) >= 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    engine = Engine()
    reap(engine)
    engine.close()
    until(lambda: not alive("leak-killed"))


@pytest.mark.docker
def test_a_frozen_guest_of_a_killed_owner_is_reaped(image: str) -> None:
    """A guest that cannot end itself is removed by the reaper, and a living owner's is not."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    with DockerSandbox(SMALL, image, run_id="leak-living") as sandbox:
        sandbox.run(make_job(IDENTITY))
        engine = Engine()
        until(lambda: bool(alive("leak-living")))
        before = alive("leak-living")
        found = labels("leak-frozen", GuestEnvironment.FIRST, 600) | {f"{LABEL}owner-pid": str(dead.pid)}
        frozen = engine.create({"Image": image, "Labels": found, "HostConfig": {"NetworkMode": "none"}})
        removed = reap(engine)
        engine.close()
        assert frozen not in alive("leak-frozen")  # removed by this reaper, or by another program's that was quicker
        assert not before & set(removed)


@pytest.mark.docker
def test_a_forgotten_close_is_made_up_for_at_exit(image: str) -> None:
    """A program that ends without closing its sandbox ends at once and leaves nothing."""
    done = subprocess.run(
        [sys.executable, "-c", OWNER, image, "leak-forgotten", "exit"],
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
        env=os.environ | {"PYTHONPATH": "."},
    )
    assert done.stdout == "ok\n"
    assert done.stderr == ""
    assert alive("leak-forgotten") == set()
