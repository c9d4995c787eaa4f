"""What happens to jobs, for those who wait to hear it: one look at the database for all of them. Called by the routes.

Somebody who follows a job is a generator in the event loop. One task looks for new events while anybody follows, and
ends when nobody does any more; who has gone away leaves nothing behind.
"""

import asyncio
from collections.abc import AsyncIterator

from fastapi.concurrency import run_in_threadpool

from orchestrator.core.errors import CleanroomError
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import JobEvent
from orchestrator.service.problems import say_internal

_LOOK_S = 0.25
_AGAIN_S = 1.0
_BATCH = 500


class JobFeed:
    """Belongs to one event loop. `followers`: how many there are."""

    def __init__(self, jobs: JobStore) -> None:
        self._jobs = jobs
        self._woken: dict[str, list[asyncio.Event]] = {}
        self._looking: asyncio.Task[None] | None = None
        self.closing = False

    @property
    def followers(self) -> int:
        return sum(map(len, self._woken.values()))

    async def follow(self, job_id: str, after: int, *, over: bool = False) -> AsyncIterator[JobEvent]:
        """All events of the job after that one, as they come; ends after the job's end.

        `over`: the job has ended, and its end may be what the client had last. A database that cannot be reached is
        asked again.
        """
        woken = asyncio.Event()
        self._woken.setdefault(job_id, []).append(woken)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            while not self.closing:
                woken.clear()
                try:
                    events = await run_in_threadpool(self._jobs.events, job_id, after, _BATCH)
                except CleanroomError as error:
                    say_internal(error)
                    await asyncio.sleep(_AGAIN_S)
                    continue
                for event in events:
                    after = event.number
                    yield event
                    if event.kind == "ended":
                        return
                if len(events) < _BATCH:
                    if over:
                        return
                    await woken.wait()
        finally:
            self._woken[job_id].remove(woken)
            if not self._woken[job_id]:
                del self._woken[job_id]

    def close(self) -> None:
        """Let go of everybody who follows: the service ends."""
        self.closing = True
        self._wake(self._woken)

    async def _look(self) -> None:
        last: int | None = None
        while self._woken and not self.closing:
            try:
                if last is None:
                    last = await run_in_threadpool(self._jobs.last_event)
                    self._wake(self._woken)  # what came before that look
                await asyncio.sleep(_LOOK_S)
                events = await run_in_threadpool(self._jobs.events, None, last, _BATCH)
            except CleanroomError as error:
                say_internal(error)
                await asyncio.sleep(_AGAIN_S)
                continue
            last = events[-1].number if events else last
            self._wake({event.job_id for event in events})

    def _wake(self, job_ids: "set[str] | dict[str, list[asyncio.Event]]") -> None:
        for job_id in job_ids:
            for woken in self._woken.get(job_id, ()):
                woken.set()
