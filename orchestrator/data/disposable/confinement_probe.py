"""What a disposable process that was taken over would try, as an entry and as a plain program. Called by `proof`.

The same attempts run twice: in a disposable process, where each must be denied, and as a program of the same user
without any confinement, where each must succeed: otherwise its denial proves nothing. They do no harm where they
succeed: a file is read, a connection is opened and closed, a process gets signal 0 or is attached to for a moment.
"""

import ctypes
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

ENTRY = "orchestrator.data.disposable.confinement_probe:attempt"
_PTRACE_SEIZE, _PTRACE_INTERRUPT = 0x4206, 0x4207
_libc = ctypes.CDLL(None, use_errno=True)


def attempt(request: bytes) -> bytes:
    """Try what the request names. It has the targets, too; the answer says what came of each attempt. Both are JSON."""
    asked = json.loads(request)
    return json.dumps({name: _said(ATTEMPTS[name], asked["targets"]) for name in asked["names"]}).encode()


def _said(act: Callable[[dict[str, Any]], object], targets: dict[str, Any]) -> str:
    """`granted`, or `denied` with the reason."""
    try:
        act(targets)
    except (OSError, RuntimeError) as error:
        return f"denied {type(error).__name__}"
    return "granted"


def _read_secret(targets: dict[str, Any]) -> None:
    with Path(targets["secret"]).open("rb") as file:
        file.read(1)


def _write(targets: dict[str, Any]) -> None:
    Path(targets["folder"], f"left-by-{os.getpid()}").write_bytes(b"x")


def _list(targets: dict[str, Any]) -> None:
    list(Path(targets["folder"]).iterdir())


def _of_owner(name: str) -> Callable[[dict[str, Any]], None]:
    def act(targets: dict[str, Any]) -> None:
        with Path(f"/proc/{targets['pid']}/{name}").open("rb") as file:
            file.read(0 if name == "mem" else 1)

    return act


def _descriptors(targets: dict[str, Any]) -> None:
    for link in Path(f"/proc/{targets['pid']}/fd").iterdir():
        link.readlink()


def _connect(family: int, target: str) -> Callable[[dict[str, Any]], None]:
    def act(targets: dict[str, Any]) -> None:
        address = targets[target]
        with socket.socket(family) as client:
            client.settimeout(5)
            client.connect(tuple(address) if isinstance(address, list) else address)

    return act


def _open_socket(family: int, kind: int) -> Callable[[dict[str, Any]], None]:
    return lambda _targets: socket.socket(family, kind).close()


def _signal(targets: dict[str, Any]) -> None:
    os.kill(targets["pid"], 0)


def _attach(targets: dict[str, Any]) -> None:
    _checked(_libc.ptrace(_PTRACE_SEIZE, targets["bystander"], None, None))


def _read_memory(targets: dict[str, Any]) -> None:
    byte, place = ctypes.create_string_buffer(1), int(targets["address"])
    own = (ctypes.c_size_t * 2)(ctypes.addressof(byte), 1)
    other = (ctypes.c_size_t * 2)(place, 1)
    _checked(_libc.process_vm_readv(targets["bystander"], own, 1, other, 1, 0))


def _fork(_targets: dict[str, Any]) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _thread(_targets: dict[str, Any]) -> None:
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def _program(_targets: dict[str, Any]) -> None:
    subprocess.run(["/bin/true"], check=True)


def _namespace(_targets: dict[str, Any]) -> None:
    _checked(_libc.unshare(0x10000000))


def _checked(result: int) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


ATTEMPTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "read a private file": _read_secret,
    "write a file": _write,
    "list a folder": _list,
    "read the caller's environment": _of_owner("environ"),
    "open the caller's memory": _of_owner("mem"),
    "list the caller's open files": _descriptors,
    "connect by TCP": _connect(socket.AF_INET, "tcp"),
    "connect to a socket file": _connect(socket.AF_UNIX, "unix"),
    "connect to an abstract socket": _connect(socket.AF_UNIX, "abstract"),
    "connect to the container engine": _connect(socket.AF_UNIX, "engine"),
    "make a UDP socket": _open_socket(socket.AF_INET, socket.SOCK_DGRAM),
    "make a netlink socket": _open_socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "signal the caller": _signal,
    "trace a process": _attach,
    "read a process's memory": _read_memory,
    "make a user namespace": _namespace,  # before the thread: a process that still ends one may make no namespace
    "make a process": _fork,
    "make a thread": _thread,
    "run a program": _program,
}

if __name__ == "__main__":
    sys.stdout.buffer.write(attempt(sys.stdin.buffer.read()))
