"""The posture: every limit explicit, rendered purely, and what the engine and the guest really have."""

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from orchestrator.core.errors import PostureError
from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.containers.container import Container
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.launcher import DirectLauncher
from orchestrator.sandbox.posture.inspection import differences
from orchestrator.sandbox.posture.posture import MASKED, READ_ONLY, Posture, render
from tests.sandbox.sandbox_jobs import run_one

POSTURE = Posture.of(ContainerPolicy(), "sha256:abc", GuestEnvironment.FIRST)
NUMBERS = [
    field.name
    for field in fields(Posture)
    if field.name not in ("image", "environment", "runtime", "child_filter", "landlock")
]


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [0, -1, None])
def test_a_missing_limit_is_an_error(name: str, value: Any) -> None:
    """Zero, negative or absent would mean "unlimited" to an engine, so it is refused."""
    with pytest.raises(PostureError, match=name):
        replace(POSTURE, **{name: value})


def test_every_number_of_the_policy_reaches_the_engine() -> None:
    """Changing any limit changes the request."""
    plain = render(POSTURE, {})
    for name in NUMBERS:
        assert render(replace(POSTURE, **{name: getattr(POSTURE, name) * 2}), {}) != plain, name


def test_the_request_says_everything() -> None:
    """The whole host configuration, so that a change of any lock is seen in review."""
    host = render(POSTURE, {})["HostConfig"]
    security = host.pop("SecurityOpt")
    assert security[0] == "no-new-privileges"
    assert json.loads(security[1].removeprefix("seccomp="))["defaultAction"] == "SCMP_ACT_ERRNO"
    assert host == {
        "Runtime": "runc",
        "NetworkMode": "none",
        "IpcMode": "none",
        "CgroupnsMode": "private",
        "Privileged": False,
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "Memory": 2**30,
        "MemorySwap": 2**30,
        "PidsLimit": 64,
        "NanoCpus": 10**9,
        "Ulimits": [
            {"Name": "core", "Soft": 0, "Hard": 0},
            {"Name": "fsize", "Soft": 64 * 2**20, "Hard": 64 * 2**20},
            {"Name": "memlock", "Soft": 0, "Hard": 0},
            {"Name": "msgqueue", "Soft": 0, "Hard": 0},
            {"Name": "nice", "Soft": 0, "Hard": 0},
            {"Name": "nofile", "Soft": 256, "Hard": 256},
            {"Name": "rtprio", "Soft": 0, "Hard": 0},
            {"Name": "stack", "Soft": 2**23, "Hard": 2**23},
        ],
        "Tmpfs": {"/tmp": "rw,noexec,nosuid,nodev,mode=1777,size=33554432,nr_inodes=1024"},  # noqa: S108 - in the guest
        "OomKillDisable": False,
        "OomScoreAdj": 500,
        "LogConfig": {"Type": "none", "Config": {}},
        "RestartPolicy": {"Name": "no", "MaximumRetryCount": 0},
        "Init": False,
        "AutoRemove": True,
        "MaskedPaths": list(MASKED),
        "ReadonlyPaths": list(READ_ONLY),
    }
    assert {"/proc/kcore", "/proc/keys", "/proc/timer_list", "/sys/firmware"} <= set(MASKED)
    assert {"/proc/sys", "/proc/sysrq-trigger"} <= set(READ_ONLY)


def test_differences_are_named() -> None:
    """A dropped limit, an unlisted grant and a changed user are all found; a faithful answer gives none."""
    asked = render(POSTURE, {"a": "b"})
    faithful = {"HostConfig": dict(asked["HostConfig"]), "Config": dict(asked)}
    assert differences(asked, faithful) == []
    for place, change in (
        ("HostConfig", {"PidsLimit": None}),
        ("HostConfig", {"Memory": 0}),
        ("HostConfig", {"Binds": ["/:/host"]}),
        ("HostConfig", {"CapAdd": ["SYS_ADMIN"]}),
        ("HostConfig", {"SecurityOpt": ["seccomp=unconfined"]}),
        ("HostConfig", {"MaskedPaths": []}),
        ("HostConfig", {"ShmSize": 2**40}),
        ("HostConfig", {"SettingOfTheFuture": "host"}),
        ("Config", {"Env": ["LD_PRELOAD=/x"]}),
        ("Config", {"Healthcheck": {"Test": ["CMD", "x"]}}),
        ("Config", {"Image": "sha256:def"}),
        ("Config", {"User": "root"}),
        ("Config", {"Volumes": {"/data": {}}}),
    ):
        observed = faithful | {place: faithful[place] | change}
        assert len(differences(asked, observed)) == 1, change


@pytest.mark.docker
def test_the_engine_confirms_the_whole_posture(image: str) -> None:
    """What `inspect` says of a running container is what was asked for, and a planted difference is found."""
    engine = Engine()
    posture = Posture.of(Policy().container, image, GuestEnvironment.FIRST)
    container = Container.start(DirectLauncher(engine), posture, "test", inspect=True)
    try:
        observed = engine.inspect(container.id)
        asked = render(posture, {}, container.hash_seed)
        assert differences(asked, observed) == []
        observed["HostConfig"]["IpcMode"] = "host"
        assert len(differences(asked, observed)) == 1
    finally:
        container.destroy()
        engine.close()
    assert container.id not in [identity for identity, _ in Engine().labelled("io.cleanroom.run")]


@pytest.mark.docker
def test_an_unknown_runtime_is_refused(image: str) -> None:
    """A runtime that the engine does not know is an error, not a silent default."""
    policy = Policy(container=ContainerPolicy(runtime="no-such-runtime"))
    with DockerSandbox(policy, image) as sandbox, pytest.raises(PostureError, match="runtime"):
        run_one(sandbox, "def f(df): return df\n")
