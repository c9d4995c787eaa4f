"""The few Linux calls that Python 3.11 has no function for. Called by the other modules of the guest."""

import contextlib
import ctypes
import os
from pathlib import Path

from syscall_numbers import numbers

_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def system_call(number: int, *arguments: int | bytes | None) -> int:
    """The raw call. Raises OSError."""
    passed = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result = int(_libc.syscall(ctypes.c_long(number), *passed))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def set_dumpable(*, value: bool) -> None:
    """Without dumpable, /proc/<pid>/{mem,environ,maps,fd} of this process are closed to others of the same user."""
    _libc.prctl(_PR_SET_DUMPABLE, int(value), 0, 0, 0)


def gain_no_privileges() -> None:
    """What the kernel asks of whoever confines itself. A container has it from its start. Raises OSError."""
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def offer_to_oom_killer() -> None:
    """Make this process the kernel's first choice, so that it never takes the supervisor instead.

    The file belongs to root while the process is not dumpable, hence the short opening.
    """
    set_dumpable(value=True)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    set_dumpable(value=False)


class _Timespec(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


def processor_seconds(pid: int) -> float:
    """What a process has used so far (see clock_getcpuclockid(3)). Raises OSError.

    By the raw call: where libfaketime moves the clock, the library's own would be moved as well.
    """
    used = _Timespec()
    number = numbers(os.uname().machine)["clock_gettime"]
    if _libc.syscall(ctypes.c_long(number), ctypes.c_long((~pid << 3) | 2), ctypes.byref(used)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return float(used.seconds + used.nanoseconds / 1e9)


def memory_in_use() -> tuple[int, int]:
    """Bytes of address space and of private writable memory of this process (VmSize, VmData)."""
    with open("/proc/self/status", "rb") as file:
        status = file.read()
    size, data = (int(status.partition(key)[2].split(None, 1)[0]) * 1024 for key in (b"\nVmSize:", b"\nVmData:"))
    return size, data
