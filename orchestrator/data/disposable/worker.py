"""A zygote that forks one confined child per request. Started by `data.disposable.zygote`.

Theory of operation. The zygote imports the entry's module once, so that a child costs a fork and not an import. It
never reads a request: it receives a socket for each, forks, and the child uses that socket. Before it reads the first
byte, a child gives up everything that it has no use for (`confinement`). An exploit of a bug in Python or Arrow then
gains nothing but the request itself. The child sends its pid and the layers that it lacks, runs `warm` (the first
access to each page after a fork costs a page fault) and waits, so that the host can fork it before it is needed.

A module may have several functions; a child is forked for one of them. A function that returns no bytes but an iterator
of them answers in parts. A request can come with an open file, which the child finds as descriptor `FILE`.

A module need not import what few requests need: its function then raises `MORE_NEEDED`, the host asks the zygote for
it, and the zygote calls `load_more()`; the confined child could not.

A child cannot start threads, so entries must not let Arrow start any: `to_pandas` and `group_by` with
`use_threads=False`, masks rather than expressions in `filter`. Otherwise they fail or hang.
The zygote ends when the host closes its end of the control socket, also when the host dies.
"""

import gc
import importlib
import json
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

EntryFunction = Callable[[bytes], "bytes | Iterator[bytes]"]

COMMAND = struct.Struct("<ci31s")  # what to do, with which child, with which function
FORK, END, END_ASK, LOAD_MORE = b"F", b"E", b"A", b"M"
OK, RAISED, TOO_BIG, MORE, PART, OWN_FAULT = 0, 1, 2, 3, 4, 5
HEAD = struct.Struct("<BQ")
GREETING = struct.Struct("<iI")  # pid, and a bit for each of `confinement.LAYERS` that is missing
STATUS = struct.Struct("<i")
WIRE, FILE = 3, 4

_PACKAGE = Path(__file__).resolve().parents[2]
_CHUNK = 2**20


def main(arguments: list[str]) -> None:
    """`control root entry limits [subject]`: the control socket's descriptor, the package's folder, "module:function",
    limits as JSON, and the argument of the module's `load`, which is called once, with the zygote's full rights.
    """
    descriptor, root, entry_name, limits_json, *subject = arguments
    gc.disable()  # what is imported stays
    from orchestrator.data.disposable.confinement import Confinement
    from orchestrator.data.lean_libraries import import_lean

    confinement = Confinement()
    confinement.first_process()  # while it is small
    control = socket.socket(fileno=int(descriptor))
    control.set_inheritable(False)
    try:
        sys.path.append(root)
        import_lean()
        module_name, _, function = entry_name.partition(":")
        module = importlib.import_module(module_name)
        getattr(module, function)
        if subject:
            module.load(*subject)
        _warm(module, "")
        limits = json.loads(limits_json)
        limits["data"] = _data_bytes() + limits["memory_bytes"]
        confinement.confine_zygote(_PACKAGE)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the host must hear of it
        control.sendall(f"{type(error).__name__}: {error}".encode(errors="replace")[:2000])
        sys.exit(1)
    gc.freeze()
    gc.enable()
    control.sendall(b"\0")
    _serve(control, module, confinement, limits)


def _warm(module: Any, function: str) -> None:
    """Run what the function runs, or everything, once."""
    getattr(module, f"warm_{function}", getattr(module, "warm", lambda: None))()


def _serve(control: socket.socket, module: Any, confinement: Any, limits: dict[str, Any]) -> None:
    zygote = os.getpid()
    while True:
        try:
            message, descriptors, _, _ = socket.recv_fds(control, COMMAND.size, 2)
        except ConnectionError:
            return
        if len(message) < COMMAND.size:
            return
        command, pid, name = COMMAND.unpack(message)
        if command == FORK and descriptors:
            if os.fork() == 0:
                _child(zygote, descriptors, module, name.rstrip(b"\0").decode(), confinement, limits)
            for descriptor in descriptors:
                os.close(descriptor)
        elif command == LOAD_MORE:
            module.load_more()
        else:
            status = _end(pid)
            if command == END_ASK:
                control.sendall(STATUS.pack(status))


def _end(pid: int) -> int:
    """Kill the child if it is still alive, and reap it. Its pid cannot have been reused: it is reaped only here."""
    try:
        os.kill(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]
    except (ProcessLookupError, ChildProcessError):
        return 0


def _child(
    zygote: int, descriptors: list[int], module: Any, function: str, confinement: Any, limits: dict[str, Any]
) -> NoReturn:
    code = 1
    try:
        missing = confinement.confine_child(zygote, limits, descriptors)
        _write(GREETING.pack(os.getpid(), missing))
        _warm(module, function)
        _answer(module, getattr(module, function), limits["reply_bytes"])
        code = 0
    except BaseException:  # noqa: BLE001, S110 - nobody is left to tell; the host sees the end of the socket
        pass
    finally:
        os._exit(code)


def _answer(module: Any, entry: EntryFunction, most: int) -> None:
    request = _exactly(HEAD.unpack(_exactly(HEAD.size))[1])
    try:
        status, answer = OK, b""
        made = entry(request)
        for part in (made,) if isinstance(made, bytes) else made:
            if len(part) > most:
                status, answer = TOO_BIG, b""
                break
            if isinstance(made, bytes):
                answer = part
            else:
                _write(HEAD.pack(PART, len(part)), part)
    except getattr(module, "MORE_NEEDED", ()):
        status, answer = MORE, b""
    except Exception as error:  # noqa: BLE001 - the host turns it into DisposableDied
        own = isinstance(error, NameError | ImportError)  # no bytes make a name be missing
        status = OWN_FAULT if own else RAISED
        answer = f"{type(error).__name__}: {error}".encode(errors="replace")[:2000]
    _write(HEAD.pack(status, len(answer)), answer)


def _write(*parts: bytes) -> None:
    """By plain writes: the calls of sockets are not allowed."""
    for part in parts:
        view = memoryview(part)
        while view:
            view = view[os.write(WIRE, view[:_CHUNK]) :]


def _exactly(size: int) -> bytes:
    parts = bytearray(size)
    view = memoryview(parts)
    at = 0
    while at < size:
        got = os.readv(WIRE, [view[at : at + _CHUNK]])
        if not got:
            raise EOFError
        at += got
    return bytes(parts)


def _data_bytes() -> int:
    """Bytes of the zygote's private memory, which count towards RLIMIT_DATA."""
    with Path("/proc/self/status").open(encoding="ascii") as status:
        for line in status:
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 2**30


if __name__ == "__main__":
    main(sys.argv[1:])
