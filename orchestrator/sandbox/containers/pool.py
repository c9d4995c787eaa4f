"""Never-used containers that wait with everything imported, made and destroyed off the caller's path.

A container is handed out once and comes back only to be destroyed. Containers are made in background threads alone,
so an interrupt in the caller's thread can never lose one that is half made. Making one takes more of the machine than
most jobs do, so it waits while jobs have the processors, unless somebody waits for it. Called by docker_sandbox.py.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress

from orchestrator.core.errors import EngineUnavailable, SandboxError
from orchestrator.core.jobs import GuestEnvironment
from orchestrator.sandbox.containers.container import Container

_BACKLOG = 4  # used containers hold memory: when more of them wait to be destroyed, that goes before making new ones
_PAUSE_S = 0.1  # after a job there often comes another of the same verdict: only then are the processors free


class Pool:
    """`make` starts one container; `sizes` says how many of each environment wait.

    Only the light or only the full ones are kept filled up, whichever kind was asked for last; `light` says which at
    the start. What waits already stays. `expected`: how many will be asked for in all, light or full, where that is
    known; more are not made ahead.
    """

    def __init__(
        self,
        make: Callable[[GuestEnvironment], Container],
        sizes: Mapping[GuestEnvironment, int],
        workers: int,
        *,
        light: bool = False,
        expected: Mapping[GuestEnvironment, int] | None = None,
    ) -> None:
        self._make = make
        self._sizes = sizes
        self._light = light
        self._expected = dict(expected or {})
        self._change = threading.Condition()
        self._ready: dict[GuestEnvironment, deque[Container]] = {environment: deque() for environment in sizes}
        self._starting = dict.fromkeys(sizes, 0)
        self._waiting = dict.fromkeys(sizes, 0)
        self._to_destroy: deque[Container] = deque()
        self._live: set[Container] = set()  # all that were made and not yet destroyed, wherever they are
        self._busy: set[Container] = set()
        self._calm = 0.0  # from then on no job is likely to follow
        self._failure: Exception | None = None
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"sandbox-pool-{number}", daemon=True) for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def acquire(
        self, environment: GuestEnvironment, needed_s: float, timeout_s: float = 180.0, *, at_once: bool = True
    ) -> Container:
        """A container that has never run anything and lives `needed_s` longer. Raises SandboxError.

        `needed_s` must be well below the life of a container, or none would ever do.
        """
        deadline = time.monotonic() + timeout_s
        with self._change:
            self._failure = None
            self._light = environment.light
            self._waiting[environment] += 1
            self._change.notify_all()
            try:
                while True:
                    if self._closed:
                        raise SandboxError("the sandbox is closed")
                    if (container := self._take(environment, needed_s)) is not None:
                        if environment.full in self._expected:
                            self._expected[environment.full] -= 1
                        if at_once:
                            self._busy.add(container)
                        return container
                    if self._failure is not None:
                        raise self._failure
                    if not self._change.wait(deadline - time.monotonic()):
                        raise EngineUnavailable(f"no sandbox became ready within {timeout_s:g} s")
            finally:
                self._waiting[environment] -= 1

    @property
    def size(self) -> int:
        """How many containers were made and are not destroyed yet."""
        with self._change:
            return len(self._live)

    def discard(self, container: Container) -> None:
        """Destroy a container in the background."""
        with self._change:
            self._busy.discard(container)
            self._calm = time.monotonic() + _PAUSE_S
            self._to_destroy.append(container)
            self._change.notify_all()

    def close(self) -> None:
        """Destroy everything, also what callers still hold; wait until it is gone. Idempotent."""
        with self._change:
            self._closed = True
            for ready in self._ready.values():
                ready.clear()
            self._to_destroy = deque(self._live)
            self._change.notify_all()
        for thread in self._threads:
            thread.join()

    def _take(self, environment: GuestEnvironment, needed_s: float) -> Container | None:
        ready = self._ready[environment]
        while ready:
            container = ready.popleft()
            self._change.notify_all()  # there is room for another one
            if container.usable(needed_s):
                return container
            self._to_destroy.append(container)
        return None

    def _work(self) -> None:
        while True:
            with self._change:
                environment, to_destroy = self._next()
                if environment is None and to_destroy is None:
                    return
            if environment is not None:
                self._fill(environment)
            elif to_destroy is not None:
                with suppress(Exception):  # whatever it is, this thread has others to see to; the reaper takes the rest
                    to_destroy.destroy()
                with self._change:
                    self._live.discard(to_destroy)

    def _next(self) -> tuple[GuestEnvironment | None, Container | None]:
        """What to do next, making before destroying; waits for it. (None, None): closed and nothing left."""
        while True:
            if len(self._to_destroy) > _BACKLOG:
                return None, self._to_destroy.popleft()
            environment = self._most_missing()
            if environment is not None:
                self._starting[environment] += 1
                return environment, None
            if self._to_destroy and (self._closed or not self._held_back()):
                return None, self._to_destroy.popleft()
            if self._closed:
                return None, None
            self._change.wait(_PAUSE_S if self._held_back() else None)

    def _most_missing(self) -> GuestEnvironment | None:
        if self._closed or self._failure is not None:
            return None
        there = {
            environment: len(self._ready[environment]) + self._starting[environment] for environment in self._sizes
        }
        held_back = self._held_back()
        sizes = {f: 0 if held_back or f.light is not self._light else size for f, size in self._sizes.items()}
        ahead = {f: min(size, self._expected.get(f.full, size)) for f, size in sizes.items()}
        wanted = [f for f, size in ahead.items() if there[f] < max(size, self._waiting[f])]
        return min(wanted, key=lambda environment: (not self._waiting[environment], there[environment]), default=None)

    def _held_back(self) -> bool:
        """Whether jobs have the processors, or had them a moment ago."""
        free = (os.cpu_count() or 1) - 1 - len(self._busy)
        return sum(self._starting.values()) >= free and (bool(self._busy) or time.monotonic() < self._calm)

    def _fill(self, environment: GuestEnvironment) -> None:
        container, failure = None, None
        try:
            container = self._make(environment)
        except Exception as error:  # noqa: BLE001 - handed to whoever waits, in their own thread
            failure = error
        with self._change:
            self._starting[environment] -= 1
            if failure is not None:
                self._failure = failure
            elif container is not None:
                self._live.add(container)
                (self._to_destroy if self._closed else self._ready[environment]).append(container)
            self._change.notify_all()
