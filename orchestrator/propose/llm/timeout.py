"""Waits for an answer up to a time limit. Called by `litellm_chat`.

A server can keep a connection open for ever by sending next to nothing, and a client that waits for the next byte then
waits for ever too. So each call runs in a thread of its own, and the caller stops waiting for it in time.
"""

import atexit
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import TIMEOUT_MAX, Event, Thread
from time import monotonic
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")

_AT_EXIT_S = 2.0  # for a thread in the middle of an import
_loaded = Event()  # a first sign of progress: what LiteLLM imports at its first call is loaded


class _Progress(NamedTuple):
    """A message of the thread: only that it makes progress, or its result or failure."""

    done: bool = False
    failure: BaseException | None = None
    result: object = None


class _Abandoned(Exception):
    """Ends a thread for which nobody waits any more, at its next progress."""


def within(quiet_s: float, most_s: float, work: Callable[[Callable[[], None]], Result]) -> Result:
    """The result of `work`, which calls its argument at each progress. Raises what `work` raises.

    Raises TimeoutError when there is no progress for `quiet_s` seconds, or no result after `most_s`. The thread then
    ends by itself when its server sends something, or with this process.
    """
    queue: SimpleQueue[_Progress] = SimpleQueue()
    end = monotonic() + most_s
    abandoned = False

    def report_progress() -> None:
        if abandoned:
            raise _Abandoned
        queue.put(_Progress())

    def run() -> None:
        try:
            queue.put(_Progress(done=True, result=work(report_progress)))
        except BaseException as failure:  # noqa: BLE001 - handed over to the caller
            queue.put(_Progress(done=True, failure=failure))

    thread = Thread(target=run, name="cleanroom-ask", daemon=True)
    thread.start()
    try:
        while True:
            progress = queue.get(timeout=max(0.0, min(quiet_s, end - monotonic(), TIMEOUT_MAX)))
            _loaded.set()
            if progress.failure is not None:
                raise progress.failure
            if progress.done:
                return progress.result  # type: ignore[return-value]  # the result of `work`
    except Empty:
        raise TimeoutError from None
    finally:
        abandoned = True
        if not _loaded.is_set():  # its import lock may outlive the thread, and the end of the process wait for it
            atexit.register(thread.join, _AT_EXIT_S)
