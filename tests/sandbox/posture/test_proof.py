"""The whole posture of a running container against the wanted one: the engine's words and what a candidate sees."""

from contextlib import closing
from typing import Any

import pytest

from orchestrator.core.errors import PostureError
from orchestrator.core.jobs import GuestEnvironment, Limits
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.posture.posture import Posture, render, seccomp_profile
from orchestrator.sandbox.posture.proof import prove as proving
from orchestrator.sandbox.posture.proof.deviations import (
    ProbeReport,
    locked_deviations,
    open_deviations,
    unseen_limits,
)
from orchestrator.sandbox.posture.proof.prove import PostureProof, prove, require
from tests.sandbox.sandbox_jobs import STRIP, run_one

LIMITS = Limits()
TMP, SHM = "/tmp", "/dev/shm"  # noqa: S108 - in the guest


@pytest.fixture(scope="module")
def observed(image: str) -> dict[str, tuple[ProbeReport, Posture]]:
    """What probes saw on this machine: of an ordinary child, and of one without locks."""
    engine, found = Engine(), {}
    try:
        for name, locks in (("locked", {}), ("open", {"child_filter": "off", "landlock": "off"})):
            posture = Posture.of(ContainerPolicy.model_validate(locks), image, GuestEnvironment.FIRST)
            _, _, seen = proving._observe(engine, posture, LIMITS, lambda *_: [])
            found[name] = (seen, posture)
    finally:
        engine.close()
    return found


@pytest.mark.docker
def test_this_machine_keeps_the_whole_posture(observed: dict[str, tuple[ProbeReport, Posture]]) -> None:
    """Nothing is extra and nothing missing: status, mounts, devices, limits, groups, interfaces, system calls."""
    assert locked_deviations(*observed["locked"], LIMITS) == []
    assert open_deviations(*observed["open"], LIMITS) == []


CHANGES: list[tuple[str, str, Any]] = [
    ("locked", "status.CapEff", "0000000000200000"),
    ("locked", "status.NoNewPrivs", "0"),
    ("locked", "status.Seccomp", "0"),
    ("locked", "status.Seccomp_filters", "1"),
    ("locked", "status.Uid", "0 0 0 0"),
    ("locked", "devices.kvm", "c10:232"),
    ("locked", "devices.null", "c1:1"),
    ("locked", "limits.RLIMIT_CORE", [-1, -1]),
    ("locked", "limits.RLIMIT_AS", [-1, -1]),
    ("locked", "limits.RLIMIT_NOFILE", [64, 1024]),
    ("locked", "calls.101", "EFAULT"),  # ptrace
    ("locked", "calls.425", ""),  # io_uring_setup
    ("locked", "calls.469", "ENOSYS"),  # a call that the filter never heard of
    ("locked", "calls.0", "EPERM"),  # read
    ("locked", "calls.435", "EFAULT"),  # clone3
    ("locked", "root", ["bin"]),
    ("locked", "interfaces", ["lo", "eth0"]),
    ("locked", "descriptors", [0, 1, 2, 3, 4]),
    ("locked", "environment", ["SECRET"]),
    ("locked", "oom_score_adj", "0"),
    ("locked", "writable", [SHM, TMP]),
    ("open", "processes", 3),
    ("open", "calls.41", ""),  # socket
    ("open", "cgroup.pids/pids.max", "max"),
]


@pytest.mark.docker
@pytest.mark.parametrize(("which", "where", "value"), CHANGES)
def test_every_change_is_seen(
    observed: dict[str, tuple[ProbeReport, Posture]], which: str, where: str, value: Any
) -> None:
    """A report with one planted difference gives at least one deviation, which names it."""
    seen, posture = observed[which]
    name, _, inner = where.partition(".")
    if name == "cgroup" and inner not in seen["cgroup"]:
        inner, value = "pids.max", "max"
    changed = seen | {name: seen[name] | {inner: value} if inner else value}
    compare = locked_deviations if which == "locked" else open_deviations
    allowed_some = where == "calls.41"  # the container allows local sockets: the filter cannot be judged by it
    assert bool(compare(changed, posture, LIMITS)) is not allowed_some


