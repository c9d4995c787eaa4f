"""The real engine with calls that fail: refused, broken, or done with the answer lost on the way."""

import threading
from enum import StrEnum
from typing import Any

import requests
from docker.errors import APIError

from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.stream import AttachStream

_COUNTED = frozenset(
    {"create_container_from_config", "attach_socket", "start", "inspect_container", "remove_container", "containers"}
)


class Failure(StrEnum):
    """How the call fails."""

    REFUSED = "refused"  # the engine is gone for a moment; nothing was done
    BROKEN = "broken"  # the engine says no
    LOST = "lost"  # it was done, but the answer never came


class Calls:
    """Counts what the engines that it makes are asked; `many` calls fail, from the `fatal`-th on (0: none)."""

    def __init__(self, fatal: int = 0, failure: Failure = Failure.REFUSED, many: int = 1) -> None:
        self._fatal = range(fatal, fatal + many) if fatal else ()
        self._failure = failure
        self._lock = threading.Lock()
        self.names: list[str] = []

    def engine(self) -> Engine:
        """An engine whose calls are counted."""
        made = Engine()
        made._api = _Counted(made._api, self)
        return made

    def through(self, name: str, call: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        with self._lock:
            self.names.append(name)
            fatal = len(self.names) in self._fatal
        if not fatal:
            return call(*arguments, **options)
        if self._failure is Failure.BROKEN:
            raise APIError("500 Server Error", explanation="the engine has a bad day")
        if self._failure is Failure.LOST:
            answer = call(*arguments, **options)
            if name == "attach_socket":
                AttachStream(answer).close()
        raise requests.ConnectionError("Connection aborted")


class _Counted:
    """The SDK's client with the calls that matter counted."""

    def __init__(self, api: Any, calls: Calls) -> None:
        self._api = api
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._api, name)
        if name not in _COUNTED:
            return found
        return lambda *arguments, **options: self._calls.through(name, found, arguments, options)
