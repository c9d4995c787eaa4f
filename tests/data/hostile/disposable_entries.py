"""Entries for tests of the disposable process: what a child may try when hostile bytes have taken it over."""

import ctypes
import json
import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def warm() -> None:
    import pyarrow as pa

    pa.table({"a": [1]}).to_pylist()


class MoreNeeded(Exception):
    """Asks for what `load_more` loads."""


MORE_NEEDED = MoreNeeded
_LATE: list[bytes] = []


def load(missing: str) -> None:
    """Make the zygote find that the kernel lacks a layer."""
    from orchestrator.data.disposable import confinement

    def refuse(*_: object) -> None:
        raise OSError(missing)

    if missing == "Landlock":
        _guest("landlock").restrict = refuse
    elif missing == "system call filter":
        _guest("seccomp_filter").compiled = _unknown_machine
    elif missing == "system call filter in a child":
        _guest("seccomp_filter").load = refuse
    else:
        refused = {"network namespace": 0x40000000, "IPC namespace": 0x08000000, "user namespace": 0x10000000}[missing]
        unshare = confinement._unshare
        confinement._unshare = lambda flags: flags != refused and unshare(flags)


def _guest(name: str) -> Any:
    return sys.modules[name]


def _unknown_machine(*_: object, **__: object) -> bytes:
    raise KeyError("riscv64")


def load_more() -> None:
    _LATE.append(b"loaded late: ")


def act(request: bytes) -> bytes:
    word, _, rest = request.partition(b":")
    act: Callable[[bytes], bytes] = _ACTS[word.decode()]
    return act(rest)


def _segfault(_: bytes) -> bytes:
    ctypes.string_at(0)
    return b""


def _late(rest: bytes) -> bytes:
    if not _LATE:
        raise MoreNeeded
    return _LATE[0] + rest


def _never(_: bytes) -> bytes:
    raise MoreNeeded


def _raise(_: bytes) -> bytes:
    raise ValueError("\x1b[31mred\x1b[0m")


def _no_name(_: bytes) -> bytes:
    raise NameError("name 'cells' is not defined")


def _big(size: bytes) -> bytes:
    return b"x" * int(size)


def _allocate(size: bytes) -> bytes:
    return str(len(bytearray(int(size)))).encode()


def _spin(_: bytes) -> bytes:
    while True:
        pass


def _sleep(seconds: bytes) -> bytes:
    time.sleep(float(seconds))
    return b"slept"


def _write(path: bytes) -> bytes:
    with Path(os.fsdecode(path)).open("wb") as file:
        file.write(b"x" * 100)
    return b"written"


def _fork(_: bytes) -> bytes:
    try:
        pid = os.fork()
    except OSError as error:
        return type(error).__name__.encode()
    if pid == 0:
        os._exit(0)
    return b"forked"


def _thread(_: bytes) -> bytes:
    try:
        threading.Thread(target=lambda: None).start()
    except RuntimeError:
        return b"RuntimeError"
    return b"started"


def _execute(_: bytes) -> bytes:
    try:
        subprocess.run(["/bin/true"], check=True)
    except OSError as error:
        return type(error).__name__.encode()
    return b"executed"


def _posture(_: bytes) -> bytes:
    return json.dumps(
        {
            "uid": os.getuid(),
            "descriptors": [number for number in range(256) if _is_open(number)][:10],
            "environment": sorted(os.environ),
            "no_new_privs": str(ctypes.CDLL(None).prctl(39, 0, 0, 0, 0)),
            "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
            "session_leader": os.getsid(0) == os.getppid(),
        }
    ).encode()


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _kill_zygote(_: bytes) -> bytes:
    try:
        os.kill(os.getppid(), 9)
    except PermissionError:
        return b"PermissionError"
    return b"killed"


_ACTS = {
    "late": _late,
    "never": _never,
    "echo": lambda rest: rest,
    "segfault": _segfault,
    "raise": _raise,
    "no-name": _no_name,
    "big": _big,
    "allocate": _allocate,
    "spin": _spin,
    "sleep": _sleep,
    "write": _write,
    "fork": _fork,
    "thread": _thread,
    "execute": _execute,
    "posture": _posture,
    "kill_zygote": _kill_zygote,
    "exit": lambda _: os._exit(0),
}
