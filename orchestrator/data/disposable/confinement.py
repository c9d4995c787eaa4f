"""Takes from a process everything that reading bytes and computing does not need. Called by `worker`.

Theory of operation. What the kernel lets a process hand on to its children is done once: `first_process` gives the
zygote a process namespace of its own, where its children see nobody else; `confine_zygote` cuts it off from networks,
other processes' memory and message queues, and from all files but Python's own. What is left is done in each child,
before it reads a byte, by `confine_child`: limits, another user (where this one is root), a user namespace in which it
has no capabilities, and the system call filter, after which nothing can be opened again.

Each of these is a layer that a kernel may lack. One that is missing is named (`LAYERS`) and told to the host: `doctor`
shows it, and a strict policy refuses to go on. The locks themselves are the guest's modules, from `sandbox_image/`.
"""

import ctypes
import fcntl
import os
import platform
import pwd
import resource
import signal
import struct
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from orchestrator.data.assets import asset
from orchestrator.data.disposable import system_calls

LAYERS = (
    "process namespace", "user namespace", "network namespace", "IPC namespace", "Landlock", "system call filter",
)  # fmt: skip
"""What a kernel may lack. Rlimits, the change of user and the empty environment are not among them: all have those."""

_NEW_USER, _NEW_PID, _NEW_NETWORK, _NEW_IPC = 0x10000000, 0x20000000, 0x40000000, 0x08000000
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_CAPABILITY_VERSION = 0x20080522
_WIRE = 3  # the one descriptor of a child, but for the null device; a file that it shall read comes after it
_ASIDE = 8  # beyond a child's own; not much, for the process may have few
_libc = ctypes.CDLL(None, use_errno=True)


class Confinement:
    """The locks of one zygote and its children. `missing`: the layers that could not be had, in the zygote so far."""

    def __init__(self) -> None:
        self.missing: set[str] = set()
        self._root = os.geteuid() == 0
        self._user = _nobody() if self._root else None
        self._landlock, self._filter = _guest_modules("landlock", "seccomp_filter")
        self._program = b""

    def first_process(self) -> None:
        """Go on as the first process of a process namespace. The caller stays behind and ends when that one does."""
        user, group = os.geteuid(), os.getegid()
        if not _unshare(_NEW_PID | (0 if self._root else _NEW_USER)):
            self.missing |= {"process namespace"} if self._root else {"process namespace", "user namespace"}
            return
        if not self._root:
            with suppress(OSError):  # without it this process has no name for itself, and is as confined
                Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
                Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
                Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
        if zygote := os.fork():
            _wait_for(zygote)
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.setsid()

    def confine_zygote(self, package: Path) -> None:
        """What children inherit. `package`: the folder of the package, which they may read."""
        if self._root:
            os.setgroups([])
        for flag, name in ((_NEW_NETWORK, "network namespace"), (_NEW_IPC, "IPC namespace")):
            if not _unshare(flag):
                self.missing.add(name)
        try:
            self._landlock.restrict(self._landlock.version(), _readable(self._landlock.READ, package))
        except OSError:
            self.missing.add("Landlock")
        try:
            self._program = system_calls.program(self._filter, platform.machine())
        except KeyError:
            self.missing.add("system call filter")

    def confine_child(self, zygote: int, limits: dict[str, Any], descriptors: list[int]) -> int:
        """Everything that is left to take. Returns the missing layers, a bit for each of `LAYERS`.

        `descriptors` become 3, 4, … and stay open, all others are closed.
        """
        _follow(zygote)
        _keep_only(descriptors)
        for kind, limit in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_NOFILE, 32),
            (resource.RLIMIT_CPU, limits["cpu_s"]),
            (resource.RLIMIT_DATA, limits["data"]),
            (resource.RLIMIT_MEMLOCK, 0),
            (resource.RLIMIT_MSGQUEUE, 0),
        ):
            resource.setrlimit(kind, (limit, limit))
        missing = set(self.missing)
        if self._user is not None:
            user, group = self._user
            os.setresgid(group, group, group)
            os.setresuid(user, user, user)
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # a change of user clears it
            if not _unshare(_NEW_USER):
                missing.add("user namespace")
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
            os._exit(1)
        _drop_capabilities()
        if self._program:
            try:
                self._filter.load(self._program)
            except OSError:
                missing.add("system call filter")
        return sum(1 << place for place, name in enumerate(LAYERS) if name in missing)


def missing_of(bits: int) -> tuple[str, ...]:
    """The names of the missing layers, of what `confine_child` returns."""
    return tuple(name for place, name in enumerate(LAYERS) if bits >> place & 1)


def _unshare(flags: int) -> bool:
    return bool(_libc.unshare(flags) == 0)


def _follow(parent: int) -> None:
    """End when the parent ends. Does not return where it has ended already."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _wait_for(child: int) -> NoReturn:
    os.closerange(3, 1024)
    with suppress(OSError):
        os.waitpid(child, 0)
    os._exit(0)


def _keep_only(descriptors: list[int]) -> None:
    """Make them 3, 4, … and close all others."""
    aside = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, _ASIDE) for descriptor in descriptors]
    for place, descriptor in enumerate(aside):
        os.dup2(descriptor, _WIRE + place, inheritable=False)
    os.closerange(_WIRE + len(descriptors), 1024)


def _drop_capabilities() -> None:
    """A new user namespace gave it all capabilities there; a user that is root only in name has none to lose."""
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    if _libc.capset(header, bytes(24)):
        os._exit(1)


def _readable(read: int, package: Path) -> list[tuple[str, int]]:
    """Python's own files, its libraries and the time zones: what code that runs late may import or look up."""
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {
        f"{prefix}/{name}" for prefix in (sys.base_prefix, "/usr", "/usr/local", "") for name in ("lib", "lib64")
    }
    folders |= {str(package), "/usr/share/zoneinfo"}
    file = read & ~(1 << 3)  # without the right to list a folder, which a file does not have
    files = ("/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom")
    return [(folder, read) for folder in sorted(folders)] + [(path, file) for path in files]


def _guest_modules(*names: str) -> list[ModuleType]:
    """Modules that the guest and its host share; the guest's folder is on the path only while they are imported."""
    folder = str(asset("sandbox_image"))
    sys.path.insert(0, folder)
    try:
        return [__import__(name) for name in names]
    finally:
        sys.path.remove(folder)


def _nobody() -> tuple[int, int]:
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return 65534, 65534
    return entry.pw_uid, entry.pw_gid
