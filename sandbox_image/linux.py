"""The few Linux calls that Python 3.11 has no function for. Called by guest.py and child.py."""

import contextlib
import ctypes
from pathlib import Path

_PR_SET_DUMPABLE = 4
_libc = ctypes.CDLL(None, use_errno=True)


def set_dumpable(*, value: bool) -> None:
    """Without dumpable, /proc/<pid>/{mem,environ,maps,fd} of this process are closed to others of the same user."""
    _libc.prctl(_PR_SET_DUMPABLE, int(value), 0, 0, 0)


def offer_to_oom_killer() -> None:
    """Make this process the kernel's first choice, so that it never takes the supervisor instead.

    The file belongs to root while the process is not dumpable, hence the short opening.
    """
    set_dumpable(value=True)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    set_dumpable(value=False)


def memory_in_use() -> tuple[int, int]:
    """Bytes of address space and of private writable memory of this process (VmSize, VmData)."""
    found = {"VmSize": 0, "VmData": 0}
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        key, _, rest = line.partition(":")
        if key in found:
            found[key] = int(rest.split()[0]) * 1024
    return found["VmSize"], found["VmData"]
