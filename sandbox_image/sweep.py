"""Nothing of one child may be left for the next: end its processes, wipe its files, compare with the start.

Called by guest.py after every child. Everything here is dangerous outside a container, so all of it works only for
PID 1; elsewhere (the tests' local sandbox) just the child's own process group is ended.
"""

import contextlib
import os
import signal
import stat
from typing import NamedTuple

SCRATCH = b"/tmp"  # the only place that a candidate can write to


class Baseline(NamedTuple):
    """What a clean container looks like."""

    processes: frozenset[int]
    scratch_files: int
    scratch_blocks: int


class Sweep(NamedTuple):
    """How many processes the child left behind, and whether the container is as clean as at its start."""

    swept: int
    clean: bool


def take_baseline() -> Baseline:
    """Only meaningful for PID 1."""
    usage = os.statvfs(SCRATCH)
    return Baseline(_processes(), usage.f_files - usage.f_ffree, usage.f_blocks - usage.f_bfree)


def sweep(child: int, baseline: Baseline) -> Sweep:
    """End and reap all that `child` (already reaped) left behind."""
    if os.getpid() != 1:
        _end_group(child)
        return Sweep(0, clean=True)
    left = len(_processes() - baseline.processes)
    kill_everyone_else()
    _reap_all()
    wipe(SCRATCH)
    return Sweep(left, clean=take_baseline() == baseline)


def kill_everyone_else() -> None:
    """SIGKILL to every process of this PID namespace but PID 1, which only PID 1 may ask for."""
    if os.getpid() != 1:
        raise RuntimeError("refused: only PID 1 of a container may kill everyone")
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)


def wipe(folder: bytes) -> None:
    """Delete everything in the folder, however deep, without recursion and without following links.

    Inner folders are first moved up to the top, so that no path is ever longer than two names.
    """
    if os.getpid() != 1:
        raise RuntimeError("refused: only PID 1 of a container may wipe its scratch space")
    empty_folder(folder)


def empty_folder(folder: bytes) -> None:
    """The work of `wipe`, for any folder."""
    moved = 0
    while entries := _entries(folder):
        for path in entries:
            if not _is_folder(path):
                os.unlink(path)
                continue
            os.chmod(path, 0o700)
            for inner in _entries(path):
                if _is_folder(inner):
                    os.chmod(inner, 0o700)
                    moved += 1
                    os.rename(inner, _free_name(folder, moved))
                else:
                    os.unlink(inner)
            os.rmdir(path)


def _free_name(folder: bytes, number: int) -> bytes:
    while os.path.lexists(name := folder + b"/.wipe-%d" % number):
        number += 1_000_000
    return name


def _entries(folder: bytes) -> list[bytes]:
    return [folder + b"/" + name for name in os.listdir(folder)]


def _is_folder(path: bytes) -> bool:
    return stat.S_ISDIR(os.lstat(path).st_mode)


def _processes() -> frozenset[int]:
    return frozenset(int(name) for name in os.listdir("/proc") if name.isdigit())


def _end_group(child: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)


def _reap_all() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
