"""Callbacks that receive the events of a run, for example the live display. Called by `loop.job`."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

_log = logging.getLogger(__name__)
EventT = TypeVar("EventT")


class Callbacks:
    """Functions by event class. An event reaches the functions of its class and of all its base classes."""

    def __init__(self) -> None:
        self._functions: list[tuple[type[Any], Callable[[Any], None]]] = []

    def register(self, kind: type[EventT], function: Callable[[EventT], None]) -> None:
        """Call the function with every event that is an instance of `kind`."""
        self._functions.append((kind, function))

    def emit(self, event: object) -> None:
        """Call all functions registered for the event. If one fails, this is logged, and the run goes on."""
        for kind, function in self._functions:
            if isinstance(event, kind):
                try:
                    function(event)
                except Exception:  # noqa: BLE001 - a watcher must not be able to end a run
                    _log.exception("a callback for %s failed", kind.__name__)
