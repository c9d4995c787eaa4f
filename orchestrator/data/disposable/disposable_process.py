"""Runs a trusted function on hostile bytes in a disposable process. Made by `bootstrap` for the gate, apply and probes.

Implements `core.ports.Disposable`. Whatever the bytes do to the child that reads them, the host sees an answer or
DisposableDied; if the zygote, which forks the children, has died, it is started again. Where no child lives long enough
to be given anything, that is a SandboxError: it is no fault of the bytes.
"""

import atexit
import contextlib
import functools
import threading
from collections.abc import Iterator
from typing import Self

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.data.disposable.two_steps import two_steps
from orchestrator.data.disposable.zygote import DisposableLimits, MoreNeeded, NoChild, Zygote, ZygoteGone

__all__ = ["DisposableLimits", "DisposableProcess", "kept_process"]

_NONE = "No process can be made here that reads hostile bytes."
_LIMITS = "Free some memory, raise the limits of open files and processes (ulimit -n, ulimit -u), and try again."


@functools.cache
def kept_process(entry: str, limits: DisposableLimits) -> "DisposableProcess":
    """The process of an entry, one for this program; started when it is first asked."""
    process = DisposableProcess(entry, limits)
    atexit.register(process.close)
    return process


class DisposableProcess:
    """`entry` is "module:function", a trusted constant; the function takes bytes and returns bytes.

    Its module may have a function `warm()`, which the zygote calls once, before the first fork. With a `subject` its
    function `load(subject)` is called before that. If the function raises the module's `MORE_NEEDED`, the
    zygote calls `load_more()` and the request is sent again. Safe for threads.
    """

    def __init__(
        self, entry: str, limits: DisposableLimits | None = None, *, subject: str = "", strict: bool = False
    ) -> None:
        self._entry = entry
        self._function = entry.partition(":")[2]
        self._subject = subject
        self._strict = strict
        self._limits = limits or DisposableLimits()
        self._lock = threading.Lock()
        self._zygote: Zygote | None = None
        self._closed = False

    def start(self) -> None:
        """Start the zygote now instead of at the first call. Raises SandboxError when it cannot be started."""
        self._current()

    def start_soon(self) -> None:
        """Start the zygote in the background. An error in starting it is raised by the first call."""

        def start() -> None:
            with contextlib.suppress(SandboxError):
                self._current()

        threading.Thread(target=start, name="disposable-start", daemon=True).start()

    def call(self, request: bytes, function: str = "") -> bytes:
        """The entry's answer, or that of another function of its module. Of two steps, that of the second.

        Raises DisposableDied when a child dies, times out or writes too much; SandboxError when there can be none.
        """
        if steps := two_steps(request):
            request = steps.second(self._answer(steps.hostile, steps.function))
        return self._answer(request, function or self._function)

    def _answer(self, request: bytes | memoryview, function: str) -> bytes:
        given = False
        for _ in range(3):
            zygote = self._current()
            try:
                return zygote.call(request, function)
            except MoreNeeded:
                given = True
                zygote.load_more()
            except ZygoteGone as gone:
                given |= not isinstance(gone, NoChild)
                self._discard(zygote)
        if not given:
            raise SandboxError(_NONE, advice=_LIMITS)
        raise DisposableDied("The process that reads sandbox output died twice on the same request.")

    def parts(self, request: bytes, function: str, file: int) -> Iterator[bytes]:
        """The answer of a function that answers in parts and reads an open file. Raises as `call`."""
        given = False
        for _ in range(3):
            zygote = self._current()
            begun = False
            try:
                for part in zygote.parts(request, function, file):
                    begun = True
                    yield part
            except MoreNeeded:
                given = True
                zygote.load_more()
            except ZygoteGone as gone:
                given |= not isinstance(gone, NoChild)
                self._discard(zygote)
                if begun:
                    break
            else:
                return
        if not given:
            raise SandboxError(_NONE, advice=_LIMITS)
        raise DisposableDied("The process that reads the file was ended from outside.")

    @property
    def missing(self) -> tuple[str, ...]:
        """The layers of confinement that this kernel did not give. Raises SandboxError where it cannot be started."""
        try:
            return self._current().missing
        except ZygoteGone:
            raise SandboxError("The process that reads sandbox output ended before it was asked.") from None

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

    def _current(self) -> Zygote:
        with self._lock:
            if self._closed:
                raise SandboxError("The process that reads sandbox output was already closed.")
            if self._zygote is None:
                self._zygote = Zygote(self._entry, self._limits, self._subject, strict=self._strict)
            return self._zygote

    def _discard(self, zygote: Zygote) -> None:
        with self._lock:
            zygote.close()
            if self._zygote is zygote:
                self._zygote = None
