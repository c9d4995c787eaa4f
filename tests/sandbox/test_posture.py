"""The posture: every limit explicit, rendered purely, and what the engine and the guest really have."""

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from orchestrator.core.errors import PostureError
from orchestrator.core.jobs import Flavour
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.container import Container
from orchestrator.sandbox.docker_sandbox import DockerSandbox
from orchestrator.sandbox.engine import Engine
from orchestrator.sandbox.posture import Posture, differences, render, seccomp_profile
from tests.sandbox.sandbox_jobs import run_one

POSTURE = Posture.of(ContainerPolicy(), "sha256:abc", Flavour.FIRST)
NUMBERS = [field.name for field in fields(Posture) if field.name not in ("image", "flavour", "runtime")]


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
            {"Name": "msgqueue", "Soft": 0, "Hard": 0},
            {"Name": "nofile", "Soft": 256, "Hard": 256},
        ],
        "Tmpfs": {"/tmp": "rw,noexec,nosuid,nodev,mode=1777,size=33554432,nr_inodes=1024"},  # noqa: S108 - in the guest
        "OomKillDisable": False,
        "OomScoreAdj": 500,
        "LogConfig": {"Type": "none", "Config": {}},
        "RestartPolicy": {"Name": "no", "MaximumRetryCount": 0},
        "Init": False,
        "AutoRemove": True,
    }


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
        ("Config", {"User": "root"}),
        ("Config", {"Volumes": {"/data": {}}}),
    ):
        observed = faithful | {place: faithful[place] | change}
        assert len(differences(asked, observed)) == 1, change


def test_the_seccomp_profile_grants_nothing_dangerous() -> None:
    """None of the calls that have broken containers is on the list, and none for another architecture."""
    profile = json.loads(seccomp_profile())
    assert "architectures" not in profile
    assert "archMap" not in profile
    allowed = {name for rule in profile["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" for name in rule["names"]}
    forbidden = """
        acct add_key bpf clone3 delete_module fanotify_init finit_module fsconfig fsmount fsopen get_mempolicy
        init_module
        io_uring_enter io_uring_register io_uring_setup iopl ioperm kcmp kexec_file_load kexec_load keyctl
        lookup_dcookie mbind memfd_create memfd_secret migrate_pages
        mknod mknodat modify_ldt mount mount_setattr move_mount move_pages
        mq_open msgget name_to_handle_at open_by_handle_at open_tree perf_event_open personality pidfd_getfd pidfd_open
        pidfd_send_signal pivot_root process_madvise process_vm_readv process_vm_writev ptrace quotactl reboot
        request_key sched_setaffinity sched_setattr sched_setscheduler semget set_mempolicy setdomainname sethostname
        setns setpriority settimeofday shmat shmget splice swapon swapoff sync_file_range syslog tee umount2 unshare
        uselib userfaultfd vmsplice
    """.split()  # noqa: SIM905 - a long list of words
    assert allowed.isdisjoint(forbidden)
    conditional = {"socket", "clone", "prlimit64"}
    free = {n for r in profile["syscalls"] if r["action"] == "SCMP_ACT_ALLOW" and not r.get("args") for n in r["names"]}
    assert free.isdisjoint(conditional)
    assert allowed >= conditional


PROBE = """
import json, os, glob
KEYS = ("CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp", "Uid", "Gid", "Groups")
def f(df):
    status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
    mounts = [line.split() for line in open("/proc/mounts")]
    def writable(path):
        try:
            with open(os.path.join(path, "probe"), "w"): return True
        except OSError: return False
    folders = [root for top in ("/", "/dev", "/etc", "/usr", "/cleanroom", "/tmp", "/run", "/var", "/sys", "/proc")
               for root in [top, *glob.glob(top.rstrip("/") + "/*")] if os.path.isdir(root)]
    seen = {
        "status": {k: status[k].strip() for k in KEYS},
        "interfaces": sorted(os.listdir("/sys/class/net")),
        "rw": sorted({m[1]: m[3] for m in mounts if m[3].split(",")[0] == "rw"}),
        "tmp": next(m[2] + " " + m[3] for m in mounts if m[1] == "/tmp"),
        "root": next(m[3] for m in mounts if m[1] == "/").split(",")[0],
        "writable": sorted(path for path in set(folders) if writable(path)),
        "processes": sorted(int(p) for p in os.listdir("/proc") if p.isdigit())[:1],
        "shm": os.path.exists("/dev/shm"),
        "devices": sorted(n for n in os.listdir("/dev") if not os.path.isdir("/dev/" + n)),
        "tools": [p for p in ("/bin/sh", "/usr/bin/apt", "/usr/bin/gcc", "/bin/bash") if os.path.exists(p)],
        "supervisor": [line.split()[1] for line in open("/proc/1/status") if line.startswith("Threads")],
        "cwd": os.getcwd(), "oom": open("/proc/self/oom_score_adj").read().strip(),
    }
    return df.assign(said=json.dumps(seen))
"""


@pytest.mark.docker
def test_what_a_candidate_sees(docker_sandbox: DockerSandbox) -> None:
    """Inside there are no capabilities, no network, one small writable folder, and nobody else."""
    seen = json.loads(run_one(docker_sandbox, PROBE).said()[0])
    assert seen["status"] == {
        "CapEff": "0000000000000000",
        "CapBnd": "0000000000000000",
        "CapAmb": "0000000000000000",
        "NoNewPrivs": "1",
        "Seccomp": "2",
        "Uid": "65534\t65534\t65534\t65534",
        "Gid": "65534\t65534\t65534\t65534",
        "Groups": seen["status"]["Groups"],
    }
    assert seen["status"]["Groups"] in ("", "65534")
    assert seen["interfaces"] == ["lo"]
    assert seen["root"] == "ro"
    assert seen["writable"] == ["/tmp"]  # noqa: S108 - in the guest
    options = set(seen["tmp"].replace(" ", ",").split(","))
    assert {"tmpfs", "rw", "nosuid", "nodev", "noexec", "size=32768k", "nr_inodes=1024"} <= options
    assert seen["processes"] == [1]
    assert not seen["shm"]
    assert set(seen["devices"]) <= {
        "core", "fd", "full", "null", "ptmx", "random", "stderr", "stdin", "stdout", "tty", "urandom", "zero",
    }  # fmt: skip
    assert seen["tools"] == []
    assert seen["supervisor"] == ["1"]
    assert seen["oom"] == "1000"


@pytest.mark.docker
def test_the_engine_confirms_the_whole_posture(image: str) -> None:
    """What `inspect` says of a running container is what was asked for, and a planted difference is found."""
    engine = Engine()
    posture = Posture.of(Policy().container, image, Flavour.FIRST)
    container = Container.start(engine, posture, "test", inspect=True)
    try:
        observed = engine.inspect(container.id)
        asked = render(posture, {})
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
