"""What a candidate sees. Sent into a sandbox as an ordinary program: only its text is used on the host, by proof.py.

It collects and judges nothing. System calls are made with arguments that no call accepts (-1 everywhere), so that those
that reach the kernel fail harmlessly; the few that take no arguments and end or block the process are left out.
"""

import ctypes
import errno
import json
import os
import resource
from collections.abc import Callable
from pathlib import Path

LAST_CALL = 470
FOLDERS = ("", "cleanroom", "dev", "dev/mqueue", "dev/shm", "etc", "proc", "run", "sys", "tmp", "usr", "var")
DO_NOT_CALL = {
    "x86_64": (15, 34, 57, 58, 60, 231, 335, 336),  # rt_sigreturn pause fork vfork exit exit_group; uprobe traps
    "aarch64": (93, 94, 139),
}


def probe(df):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - runs in the guest
    return df.assign(seen=json.dumps(seen()))


def seen() -> dict[str, object]:
    return {
        "machine": os.uname().machine,
        "status": attempt(status),
        "limits": {
            name: list(resource.getrlimit(getattr(resource, name)))
            for name in dir(resource)
            if name.startswith("RLIMIT_")
        },
        "mounts": attempt(mounts),
        "devices": attempt(devices),
        "interfaces": attempt(lambda: [line.split(":")[0].strip() for line in lines("/proc/self/net/dev")[2:]]),
        "cgroup": attempt(cgroup),
        "root": attempt(lambda: sorted(names("/"))),
        "processes": attempt(lambda: sum(name.isdigit() for name in names("/proc"))),
        "descriptors": attempt(lambda: sorted(int(name) for name in names("/proc/self/fd"))[:-1]),
        "environment": sorted(os.environ),
        "folder": str(Path.cwd()),
        "oom_score_adj": attempt(lambda: lines("/proc/self/oom_score_adj")[0]),
        "writable": [f"/{folder}" for folder in FOLDERS if writable(folder)],
        "calls": calls(),
    }


def attempt(act: Callable[[], object]) -> object:
    try:
        return act()
    except OSError as error:
        return f"refused: {errno.errorcode.get(error.errno or 0, '?')}"


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()


def names(folder: str) -> list[str]:
    return sorted(entry.name for entry in Path(folder).iterdir())


def status() -> dict[str, str]:
    pairs = (line.split(":", 1) for line in lines("/proc/self/status") if ":" in line)
    return {name: " ".join(value.split()) for name, value in pairs}


def mounts() -> list[list[str]]:
    """Place, kind and options of every mount."""
    found = []
    for line in lines("/proc/self/mountinfo"):
        before, _, after = line.partition(" - ")
        fields, kinds = before.split(), after.split()
        options = f"{fields[5]},{kinds[2]}" if len(kinds) > 2 else fields[5]
        found.append([fields[4], kinds[0], options])
    return found


def devices() -> dict[str, str]:
    """What /dev holds: kind and, for devices, numbers."""
    found = {}
    for name in names("/dev"):
        info = os.lstat(f"/dev/{name}")
        kind = {0o020000: "c", 0o060000: "b", 0o040000: "d", 0o120000: "l"}.get(info.st_mode & 0o170000, "?")
        found[name] = f"{kind}{os.major(info.st_rdev)}:{os.minor(info.st_rdev)}" if kind in "cb" else kind
    return found


def cgroup() -> dict[str, str]:
    """The values that bound this container, in either version's words."""
    top = "/sys/fs/cgroup"
    names = (
        "memory.max", "memory.swap.max", "pids.max", "cpu.max", "memory/memory.limit_in_bytes",
        "memory/memory.memsw.limit_in_bytes", "pids/pids.max", "cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us",
    )  # fmt: skip
    return {name: lines(f"{top}/{name}")[0] for name in names if Path(f"{top}/{name}").exists()}


def writable(folder: str) -> bool:
    try:
        Path(f"/{folder}/probe").touch()
    except OSError:
        return False
    return True


def calls() -> dict[str, str]:
    """The error of every system call by its number; "" where it had none."""
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    left_out = DO_NOT_CALL.get(os.uname().machine)
    if left_out is None:
        return {}
    nothing = [ctypes.c_long(-1)] * 6
    found = {}
    mask = os.umask(0o022)
    for number in range(LAST_CALL):
        if number not in left_out:
            failed = library.syscall(ctypes.c_long(number), *nothing) == -1
            found[str(number)] = errno.errorcode.get(ctypes.get_errno(), "?") if failed else ""
    os.umask(mask)
    return found
