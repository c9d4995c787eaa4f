"""The broker hands out containers of the frozen posture within its limits, to whomever it serves, and nothing else."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orchestrator.core.errors import EngineUnavailable, ImageMissing, PostureError, SandboxError, UsageError
from orchestrator.core.jobs import Ended, GuestEnvironment
from orchestrator.core.policy import LOCKS, ContainerPolicy, Policy
from orchestrator.sandbox.broker import address, broker_client, connection
from orchestrator.sandbox.broker.bounds import check_within
from orchestrator.sandbox.broker.broker_client import BrokerLauncher, running_broker
from orchestrator.sandbox.broker.messages import LARGEST
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.posture.posture import NOT_OF_ONE, Posture
from orchestrator.sandbox.provision import engine_client
from tests.crash.fake_engine import FakeEngine
from tests.sandbox.broker.broker_target import (
    RECIPE,
    asked,
    connect,
    containers,
    launch_request,
    launched,
    serving,
    until,
)
from tests.sandbox.sandbox_jobs import STRIP, make_job

IMAGE = "sha256:" + "0" * 64
LIMITS = sorted(ContainerPolicy.model_fields.keys() - LOCKS.keys() - NOT_OF_ONE - {"runtime"})
POSTURE = Posture.of(ContainerPolicy(), IMAGE, GuestEnvironment.FIRST_LIGHT)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine without containers."""
    fake = FakeEngine()
    monkeypatch.setattr(engine_client, "connect", lambda: fake)
    return Engine()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "broker.sock"


@pytest.fixture
def broker(place: Path, engine: Engine) -> Iterator[Path]:
    """A broker that runs; where."""
    with serving(place, engine, IMAGE, per_user=3) as complaints:
        yield place
    assert complaints == []
    assert containers(engine) == []


def test_a_job_runs_in_a_container_of_the_brokers(broker: Path, engine: Engine) -> None:
    """The sandbox is the same, its container is gone afterwards, and this process never asks the engine."""
    small = Policy(container=ContainerPolicy(pool_size=1))
    with DockerSandbox(small, IMAGE, "broker", launcher=BrokerLauncher(broker)) as sandbox:
        assert sandbox.run(make_job(STRIP)).children[0].ended is Ended.OK
    assert until(lambda: not containers(engine))


def test_only_the_brokers_image_and_settings_are_used(broker: Path, engine: Engine) -> None:
    """A client chooses numbers; command, mounts, user and image are not its business."""
    with connect(broker) as one:
        identity, stream = launched(one)
        with stream:
            made = engine.inspect(identity)
    assert made["Image"] == IMAGE
    assert made["HostConfig"]["NetworkMode"] == "none"
    assert made["HostConfig"]["CapDrop"] == ["ALL"]


@pytest.mark.parametrize(
    ("more", "word"),
    [
        *(({name: getattr(ContainerPolicy(), name) + 1}, name) for name in LIMITS),
        *(({name: weakest}, name) for name, (weakest, *_) in LOCKS.items()),
        ({"runtime": "io.containerd.other"}, "runtime"),
        ({"runtime": "runsc", "pids": 1000}, "pids"),
    ],
)
def test_more_than_the_policy_gives_is_refused(more: dict[str, Any], word: str) -> None:
    """Every limit and every layer has its bound; what is less, and gVisor with what it needs, is given."""
    with pytest.raises(PostureError, match=word):
        check_within(ContainerPolicy.model_validate(more), ContainerPolicy())
    check_within(ContainerPolicy(pids=32, landlock="required"), ContainerPolicy())
    check_within(ContainerPolicy(runtime="runsc"), ContainerPolicy())


def test_a_limit_that_is_added_later_is_bounded() -> None:
    """Nobody has to think of the broker; what only the caller has to do with is not bounded."""

    class Later(ContainerPolicy):
        sockets: int = 5

    with pytest.raises(PostureError, match="sockets 6, and not at most 5"):
        check_within(Later(sockets=6), Later())
    check_within(Later(pool_size=64, job_s=80_000.0), Later())


def test_what_is_refused_makes_no_container(broker: Path, engine: Engine) -> None:
    """The refusal reaches the client as the error that it is."""
    greedy = Posture.of(ContainerPolicy(pids=1000), IMAGE, GuestEnvironment.FIRST)
    with pytest.raises(PostureError, match="pids 1000, and not at most 64"):
        BrokerLauncher(broker).launch(greedy, "broker", 7, inspect=False)
    assert containers(engine) == []


HOSTILE = [
    launch_request().model_dump_json().replace('"container":{', '"container":{"privileged":true,').encode(),
    launch_request().model_dump_json().replace('"op":', '"image":"debian","op":').encode(),
    launch_request().model_dump_json().replace('"broker"', '"a b"').encode(),
    b'{"op":"remove","identity":"x"}',
    b'{"op":"launch"}',
    b"[" * LARGEST,
    b" " * (LARGEST + 1),
    b"GET /containers/json HTTP/1.1\r\nHost: x\r\n\r\n",
]


