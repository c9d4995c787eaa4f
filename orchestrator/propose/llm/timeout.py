"""Waits for an answer no longer than it may take. Called by `litellm_chat`.

A server can keep a connection alive for ever by sending next to nothing, and a client that waits for the next byte then
waits for ever too. So the asking is done in a thread of its own, and whoever asked stops waiting for it in time.
"""

import atexit
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import TIMEOUT_MAX, Event, Thread
from time import monotonic
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")

_AT_EXIT_S = 2.0  # for a thread in the middle of an import
_loaded = Event()  # something was heard: what is imported at a first question is there


class _Said(NamedTuple):
    """What the thread tells: nothing but that it gets on, or its end."""

    over: bool = False
    failure: BaseException | None = None
    result: object = None


class _Left(Exception):
    """Ends a thread for which nobody waits any more, at its next sign of life."""


def within(quiet_s: float, most_s: float, work: Callable[[Callable[[], None]], Result]) -> Result:
    """What `work` gives; it calls what it is given whenever it gets on. Raises what it raises.

    Raises TimeoutError when it does not get on for `quiet_s`, or takes more than `most_s` in all. The thread then ends
    by itself when its server says something, or with this process.
    """
    told: SimpleQueue[_Said] = SimpleQueue()
    end = monotonic() + most_s
    left = False

    def gets_on() -> None:
        if left:
            raise _Left
        told.put(_Said())

    def run() -> None:
        try:
            told.put(_Said(over=True, result=work(gets_on)))
        except BaseException as failure:  # noqa: BLE001 - handed over to whoever waits
            told.put(_Said(over=True, failure=failure))

    thread = Thread(target=run, name="cleanroom-ask", daemon=True)
    thread.start()
    try:
        while True:
            said = told.get(timeout=max(0.0, min(quiet_s, end - monotonic(), TIMEOUT_MAX)))
            _loaded.set()
            if said.failure is not None:
                raise said.failure
            if said.over:
                return said.result  # type: ignore[return-value]  # what `work` has given
    except Empty:
        raise TimeoutError from None
    finally:
        left = True
        if not _loaded.is_set():  # its import lock may outlive the thread, and the end of the process wait for it
            atexit.register(thread.join, _AT_EXIT_S)
