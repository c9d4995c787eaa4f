"""The host's side of the zygote, which forks a child per request: start, call, end. Called by `client`.

It passes each child's socket to the zygote and waits for the answer with a deadline and a size limit. One child is
forked in advance and waits for the next request.
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.data.disposable import worker
from orchestrator.data.text import clean_text

_START_S = 60.0
_ROOT = Path(__file__).resolve().parents[3]
# One thread each, set before the import: a thread of the zygote would be lost, and its locks left held, by fork.
_ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # otherwise pydantic searches all installed packages for plugins
    "TZ": "UTC",
}


@dataclass(frozen=True, slots=True)
class DisposableLimits:
    """The limits of one call. `memory_bytes` is in addition to what the imports use."""

    wall_s: float = 30.0
    cpu_s: int = 30
    memory_bytes: int = 2**30
    reply_bytes: int = 128 * 2**20


class ZygoteGone(Exception):
    """The zygote ended: killed from outside, or out of memory."""


class MoreNeeded(Exception):
    """The request needs what the zygote has not loaded yet."""


class Zygote:
    """A started `worker` process and the child that waits in it. Safe for threads."""

    def __init__(self, entry: str, limits: DisposableLimits, subject: str) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._waiting: socket.socket | None = None
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = self._spawn(theirs, entry, limits, subject)
        self._control.settimeout(_START_S)
        try:
            word = self._control.recv(4096)
        except TimeoutError:
            word = b"it did not answer"
        if word != b"\0":
            self.close()
            said = clean_text(word.decode(errors="replace"), 300) or "it ended at once"
            raise SandboxError(f"The process that reads sandbox output could not be started: {said}.")

    @staticmethod
    def _spawn(theirs: socket.socket, entry: str, limits: DisposableLimits, subject: str) -> "subprocess.Popen[bytes]":
        script = str(Path(worker.__file__).resolve())
        settings = json.dumps(asdict(limits))
        command = [sys.executable, "-I", script, str(theirs.fileno()), str(_ROOT), entry, settings]
        return subprocess.Popen(  # noqa: S603 - constants of this package, and the name of a file
            [*command, subject] if subject else command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT,
            cwd="/",
            start_new_session=True,
            pass_fds=[theirs.fileno()],
        )

    def call(self, request: bytes) -> bytes:
        deadline = time.monotonic() + self._limits.wall_s
        wire, pid = self._child(deadline)
        with wire:
            try:
                status, answer = self._exchange(wire, request, deadline)
            except TimeoutError:
                self._end(pid)
                raise DisposableDied(f"Reading the output took longer than {self._limits.wall_s:g} s.") from None
            except (OSError, EOFError):
                how = self._end(pid, ask=True)
                raise DisposableDied(f"The process that read the output {how}.") from None
        self._end(pid)
        self._prepare()
        if status == worker.OK:
            return answer
        if status == worker.MORE:
            raise MoreNeeded
        if status == worker.RAISED:
            raise DisposableDied(f"Reading the output failed: {clean_text(answer.decode(errors='replace'), 300)}.")
        raise DisposableDied(f"The result of reading the output is larger than {self._limits.reply_bytes} bytes.")

    def close(self) -> None:
        self._control.close()
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        if self._waiting is not None:
            self._waiting.close()
            self._waiting = None

    def load_more(self) -> None:
        """Have the zygote load what few requests need. The waiting child was forked before that, so it is ended."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
            with contextlib.suppress(OSError):
                self._control.sendall(worker.LOAD_MORE)
        if waiting is not None:
            with waiting, contextlib.suppress(ZygoteGone):
                self._end(self._greeted(waiting, time.monotonic() + self._limits.wall_s))

    def _prepare(self) -> None:
        """Have a child forked for the next call, unless another thread just did."""
        with self._lock:
            if self._waiting is None:
                self._waiting = self._fork()

    def _child(self, deadline: float) -> tuple[socket.socket, int]:
        """The socket and the pid of the waiting child, or of a new one if none waits or it has died."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            with contextlib.suppress(ZygoteGone):
                return waiting, self._greeted(waiting, deadline)
        with self._lock:
            wire = self._fork()
        return wire, self._greeted(wire, deadline)

    def _fork(self) -> socket.socket:
        """Ask for a child; it sends its pid on the socket when it is ready."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [worker.FORK], [theirs.fileno()])
            except OSError:
                ours.close()
                raise ZygoteGone from None
        return ours

    def _greeted(self, wire: socket.socket, deadline: float) -> int:
        """The pid that a child sends before it reads anything. Raises ZygoteGone when no child is alive."""
        try:
            pid: int = worker.PID.unpack(self._receive(wire, worker.PID.size, deadline))[0]
        except (OSError, EOFError):
            wire.close()
            raise ZygoteGone from None
        poll = select.poll()
        poll.register(wire, select.POLLIN)
        if poll.poll(0):  # it sends nothing more: it has ended
            wire.close()
            self._end(pid)
            raise ZygoteGone
        return pid

    def _end(self, pid: int, *, ask: bool = False) -> str:
        """Have the zygote kill and reap the child; with `ask`, how it ended, as a clause."""
        with self._lock:
            try:
                self._control.sendall((worker.END_ASK if ask else worker.END) + worker.PID.pack(pid))
                status = self._answer() if ask else 0
            except OSError:
                raise ZygoteGone from None
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
            return f"was killed by {name}"
        return "ended without an answer"

    def _answer(self) -> int:
        data = b""
        while len(data) < worker.PID.size:
            part = self._control.recv(worker.PID.size - len(data))
            if not part:
                raise ConnectionResetError
            data += part
        number: int = worker.PID.unpack(data)[0]
        return number

    def _exchange(self, wire: socket.socket, request: bytes, deadline: float) -> tuple[int, bytes]:
        self._send(wire, worker.HEAD.pack(0, len(request)), deadline)
        self._send(wire, request, deadline)
        status, size = worker.HEAD.unpack(self._receive(wire, worker.HEAD.size, deadline))
        if size > self._limits.reply_bytes:
            raise EOFError
        return status, self._receive(wire, size, deadline)

    @staticmethod
    def _send(wire: socket.socket, data: bytes, deadline: float) -> None:
        wire.settimeout(_left(deadline))
        wire.sendall(data)

    @staticmethod
    def _receive(wire: socket.socket, size: int, deadline: float) -> bytes:
        parts: list[bytes] = []
        missing = size
        while missing:
            wire.settimeout(_left(deadline))
            part = wire.recv(min(missing, 2**20))
            if not part:
                raise EOFError
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
