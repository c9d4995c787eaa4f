"""Compares what a probe saw in a sandbox with what it must see: anything extra or missing is one deviation. Pure.

Called by prove.py, with two reports of the same container posture: one of an ordinary, locked child, one of a child
without locks, which sees more of the container and shows what the container holds by itself.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from orchestrator.core.jobs import Limits
from orchestrator.data.assets import asset
from orchestrator.sandbox.posture.posture import MASKED, READ_ONLY, SCRATCH, Posture, seccomp_profile
from orchestrator.sandbox.posture.proof.expected import KERNEL_TUNNELS, Picture, picture

ProbeReport = dict[str, Any]
_AMBIGUOUS = {
    "setsid",
    "setpgid",
    "chroot",
    "mount",
    "capset",
    "setgroups",
    "setrlimit",
    "flock",
    "kill",
    "tkill",
    "setuid",
    "setgid",
}
"""Allowed calls that the kernel itself may refuse with EPERM."""
_LIMITS = {
    "memory": {"memory.max", "memory/memory.limit_in_bytes"},
    "processes": {"pids.max", "pids/pids.max"},
    "processors": {"cpu.max", "cpu/cpu.cfs_quota_us"},
}
"""What a cgroup bounds, with the name of its value in either version."""


def locked_deviations(seen: ProbeReport, posture: Posture, limits: Limits) -> list[str]:
    """Of an ordinary child."""
    wanted = picture(posture.runtime)
    found = _common(seen, posture, limits, wanted)
    if posture.child_filter == "required":
        found += calls_deviations(seen, child_calls())
    if posture.landlock == "required" or (posture.landlock == "available" and wanted.landlock):
        for name in ("root", "processes", "cgroup"):
            found += _unequal(f"{name} under Landlock", seen.get(name), "refused: EACCES")
    return found


def open_deviations(seen: ProbeReport, posture: Posture, limits: Limits) -> list[str]:
    """Of a child without locks: the container alone."""
    wanted = picture(posture.runtime)
    found = _common(seen, posture, limits, wanted)
    found += _unequal("processes", seen.get("processes"), 2)
    found += _cgroup(seen, posture)
    if wanted.own_seccomp_profile:
        found += calls_deviations(seen, container_calls())
    return found


def calls_deviations(seen: ProbeReport, allowed: dict[str, str]) -> list[str]:
    """Calls that answer without being allowed, or are refused while allowed. `allowed`: name → always or some."""
    machine = str(seen.get("machine"))
    names = {number: name for name, number in call_numbers(machine).items()}
    answers = _table(seen, "calls")
    if not answers or not names:
        return [f"system calls of {machine} cannot be tried"]
    found = []
    for text, answer in answers.items():
        name = names.get(int(text), f"call {text}")
        kind = allowed.get(name, "")
        if kind == "some" or (name in _AMBIGUOUS and kind):
            continue
        if kind == "unknown":
            found += _unequal(name, answer, "ENOSYS")
        elif kind == "always" and answer == "EPERM":
            found.append(f"{name} is refused")
        elif not kind and answer != "EPERM":
            found.append(f"{name} reaches the kernel ({answer or 'success'})")
    return found


@cache
def call_numbers(machine: str) -> dict[str, int]:
    """All system calls of an architecture; none of one that is not known."""
    table = json.loads(files("orchestrator.sandbox.posture").joinpath("syscalls.json").read_text("utf-8"))
    return {name: numbers[machine] for name, numbers in table.items() if machine in numbers}


@cache
def container_calls() -> dict[str, str]:
    """What the container's profile allows."""
    found: dict[str, str] = {}
    for rule in json.loads(seccomp_profile())["syscalls"]:
        refused = "unknown" if rule.get("errnoRet") == 38 else ""
        kind = ("some" if rule.get("args") else "always") if rule["action"] == "SCMP_ACT_ALLOW" else refused
        found |= dict.fromkeys(rule["names"], kind)
    return found


@cache
def child_calls() -> dict[str, str]:
    """What the child's filter allows, read from the guest's own source."""
    space: dict[str, Any] = {}
    source = (asset("sandbox_image") / "syscall_numbers.py").read_text("utf-8")
    exec(compile(source, "syscall_numbers.py", "exec"), space)  # noqa: S102 - our own table
    return dict.fromkeys(space["_SOMETIMES"], "some") | dict.fromkeys(space["ALWAYS"], "always") | {"clone3": "unknown"}


def _common(seen: ProbeReport, posture: Posture, limits: Limits, wanted: Picture) -> list[str]:
    status = _table(seen, "status")
    filters = int(wanted.own_seccomp_profile) + (posture.child_filter == "required")
    found = _unequal("Seccomp", status.get("Seccomp"), "2" if filters else "0")
    found += _unequal("Seccomp_filters", status.get("Seccomp_filters", str(filters)), str(filters))  # kernel 5.15
    found += [d for name, value in wanted.status.items() for d in _unequal(name, status.get(name), value)]
    if status.get("Groups") not in ("", "65534"):
        found.append(f"Groups is {status.get('Groups')!r}")
    found += _unequal("descriptors", seen.get("descriptors"), [0, 1, 2, 3])
    found += _unequal("environment", seen.get("environment"), [])
    found += _unequal("folder", seen.get("folder"), SCRATCH)
    found += _unequal("oom_score_adj", seen.get("oom_score_adj"), "1000")
    found += _unequal("writable folders", seen.get("writable"), [SCRATCH])
    extra = set(seen.get("interfaces") or ()) - KERNEL_TUNNELS
    found += _unequal("interfaces", sorted(extra), ["lo"])
    return found + _devices(seen, wanted) + _mounts(seen, posture, wanted) + _limits(seen, limits)


