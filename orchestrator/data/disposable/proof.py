"""Proves that a disposable process is confined, by trying to break out of one. For `doctor` and the red team.

The targets are made here: a private file, sockets that listen, a process of the same user. Each attempt of
`confinement_probe` is made in a disposable process and, as its control, by a program of the same user without
confinement.
"""

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from orchestrator.data.disposable import confinement_probe
from orchestrator.data.disposable.disposable_process import DisposableProcess

ENGINE = "/var/run/docker.sock"
_WALL_S = 30.0


class ConfinementProof(NamedTuple):
    """What came of each attempt, by its name: in the disposable process, and without confinement.

    `missing`: the layers that this kernel does not give.
    """

    tried: Mapping[str, str]
    control: Mapping[str, str]
    missing: tuple[str, ...]

    @property
    def granted(self) -> tuple[str, ...]:
        """The attempts that must have been denied."""
        return tuple(name for name, said in self.tried.items() if said == "granted")

    @property
    def unproved(self) -> tuple[str, ...]:
        """The attempts that are denied without confinement, too: of these the proof says nothing."""
        return tuple(name for name, said in self.control.items() if said != "granted")


def prove(engine: str = ENGINE) -> ConfinementProof:
    """Try everything. `engine`: the engine's socket. Raises SandboxError or DisposableDied if nothing can be tried."""
    with _targets(engine) as targets, DisposableProcess(confinement_probe.ENTRY) as process:
        request = json.dumps({"targets": targets, "names": list(confinement_probe.ATTEMPTS)}).encode()
        missing = process.missing
        return ConfinementProof(json.loads(process.call(request)), _unconfined(request), missing)


def one_attempt(name: str, *, confined: bool, engine: str = ENGINE) -> str:
    """What comes of one attempt of `confinement_probe.ATTEMPTS`: `granted`, or `denied` with the reason. Raises as
    `prove` does.
    """
    with _targets(engine) as targets:
        request = json.dumps({"targets": targets, "names": [name]}).encode()
        if not confined:
            return _unconfined(request)[name]
        with DisposableProcess(confinement_probe.ENTRY) as process:
            return str(json.loads(process.call(request))[name])


def _unconfined(request: bytes) -> dict[str, str]:
    """The same attempts by a program of this user."""
    command = [sys.executable, "-I", str(Path(confinement_probe.__file__).resolve())]
    done = subprocess.run(command, input=request, capture_output=True, timeout=_WALL_S, check=True)  # noqa: S603 - our own text
    said: dict[str, str] = json.loads(done.stdout)
    return said


@contextmanager
def _targets(engine: str) -> Iterator[dict[str, Any]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cleanroom-proof-")))
        secret = folder / "secret"
        secret.touch(mode=0o600)
        secret.write_text("private", encoding="ascii")
        name = f"\0cleanroom-{secrets.token_hex(8)}"
        tcp = _listening(stack, socket.AF_INET, ("127.0.0.1", 0))
        unix = _listening(stack, socket.AF_UNIX, str(folder / "socket"))
        _listening(stack, socket.AF_UNIX, name)
        yield {
            "secret": str(secret),
            "folder": str(folder),
            "pid": os.getpid(),
            **stack.enter_context(_bystander()),
            "tcp": list(tcp.getsockname()),
            "unix": unix.getsockname(),
            "abstract": name,
            "engine": engine,
        }


def _listening(stack: ExitStack, family: int, address: Any) -> socket.socket:
    listener = stack.enter_context(socket.socket(family))
    listener.bind(address)
    listener.listen()
    return listener


@contextmanager
def _bystander() -> Iterator[dict[str, int]]:
    """A process of this user that waits, and an address in its memory."""
    program = [sys.executable, "-I", "-c", "import sys; print(id(None), flush=True); sys.stdin.read()"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603 - our own text
        try:
            yield {"bystander": process.pid, "address": int(process.stdout.readline() if process.stdout else 0)}
        finally:
            process.kill()