@pytest.mark.parametrize("request_", HOSTILE, ids=range(len(HOSTILE)))
def test_any_other_request_gets_one_sentence(broker: Path, engine: Engine, request_: bytes) -> None:
    """Unknown fields, other operations, depth, length and other protocols are not read."""
    answer = asked(broker, request_)
    assert answer.message == "the broker cannot read the request"
    assert containers(engine) == []


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(noise=st.binary(min_size=1, max_size=300))
def test_noise_leaves_the_broker_as_it_was(broker: Path, noise: bytes) -> None:
    """Whatever comes, the next client is served, once the connections before it are counted as ended."""

    def served() -> bool:
        with suppress(SandboxError):
            return BrokerLauncher(broker).image(RECIPE) == IMAGE
        return False

    assert asked(broker, noise).error == "SandboxError"
    assert until(served)


def test_a_client_that_is_gone_leaves_no_container(broker: Path, engine: Engine) -> None:
    """However it went: nobody has to say goodbye."""
    one = connect(broker)
    identity, stream = launched(one)
    with stream:
        assert containers(engine) == [identity]
        one.close()
        assert until(lambda: not containers(engine))


def test_nobody_gets_more_than_his_share(broker: Path, request: pytest.FixtureRequest) -> None:
    """Connections are counted by user, also silent ones; the next one is told so, and served when one has ended."""
    held = [connect(broker) for _ in range(3)]
    for one in held:
        request.addfinalizer(one.close)
    with pytest.raises(SandboxError, match=r"limit of 3 containers for user \d+ is reached"):
        BrokerLauncher(broker).image(RECIPE)
    held.pop().close()
    assert until(lambda: _served(broker))


def _served(broker: Path) -> bool:
    try:
        return BrokerLauncher(broker).image(RECIPE) == IMAGE
    except SandboxError:
        return False


def test_who_says_nothing_is_sent_away(broker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection without a request ends by itself."""
    monkeypatch.setattr(connection, "_REQUEST_S", 0.1)
    with connect(broker) as one:
        assert one.recv(LARGEST) == b""


def test_the_end_of_the_broker_ends_its_containers(place: Path, engine: Engine) -> None:
    """Nobody is left with a container that no one looks after."""
    with serving(place, engine, IMAGE):
        launcher = BrokerLauncher(place)
        made = launcher.launch(POSTURE, "broker", 7, inspect=True)
        assert containers(engine) == [made.identity]
    assert containers(engine) == []
    made.handle.close()
    with pytest.raises(EngineUnavailable, match="the broker went away"):
        launcher.remove(made.identity)


def test_another_version_is_told_so(broker: Path) -> None:
    """A client never runs in the image of another version."""
    with pytest.raises(ImageMissing, match="another version"):
        BrokerLauncher(broker).image("recipe:2")


def test_a_strangers_broker_is_not_trusted(broker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root's and one's own: another user's would hand out what it likes."""
    monkeypatch.setattr(broker_client, "user_of", lambda _: 4242)
    with pytest.raises(PostureError, match="not trusted"):
        BrokerLauncher(broker).image(RECIPE)


def test_the_machines_broker_is_used_where_it_runs(
    place: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None where none runs, an error where the one that was named does not answer, none where it is switched off."""
    monkeypatch.delenv("CLEANROOM_BROKER", raising=False)
    monkeypatch.setattr(address, "DEFAULT", place)
    assert running_broker() is None
    monkeypatch.setenv("CLEANROOM_BROKER", str(place))
    with pytest.raises(EngineUnavailable, match="No broker answers"):
        running_broker()
    monkeypatch.delenv("CLEANROOM_BROKER")
    with serving(place, engine, IMAGE):
        found = running_broker()
        assert found is not None
        assert found.image(RECIPE) == IMAGE
        monkeypatch.setenv("CLEANROOM_BROKER", "off")
        assert running_broker() is None


def test_a_place_is_taken_only_from_a_broker_that_is_gone(place: Path, engine: Engine, tmp_path: Path) -> None:
    """A file stays, a broker that runs stays, and only the owner and the group may connect."""
    file = tmp_path / "notes"
    file.write_text("mine")
    with pytest.raises(UsageError, match="is no socket"):
        address.listen(file)
    assert file.read_text() == "mine"
    with pytest.raises(UsageError, match="no group"):
        address.listen(place, "no-such-group")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as gone:
        gone.bind(str(place))
    with serving(place, engine, IMAGE):
        assert place.stat().st_mode & 0o777 == 0o660
        with pytest.raises(UsageError, match="already there"):
            address.listen(place)
