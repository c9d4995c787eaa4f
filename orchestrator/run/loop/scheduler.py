"""Runs work on several chunks at once, one thread each. Called by the loop.

The threads are daemons: after Ctrl-C nothing waits for a model that takes a minute to answer. If such a thread then
records a step, `CleaningJob` refuses it with Stopped.
"""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from orchestrator.run.loop.run_context import Stopped

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Failure:
    """An error passed from a lane to the waiting thread."""

    error: Exception | KeyboardInterrupt


class Scheduler(Generic[Item, Result]):
    """Runs `work` on items, `threads` of them at once. `stop` is called when one fails, to end the others early."""

    def __init__(self, work: Callable[[Item], Result], threads: int, stop: Callable[[], None]) -> None:
        self._work = work
        self._threads = threads
        self._stop = stop
        self._finished = False
        self._lock = threading.Lock()
        self._results: queue.SimpleQueue[Result | Failure | None] = queue.SimpleQueue()

    def finish(self) -> None:
        """Begin no more items; those in flight are completed."""
        self._finished = True

    def run(self, items: Iterable[Item], then: Callable[[Result], None]) -> None:
        """Pass every result to `then`, in this thread. The first error is raised once no item is in flight."""
        if self._threads == 1:
            for item in items:
                then(self._work(item))
                if self._finished:
                    return
            return
        waiting = iter(items)
        for number in range(self._threads):
            threading.Thread(target=self._lane, args=[waiting], name=f"lane-{number}", daemon=True).start()
        running = self._threads
        failure: Exception | None = None
        while running:
            result = self._results.get()
            if result is None:
                running -= 1
            elif isinstance(result, Failure):
                if isinstance(result.error, KeyboardInterrupt):
                    raise result.error
                failure = failure or result.error
            else:
                try:
                    then(result)
                except Exception as error:  # noqa: BLE001 - raised below, when the other lanes are at their end
                    failure = failure or error
                    self._hurry()
        if failure is not None:
            raise failure

    def _lane(self, waiting: Iterator[Item]) -> None:
        try:
            while (item := self._next(waiting)) is not None:
                self._results.put(self._work(item))
        except Stopped:
            pass
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - handed to the thread that waits
            self._hurry()
            self._results.put(Failure(error))
        finally:
            self._results.put(None)

    def _hurry(self) -> None:
        self.finish()
        self._stop()

    def _next(self, waiting: Iterator[Item]) -> Item | None:
        with self._lock:
            return None if self._finished else next(waiting, None)
