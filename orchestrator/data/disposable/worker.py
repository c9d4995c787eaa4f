"""A zygote that forks one unprivileged child per request. Started by `data.disposable.zygote` as a plain script.

Theory of operation. The zygote imports the entry's module once, so that a child costs a fork and not an import. It
never reads a request: it receives a socket for each, forks, and the child uses that socket. Before it reads the first
byte, a child drops its descriptors, its user, and the right to make processes, files or more memory than its limit. An
exploit of a bug in Python or Arrow then gains nothing but the request itself. The child sends its pid, runs `warm` (the
first access to each page after a fork costs a page fault) and waits, so that the host can fork it before it is needed.

A module need not import what few requests need: its function then raises `MORE_NEEDED`, the host asks the zygote for
it, and the zygote calls `load_more()`; the unprivileged child could not.

A child cannot start threads (processes are limited to none), so entries must not let Arrow start any: `to_pandas` and
`group_by` with `use_threads=False`, masks rather than expressions in `filter`. Otherwise they fail or hang.
The zygote ends when the host closes its end of the control socket, also when the host dies.
"""

import ctypes
import gc
import importlib
import json
import os
import pwd
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

Entry = Callable[[bytes], bytes]

FORK, END, END_ASK, LOAD_MORE = b"F", b"E", b"A", b"M\0\0\0\0"  # all but the first of one length
OK, RAISED, TOO_BIG, MORE = 0, 1, 2, 3
HEAD = struct.Struct("<BQ")
PID = struct.Struct("<i")

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_CHUNK = 2**20


def main(arguments: list[str]) -> None:
    """`control root entry limits [subject]`: the control socket's descriptor, the package's folder, "module:function",
    limits as JSON, and the argument of the module's `load`, which is called once, with the zygote's full rights.
    """
    descriptor, root, entry_name, limits_json, *subject = arguments
    control = socket.socket(fileno=int(descriptor))
    control.set_inheritable(False)
    try:
        sys.path.append(root)
        module_name, _, function = entry_name.partition(":")
        module = importlib.import_module(module_name)
        entry: Entry = getattr(module, function)
        if subject:
            module.load(*subject)
        _warm(module)
        libc = ctypes.CDLL(None, use_errno=True)
        limits = json.loads(limits_json)
        limits["user"] = _nobody()
        limits["data"] = _data_bytes() + limits["memory_bytes"]
    except BaseException as error:  # noqa: BLE001 - whatever it is, the host must hear of it
        control.sendall(f"{type(error).__name__}: {error}".encode(errors="replace")[:2000])
        sys.exit(1)
    gc.freeze()
    control.sendall(b"\0")
    _serve(control, module, entry, libc, limits)


def _warm(module: Any) -> None:
    getattr(module, "warm", lambda: None)()


def _serve(control: socket.socket, module: Any, entry: Entry, libc: Any, limits: dict[str, Any]) -> None:
    while True:
        try:
            command, descriptors, _, _ = socket.recv_fds(control, 5, 1)
        except ConnectionError:
            return
        if not command:
            return
        if command == FORK and descriptors:
            if os.fork() == 0:
                _child(descriptors[0], module, entry, libc, limits)
            os.close(descriptors[0])
        elif command == LOAD_MORE:
            module.load_more()
        else:
            status = _end(PID.unpack(command[1:])[0])
            if command[:1] == END_ASK:
                control.sendall(PID.pack(status))


def _end(pid: int) -> int:
    """Kill the child if it is still alive, and reap it. Its pid cannot have been reused: it is reaped only here."""
    try:
        os.kill(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]
    except (ProcessLookupError, ChildProcessError):
        return 0


def _child(descriptor: int, module: Any, entry: Entry, libc: Any, limits: dict[str, Any]) -> NoReturn:
    code = 1
    try:
        wire = _give_up_everything(descriptor, libc, limits)
        wire.sendall(PID.pack(os.getpid()))
        _warm(module)
        request = _read(wire)
        try:
            status, answer = OK, entry(request)
        except getattr(module, "MORE_NEEDED", ()):
            status, answer = MORE, b""
        except Exception as error:  # noqa: BLE001 - the host turns it into DisposableDied
            status, answer = RAISED, f"{type(error).__name__}: {error}".encode(errors="replace")[:2000]
        if len(answer) > limits["reply_bytes"]:
            status, answer = TOO_BIG, b""
        wire.sendall(HEAD.pack(status, len(answer)))
        wire.sendall(answer)
        code = 0
    except BaseException:  # noqa: BLE001, S110 - nobody is left to tell; the host sees the end of the socket
        pass
    finally:
        os._exit(code)


def _give_up_everything(descriptor: int, libc: Any, limits: dict[str, Any]) -> socket.socket:
    zygote = os.getppid()
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != zygote:
        os._exit(1)
    if descriptor != 3:
        os.dup2(descriptor, 3)
    os.closerange(4, 1024)
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
    if limits["user"] is not None:
        user, group = limits["user"]
        os.setgroups([])
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # a change of user clears it
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
        os._exit(1)
    return socket.socket(fileno=3)


def _read(wire: socket.socket) -> bytes:
    head = _exactly(wire, HEAD.size)
    return _exactly(wire, HEAD.unpack(head)[1])


def _exactly(wire: socket.socket, size: int) -> bytes:
    parts = bytearray(size)
    view = memoryview(parts)
    at = 0
    while at < size:
        got = wire.recv_into(view[at : at + _CHUNK])
        if not got:
            raise EOFError
        at += got
    return bytes(parts)


def _nobody() -> tuple[int, int] | None:
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return 65534, 65534
    return entry.pw_uid, entry.pw_gid


def _data_bytes() -> int:
    """Bytes of the zygote's private memory, which count towards RLIMIT_DATA."""
    with Path("/proc/self/status").open(encoding="ascii") as status:
        for line in status:
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 2**30


if __name__ == "__main__":
    main(sys.argv[1:])
