"""Work that outlasts a call: it goes on in a thread, under a handle with which its answer is fetched later.

Made by the server. At most `lanes` works run at once, and a bounded number wait; the newest answers are kept.
"""

import asyncio
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from orchestrator.agents.fenced_answer import CallRefused, ToolAnswer, internal_problem, problem_of
from orchestrator.core.errors import CleanroomError

_MOST_WORKS = 16
_KEPT = 200
ToolWork = Callable[["Handle"], ToolAnswer]


@dataclass(frozen=True)
class Handle:
    """One work. `stopping` is set when nobody wants it any more."""

    id: str
    tool: str
    stopping: threading.Event


class Handles:
    """Safe for threads; `answer` belongs to one event loop. `raw`: texts of errors about data may be shown."""

    def __init__(self, lanes: int, *, raw: bool) -> None:
        self._threads = ThreadPoolExecutor(lanes, thread_name_prefix="agent")
        self._raw = raw
        self._lock = threading.Lock()
        self._works: dict[str, tuple[Handle, Future[ToolAnswer]]] = {}

    def start(self, tool: str, work: ToolWork) -> Handle:
        """Begin the work. Raises CallRefused where too many are under way already."""
        handle = Handle(secrets.token_hex(8), tool, threading.Event())
        with self._lock:
            if sum(not future.done() for _, future in self._works.values()) >= _MOST_WORKS:
                known = ", ".join(name for name, (_, future) in self._works.items() if not future.done())
                raise CallRefused("Too many calls are under way.", advice=f"Ask job_status for them first: {known}.")
            over = [name for name, (_, future) in self._works.items() if future.done()]
            for name in over[: max(0, len(over) - _KEPT)]:
                del self._works[name]
            self._works[handle.id] = handle, self._threads.submit(self._do, work, handle)
        return handle

    async def answer(self, handle_id: str, wait_s: float, *, told: bool = True) -> ToolAnswer:
        """The work's answer, or after so many seconds that it is still under way. Raises CallRefused.

        `told`: whether the client knows the handle. If not, and it cancels its call, nobody wants the work any more.
        """
        with self._lock:
            if handle_id not in self._works:
                raise CallRefused("There is no such handle.", advice="A handle is known as long as the server runs.")
            handle, future = self._works[handle_id]
        try:
            await asyncio.wait([asyncio.wrap_future(future)], timeout=wait_s)
        except asyncio.CancelledError:
            if not told:
                handle.stopping.set()
                future.cancel()  # one that has not begun never does
            raise
        if not future.done():
            state = "running" if future.running() else "queued"
            advice = "Ask job_status with this handle."
            return ToolAnswer({"state": state, "tool": handle.tool, "handle": handle.id, "advice": advice})
        if future.cancelled():
            return ToolAnswer({"state": "cancelled", "tool": handle.tool, "handle": handle.id}, {}, problem=True)
        done = future.result()
        return done.with_facts(tool=handle.tool, handle=handle.id)

    def stop(self) -> None:
        """Tell every work to end, and begin no other; returns at once."""
        with self._lock:
            works = list(self._works.values())
        for handle, _ in works:
            handle.stopping.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """The same, and wait until all have ended."""
        self.stop()
        self._threads.shutdown(wait=True)

    def _do(self, work: ToolWork, handle: Handle) -> ToolAnswer:
        try:
            done = work(handle)
        except CleanroomError as error:
            return problem_of(error, raw=self._raw)
        except Exception as error:  # noqa: BLE001 - a fault of ours ends this work and no other
            return internal_problem(error)
        return done.with_facts(state="done")
