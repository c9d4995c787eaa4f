"""The host's side of the zygote, which forks a child per request: start, call, end. Called by `disposable_process`.

It passes each child's socket to the zygote and waits for the answer with a deadline and a size limit. One child of each
function that was called is forked in advance and waits for the next request.
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from orchestrator.core.errors import DisposableDied, PostureError, SandboxError
from orchestrator.data.disposable import worker
from orchestrator.data.disposable.confinement import missing_of
from orchestrator.data.disposable.own_process import own_command
from orchestrator.data.text import clean_text

_START_S = 60.0
_REPORT = "This is a fault of cleanroom, or of how it is installed: install it again, or report it."
# Whoever wrote the output can bring on a mistake of ours, and must not end a run by that: it is refused, and this said.
_PERHAPS_OURS = "Where it is an ordinary output, this is a fault of cleanroom: report it."
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
    """The limits of one call. `memory_bytes` is in addition to what the imports use.

    What takes ten seconds of a processor takes a minute of an old one, and some more while other processes have it: it
    is no fault of what is read. What does not end is ended by `cpu_s`.
    """

    wall_s: float = 300.0
    cpu_s: int = 120
    memory_bytes: int = 2**30
    reply_bytes: int = 128 * 2**20


class ZygoteGone(Exception):
    """The zygote ended: killed from outside, or out of memory."""


class NoChild(ZygoteGone):
    """No child could be had: each ended before it was given anything, which is no fault of what it would have read."""


class MoreNeeded(Exception):
    """The request needs what the zygote has not loaded yet."""


class Zygote:
    """A started `worker` process and the child that waits in it. Safe for threads."""

    def __init__(self, entry: str, limits: DisposableLimits, subject: str, *, strict: bool) -> None:
        self._limits = limits
        self._strict = strict
        self._lock = threading.Lock()
        self._function = entry.partition(":")[2]
        self._waiting: dict[str, socket.socket] = {}  # a child for each function that was called, forked in advance
        self._missing: int | None = None
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
        arguments = [str(theirs.fileno()), str(_ROOT), entry, json.dumps(asdict(limits))]
        return subprocess.Popen(  # noqa: S603 - constants of this package, and the name of a file
            own_command(worker.__name__, *arguments, *filter(None, [subject]), flags=("-I",)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT,
            cwd="/",
            start_new_session=True,
            pass_fds=[theirs.fileno()],
        )

    def call(self, request: bytes | memoryview, function: str) -> bytes:
        """The function's answer, which is not in parts."""
        answer = b"".join(self.parts(request, function))
        self._prepare(function)
        return answer

    def parts(self, request: bytes | memoryview, function: str, file: int | None = None) -> Iterator[bytes]:
        """The function's answer as it comes, by a child that can read `file`. Raises MoreNeeded before the first part.

        The wall limit holds for each part.
        """
        deadline = time.monotonic() + self._limits.wall_s
        try:
            wire, pid = self._child(function, file, deadline)
        except ZygoteGone:
            raise NoChild from None
        with wire:
            try:
                self._send(wire, worker.HEAD.pack(0, len(request)), deadline)
                if len(request):  # a child that has all it asked for may have ended already
                    self._send(wire, request, deadline)
                status, answer = self._part(wire, deadline)
                while status == worker.PART:
                    yield answer
                    status, answer = self._part(wire, time.monotonic() + self._limits.wall_s)
            except TimeoutError:
                raise DisposableDied(f"Reading the output took longer than {self._limits.wall_s:g} s.") from None
            except (OSError, EOFError):
                how = self._end(pid, ask=True)
                pid = 0
                raise DisposableDied(f"The process that read the output {how}.") from None
            finally:
                if pid:
                    self._end(pid)
        if status == worker.OK:
            if answer:
                yield answer
        elif status == worker.MORE:
            raise MoreNeeded
        elif status in (worker.RAISED, worker.OWN_FAULT):
            said = f"Reading the output failed: {clean_text(answer.decode(errors='replace'), 300)}."
            own = status == worker.OWN_FAULT
            raise SandboxError(said, advice=_REPORT) if own else DisposableDied(f"{said} {_PERHAPS_OURS}")
        else:
            most = self._limits.reply_bytes
            raise DisposableDied(f"The result of reading the output is larger than {most} bytes.")

    def close(self) -> None:
        self._control.close()
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        for waiting in self._waiting.values():
            waiting.close()
        self._waiting = {}

    def load_more(self) -> None:
        """Have the zygote load what few requests need. Waiting children were forked before that, so they are ended."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
            with contextlib.suppress(OSError):
                self._control.sendall(worker.COMMAND.pack(worker.LOAD_MORE, 0, b""))
        for wire in waiting.values():
            with wire, contextlib.suppress(ZygoteGone):
                self._end(self._greeted(wire, time.monotonic() + self._limits.wall_s))

    def _prepare(self, function: str) -> None:
        """Have a child forked for the function's next call, unless another thread just did."""
        with self._lock:
            if function not in self._waiting:
                self._waiting[function] = self._fork(function)

    def _child(self, function: str, file: int | None, deadline: float) -> tuple[socket.socket, int]:
        """The socket and the pid of the waiting child, or of a new one if none waits or it has died."""
        with self._lock:
            waiting = None if file is not None else self._waiting.pop(function, None)
        if waiting is not None:
            with contextlib.suppress(ZygoteGone):
                return waiting, self._greeted(waiting, deadline)
        with self._lock:
            wire = self._fork(function, file)
        return wire, self._greeted(wire, deadline)

    def _fork(self, function: str, file: int | None = None) -> socket.socket:
        """Ask for a child; it sends its pid on the socket when it is ready."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                message = worker.COMMAND.pack(worker.FORK, 0, function.encode())
                socket.send_fds(self._control, [message], [theirs.fileno(), *(() if file is None else (file,))])
            except OSError:
                ours.close()
                raise ZygoteGone from None
        return ours

    def _greeted(self, wire: socket.socket, deadline: float) -> int:
        """The pid that a child sends before it reads anything. Raises ZygoteGone when no child is alive."""
        try:
            pid, missing = worker.GREETING.unpack(self._receive(wire, worker.GREETING.size, deadline))
        except (OSError, EOFError):
            wire.close()
            raise ZygoteGone from None
        poll = select.poll()
        poll.register(wire, select.POLLIN)
        if poll.poll(0):  # it sends nothing more: it has ended
            wire.close()
            self._end(pid)
            raise ZygoteGone
        self._check_layers(wire, pid, missing)
        return int(pid)

    def _check_layers(self, wire: socket.socket, pid: int, missing: int) -> None:
        """Every child must be as confined as the first one, under a strict policy wholly. Raises SandboxError."""
        if self._missing is None:
            self._missing = missing
        refused = missing if self._strict else missing & ~self._missing
        if not refused:
            return
        wire.close()
        self._end(pid)
        names = ", ".join(missing_of(refused))
        if self._strict:
            raise PostureError(
                f"strict: processes that read hostile bytes lack a layer here: {names}.",
                advice="See `cleanroom doctor`; without --strict, missing layers are only reported.",
            )
        raise SandboxError(
            f"A process that reads hostile bytes could not be confined like those before it: {names}.",
            advice="Free some memory or processes, and run `cleanroom doctor`.",
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """The layers that the kernel did not give, once a child was asked for; `confinement.LAYERS` are their names."""
        if self._missing is None:
            deadline = time.monotonic() + self._limits.wall_s
            wire = self._fork(self._function)
            with wire:
                self._end(self._greeted(wire, deadline))
        return missing_of(self._missing or 0)

    def _end(self, pid: int, *, ask: bool = False) -> str:
        """Have the zygote kill and reap the child; with `ask`, how it ended, as a clause."""
        with self._lock:
            try:
                self._control.sendall(worker.COMMAND.pack(worker.END_ASK if ask else worker.END, pid, b""))
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
        while len(data) < worker.STATUS.size:
            part = self._control.recv(worker.STATUS.size - len(data))
            if not part:
                raise ConnectionResetError
            data += part
        number: int = worker.STATUS.unpack(data)[0]
        return number

    def _part(self, wire: socket.socket, deadline: float) -> tuple[int, bytes]:
        status, size = worker.HEAD.unpack(self._receive(wire, worker.HEAD.size, deadline))
        if size > self._limits.reply_bytes:
            raise EOFError
        return status, self._receive(wire, size, deadline)

    @staticmethod
    def _send(wire: socket.socket, data: bytes | memoryview, deadline: float) -> None:
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