@pytest.mark.docker
@pytest.mark.parametrize(
    "mount",
    [
        ["/host", "ext4", "rw"],
        [TMP, "tmpfs", "rw,nosuid,nodev,noexec"],
        [TMP, "tmpfs", "rw,nosuid,nodev,size=32768k,nr_inodes=1024"],
        ["/", "overlay", "rw"],
        ["/proc/sys", "proc", "rw,nosuid,nodev,noexec"],
        [SHM, "tmpfs", "rw,nosuid,nodev,noexec"],
    ],
)
def test_every_mount_counts(observed: dict[str, tuple[ProbeReport, Posture]], mount: list[str]) -> None:
    """A mount that is new, writable, unbounded or executable is a deviation."""
    seen, posture = observed["locked"]
    mounts = [one for one in seen["mounts"] if one[0] != mount[0]] + [mount]
    assert locked_deviations(seen | {"mounts": mounts}, posture, LIMITS) != []
    without = [one for one in seen["mounts"] if one[0] != TMP]
    assert locked_deviations(seen | {"mounts": without}, posture, LIMITS) != []


@pytest.mark.docker
def test_a_weaker_container_is_found_out(image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For real: with another engine call, both the engine's words and the probe's show it; strict refuses."""

    def weaker(posture: Posture, labels: dict[str, str], hash_seed: int) -> dict[str, Any]:
        body = render(posture, labels, hash_seed)
        allow_more = seccomp_profile().replace('"SCMP_ACT_ERRNO","defaultErrnoRet":1', '"SCMP_ACT_ALLOW"')
        body["HostConfig"] |= {"IpcMode": "private", "SecurityOpt": [f"seccomp={allow_more}"]}
        return body

    monkeypatch.setattr("orchestrator.sandbox.containers.launcher.render", weaker)
    engine = Engine()
    try:
        proof = prove(engine, Policy(), image)
    finally:
        engine.close()
    assert any(found.startswith("IpcMode") for found in proof.engine)
    assert any(found.startswith(SHM) for found in proof.child)
    assert any(found.startswith("NoNewPrivs") or "ptrace" in found for found in proof.container)
    with pytest.raises(PostureError, match="IpcMode"):
        require(proof)


def test_strict_refuses_what_is_missing() -> None:
    """A proof without deviations but with a layer missing is enough for a run, not for a strict one."""
    require(PostureProof((), (), (), ()))
    with pytest.raises(PostureError, match="Landlock"):
        require(PostureProof((), (), (), ("there is no Landlock here",)))


@pytest.mark.parametrize("cgroup", [{}, None, "refused: EACCES", {"memory.swap.max": "0"}])
def test_limits_that_nobody_saw_are_missing(cgroup: object) -> None:
    """A probe that saw no value of the cgroup has proved none; gVisor shows none, and its limits are the engine's."""
    wanted = ["memory", "processes", "processors"]
    seen: ProbeReport = {"cgroup": cgroup}
    found = unseen_limits(seen, Posture.of(ContainerPolicy(), "sha256:00", GuestEnvironment.FIRST))
    assert found == [f"no limit of {what} can be seen inside" for what in wanted]
    assert unseen_limits(seen, Posture.of(ContainerPolicy(runtime="runsc"), "sha256:00", GuestEnvironment.FIRST)) == []


@pytest.mark.docker
def test_a_strict_proof_looks_at_the_limits(image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For real: all are seen on this machine; where the probe is shown none, the proof names them."""
    with closing(Engine()) as engine:
        assert not [one for one in prove(engine, Policy(), image).missing if one.startswith("no limit")]
        read = proving._read
        monkeypatch.setattr(proving, "_read", lambda *answer: read(*answer) | {"cgroup": {}})
        assert "no limit of memory can be seen inside" in prove(engine, Policy(), image).missing


@pytest.mark.docker
def test_a_strict_sandbox_proves_itself_first(image: str) -> None:
    """With every layer there it runs; with a lock switched off it does not start."""
    strict = Policy(strict=True, container=ContainerPolicy(landlock="required"))
    with DockerSandbox(strict, image, run_id="test") as sandbox:
        assert run_one(sandbox, STRIP).record.status == "returned"
    loose = Policy(strict=True, container=ContainerPolicy(landlock="off"))
    with pytest.raises(PostureError, match="Landlock is switched off"):
        DockerSandbox(loose, image)


def test_a_tag_is_no_image() -> None:
    """A name that may be moved to another image is refused before the engine is asked."""
    with pytest.raises(PostureError, match="id"):
        Posture.of(ContainerPolicy(), "cleanroom-sandbox:latest", GuestEnvironment.FIRST)
