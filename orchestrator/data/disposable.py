"""Runs a trusted function on hostile bytes in a process that is thrown away. Built by bootstrap for judge and apply.

Implements `core.ports.Disposable`. The host side: it starts the zygote of `disposable_worker`, hands each request's
socket over to it and waits for the answer with a deadline and a cap. Whatever the bytes do to the child, the host
sees an answer or DisposableDied; if the zygote itself is gone, it is started again, once per call.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.data import disposable_worker as worker
from orchestrator.data.text import clean_text

_START_S = 60.0
_ROOT = Path(__file__).resolve().parents[2]
# One thread each, set before the import: a thread of the zygote would be lost, and its locks left held, by fork.
_ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TZ": "UTC",
}


@dataclass(frozen=True, slots=True)
class DisposableLimits:
    """What one call may use. `memory_bytes` is on top of what the imports use."""

    wall_s: float = 30.0
    cpu_s: int = 30
    memory_bytes: int = 2**30
    reply_bytes: int = 128 * 2**20


class _ZygoteGone(Exception):
    """The zygote ended: killed from outside, or out of memory."""


class DisposableProcess:
    """`entry` is "module:function", a trusted constant; the function takes bytes and returns bytes.

    Its module may have a function `warm()`, which the zygote calls once, before the first fork. Safe for threads.
    """

    def __init__(self, entry: str, limits: DisposableLimits | None = None) -> None:
        self._entry = entry
        self._limits = limits or DisposableLimits()
        self._lock = threading.Lock()
        self._zygote: _Zygote | None = None
        self._closed = False

    def start(self) -> None:
        """Start the zygote now rather than at the first call. Raises SandboxError when it cannot be started."""
        self._current()

    def call(self, request: bytes) -> bytes:
        """The entry's answer. Raises DisposableDied when the child dies, overruns or writes too much."""
        for _ in range(2):
            zygote = self._current()
            try:
                return zygote.call(request)
            except _ZygoteGone:
                self._discard(zygote)
        raise DisposableDied("The process that reads sandbox output died twice on the same request.")

    def close(self) -> None:
        """End the zygote and whatever it forked. Idempotent."""
        with self._lock:
            self._closed = True
            if self._zygote is not None:
                self._zygote.close()
                self._zygote = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _current(self) -> "_Zygote":
        with self._lock:
            if self._closed:
                raise SandboxError("The process that reads sandbox output was already closed.")
            if self._zygote is None:
                self._zygote = _Zygote(self._entry, self._limits)
            return self._zygote

    def _discard(self, zygote: "_Zygote") -> None:
        with self._lock:
            zygote.close()
            if self._zygote is zygote:
                self._zygote = None


class _Zygote:
    def __init__(self, entry: str, limits: DisposableLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = self._spawn(theirs, entry, limits)
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
    def _spawn(theirs: socket.socket, entry: str, limits: DisposableLimits) -> "subprocess.Popen[bytes]":
        script = str(Path(worker.__file__).resolve())
        settings = json.dumps(asdict(limits))
        command = [sys.executable, "-I", script, str(theirs.fileno()), str(_ROOT), entry, settings]
        return subprocess.Popen(  # noqa: S603 - constants of this package
            command,
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
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                pid = self._fork(theirs)
            try:
                status, answer = self._exchange(ours, request, deadline)
            except TimeoutError:
                self._end(pid)
                raise DisposableDied(f"Reading the output took longer than {self._limits.wall_s:g} s.") from None
            except (OSError, EOFError):
                how = self._end(pid, ask=True)
                raise DisposableDied(f"The process that read the output {how}.") from None
            self._end(pid)
        if status == worker.OK:
            return answer
        if status == worker.RAISED:
            raise DisposableDied(f"Reading the output failed: {clean_text(answer.decode(errors='replace'), 300)}.")
        raise DisposableDied(f"The result of reading the output is larger than {self._limits.reply_bytes} bytes.")

    def close(self) -> None:
        self._control.close()
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _fork(self, theirs: socket.socket) -> int:
        with self._lock:
            try:
                socket.send_fds(self._control, [worker.FORK], [theirs.fileno()])
                return self._answer()
            except OSError:
                raise _ZygoteGone from None

    def _end(self, pid: int, *, ask: bool = False) -> str:
        """Have the zygote kill and collect the child; how it ended, in words, when asked for."""
        with self._lock:
            try:
                self._control.sendall((worker.END_ASK if ask else worker.END) + worker.PID.pack(pid))
                status = self._answer() if ask else 0
            except OSError:
                raise _ZygoteGone from None
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