def _devices(seen: ProbeReport, wanted: Picture) -> list[str]:
    devices = _table(seen, "devices")
    found = [d for name, kind in wanted.devices.items() for d in _unequal(f"/dev/{name}", devices.get(name), kind)]
    permitted = wanted.devices | wanted.optional_devices
    return found + [
        f"/dev/{n} is there ({k})" for n, k in devices.items() if permitted.get(n) != k and n not in wanted.devices
    ]


def _mounts(seen: ProbeReport, posture: Posture, wanted: Picture) -> list[str]:
    mounts = {place: (kind, set(options.split(","))) for place, kind, options in seen.get("mounts") or ()}
    found = [f"{place} is not mounted" for place in wanted.mounts if place not in mounts]
    for place, (kind, options) in mounts.items():
        asked = _wanted_mount(place, kind, wanted)
        if asked is None:
            found.append(f"{place} is mounted ({kind})")
        elif (asked[0] and asked[0] != kind) or not asked[1] <= options:
            found.append(f"{place} is {kind} {','.join(sorted(options))}")
    size = posture.tmpfs_bytes
    if not {f"size={size // 1024}k", f"size={size}"} & mounts.get(SCRATCH, ("", set()))[1]:
        found.append(f"{SCRATCH} is not bounded to {size} bytes")
    if wanted.own_seccomp_profile and f"nr_inodes={posture.tmpfs_inodes}" not in mounts.get(SCRATCH, ("", set()))[1]:
        found.append(f"{SCRATCH} is not bounded to {posture.tmpfs_inodes} files")
    return found


def _wanted_mount(place: str, kind: str, wanted: Picture) -> tuple[str, frozenset[str]] | None:
    if place in wanted.mounts:
        return wanted.mounts[place]
    if place in wanted.optional_mounts:
        return "", wanted.optional_mounts[place]
    if place in READ_ONLY or (place.startswith("/sys/fs/cgroup/") and kind == "cgroup"):
        return kind, frozenset({"ro"})
    if place.removeprefix("/dev/") in wanted.devices and kind == "devtmpfs":
        return kind, frozenset()  # in a user namespace nobody may make devices: the engine lends its own
    return (kind, frozenset()) if place in MASKED and kind in ("tmpfs", "devtmpfs") else None


def _limits(seen: ProbeReport, limits: Limits) -> list[str]:
    have = _table(seen, "limits")
    exact = {
        "RLIMIT_CORE": 0, "RLIMIT_FSIZE": limits.file_bytes, "RLIMIT_NOFILE": limits.open_files, "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_NICE": 0, "RLIMIT_RTPRIO": 0, "RLIMIT_MEMLOCK": 0,
    }  # fmt: skip
    found = [d for name, most in exact.items() for d in _unequal(name, have.get(name), [most, most])]
    found += _unequal("RLIMIT_CPU", have.get("RLIMIT_CPU"), [int(limits.cpu_s) + 1, int(limits.cpu_s) + 2])
    unbounded = [n for n in ("RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_STACK") if not 0 <= max(have.get(n) or [-1]) < 2**40]
    return found + [f"{name} is unbounded" for name in unbounded]


def _cgroup(seen: ProbeReport, posture: Posture) -> list[str]:
    """Both versions' values, as far as they can be seen from inside."""
    quota, period = round(posture.cpus * 100_000), "100000"
    wanted = {
        "memory.max": str(posture.memory_bytes), "memory.swap.max": "0", "pids.max": str(posture.pids),
        "cpu.max": f"{quota} {period}", "memory/memory.limit_in_bytes": str(posture.memory_bytes),
        "memory/memory.memsw.limit_in_bytes": str(posture.memory_bytes), "pids/pids.max": str(posture.pids),
        "cpu/cpu.cfs_quota_us": str(quota), "cpu/cpu.cfs_period_us": period,
    }  # fmt: skip
    return [d for name, value in _table(seen, "cgroup").items() for d in _unequal(name, value, wanted[name])]


def unseen_limits(seen: ProbeReport, posture: Posture) -> list[str]:
    """Limits of the container that a child without locks must see with runc, and of which it saw no value at all."""
    if not picture(posture.runtime).own_seccomp_profile:  # gVisor shows no cgroup
        return []
    values = _table(seen, "cgroup")
    return [f"no limit of {what} can be seen inside" for what, names in _LIMITS.items() if not names & values.keys()]


def _table(seen: ProbeReport, name: str) -> dict[str, Any]:
    value = seen.get(name)
    return value if isinstance(value, dict) else {}


def _unequal(name: str, have: object, wanted: object) -> list[str]:
    return [] if have == wanted else [f"{name} is {have!r:.60} instead of {wanted!r:.60}"]
