"""Sends one task at a time for each thread that calls, and accepts one answer to it. Called by cluster_sandbox.py.

Dask gives a task of a worker that died to another. What it does not do is done here: a task whose worker takes far too
long is sent to a second one as well, and the first answer is the only one: a later duplicate is never read. Who made an
answer is asked of the scheduler, not of the worker. Without workers or scheduler the job ends with a sentence.
"""

import itertools
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from distributed import Client, Future

from orchestrator.core.errors import CleanroomError, SandboxError
from orchestrator.core.jobs import JobResult
from orchestrator.scale.cluster_client import sandbox_workers
from orchestrator.scale.dask_setup import RESOURCE
from orchestrator.scale.dask_worker import run_task
from orchestrator.scale.task_frames import read_answer, task_id

_LOOK_S = 1.0  # between two looks at who is there
_TIMES = 4  # a task is sent: for workers that die, and for answers that went with them
_RPC_S = 10.0
_AGAIN = "Run the command again."
_TOO_LATE = 4  # times the time after which a second worker is asked


class Placement(NamedTuple):
    """Which worker shall not run a task (""; any may), and which shall, as long as it is there."""

    not_on: str = ""
    on: str = ""


@dataclass
class _Sending:
    """One task under way: its futures, and the workers that each of them may run on (empty: any).

    `failed`: how often no answer came; `bad`: the workers of which that is known; `error`: what was wrong last.
    `under_way_at`: when it was under way last.
    """

    frame: bytes
    place: Placement
    under_way_at: float
    changed: threading.Event = field(default_factory=threading.Event)
    under_way: dict[Future[bytes], frozenset[str]] = field(default_factory=dict)
    sent: int = 0
    failed: int = 0
    bad: set[str] = field(default_factory=set)
    error: SandboxError | None = None


class TaskSender:
    """`patience_s`: how long there may be nobody to run a task. Safe for threads.

    `apart`: a second look is never taken by the worker of the first; else only where there is another. `local`: all
    of the cluster was started for this command.
    """

    def __init__(self, client: Client, *, apart: bool, local: bool = False, patience_s: float = 30.0) -> None:
        self._client = client
        self._apart = apart
        self._local = local
        self._patience_s = patience_s
        self._prefix = f"cleanroom-{secrets.token_hex(6)}"
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._seen: tuple[float, frozenset[str]] = (0.0, frozenset())
        self._empty_since = 0.0  # since when there is no worker; 0: there is one

    def send(
        self, frame: bytes, children: int, late_s: float, place: Placement, stopped: Callable[[], bool]
    ) -> JobResult:
        """The task's one answer. Raises the error that it carries, and SandboxError where none can come.

        `late_s`: after so long a second worker is asked. `stopped`: whether nobody waits for it any more.
        """
        began = time.monotonic()
        sending = _Sending(frame, place, began)
        try:
            while True:
                if stopped():
                    raise SandboxError("The task was given up.")
                if (found := self._finished(sending, children)) is not None:
                    return found
                self._keep_going(sending, began, late_s)
                sending.changed.wait(_LOOK_S)
                sending.changed.clear()
        finally:
            for future in sending.under_way:
                with suppress(Exception):  # nobody reads it any more, whatever becomes of it
                    future.cancel()

    def _finished(self, sending: _Sending, children: int) -> JobResult | None:
        """The first answer that is there. One that its worker took along is as if it never was."""
        for future in [one for one in sending.under_way if one.done()]:
            asked = sending.under_way.pop(future)
            answer = self._gathered(future)
            holders = asked if answer is None else self._holders(future)
            try:
                result = None if answer is None else read_answer(answer, task_id(sending.frame), children)
            except SandboxError as error:
                if error.worker not in holders:
                    error.worker = min(holders, default="")
                self._name_worker(error)
                sending.error = error
            else:
                if result is not None and result.worker in holders:
                    return result
            sending.failed += 1
            sending.bad |= holders if len(holders) == 1 else set()
        return None

    def _name_worker(self, error: SandboxError) -> None:
        """Say which of many machines is to be looked at."""
        if error.worker and not self._local and error.worker not in error.message:
            error.message = f"The worker {error.worker}: {error.message}"
            error.args = (error.message,)

    def _holders(self, future: Future[bytes]) -> frozenset[str]:
        """The workers that have the answer, as the scheduler says."""
        with suppress(Exception):
            return frozenset(self._client.who_has([future]).get(future.key, ()))
        return frozenset()

    def _gathered(self, future: Future[bytes]) -> bytes | None:
        if future.status == "cancelled":
            raise scheduler_gone(local=self._local)
        try:
            answer = future.result(timeout=_RPC_S)
        except CleanroomError:
            raise
        except Exception as error:  # noqa: BLE001 - dask's, of many kinds
            if type(error).__name__ == "KilledWorker":
                last = getattr(getattr(error, "last_worker", None), "address", "")
                at_last = f", at last {last}" if last and not self._local else ""
                raise SandboxError(
                    f"Several workers died on the same task, one after the other{at_last}.",
                    advice="Look for the reason on the workers' machines: memory, for one.",
                ) from None
            if self._client.status != "running":
                raise scheduler_gone(local=self._local) from None
            return None
        return answer if isinstance(answer, bytes) else None

    def _keep_going(self, sending: _Sending, began: float, late_s: float) -> None:
        """Send the task where it is nowhere under way, or is too slow. Raises SandboxError when there is no hope."""
        workers, now = self._workers(), time.monotonic()
        sending.under_way_at = now if sending.under_way else sending.under_way_at
        for future, those in list(sending.under_way.items()):
            if those and not those & workers:
                del sending.under_way[future]
                future.cancel()
        waited = now - began
        if not workers and now - self._empty_since > self._patience_s:
            advice = _AGAIN if self._local else "Start workers, then run the command again."
            raise SandboxError("No worker is left in the cluster.", advice=advice)
        if waited > _TOO_LATE * late_s:
            raise SandboxError(f"No worker answered within {waited:.0f} s.", advice="See what holds the workers up.")
        if not sending.under_way:
            idle_s = now - sending.under_way_at
            self._submit(sending, self._another(sending, workers, self._allowed(workers, sending.place, idle_s)))
        elif len(sending.under_way) == 1 and waited > late_s:
            busy = self._at_work(next(iter(sending.under_way)))
            if others := workers - busy - {sending.place.not_on}:
                self._submit(sending, others)

    def _another(
        self, sending: _Sending, workers: frozenset[str], allowed: frozenset[str] | None
    ) -> frozenset[str] | None:
        """Where the task has failed, one of the workers that may run it and did not fail at it.

        Raises what was wrong with the last answer, where there is no such worker.
        """
        if allowed is None or not sending.failed:
            return allowed
        left = sorted((allowed or workers) - sending.bad)
        if not left and not self._apart and not sending.place.on:  # the first look's, then
            left = sorted(workers - sending.bad)
        if sending.error is not None and (not left or sending.sent >= _TIMES):
            raise sending.error
        return frozenset((left[next(self._numbers) % len(left)],)) if left else allowed

    def _allowed(self, workers: frozenset[str], place: Placement, idle_s: float) -> frozenset[str] | None:
        """The workers that may run it: empty for any, None where there is none now."""
        if place.on in workers:
            return frozenset((place.on,))
        if not place.not_on:
            return frozenset()
        if others := workers - {place.not_on}:
            return others
        if not self._apart:
            return frozenset()
        if idle_s > self._patience_s:
            raise SandboxError(
                "The second look takes another worker than the first, and there is no other left.",
                advice="Start another worker, then run the command again.",
            )
        return None

    def _submit(self, sending: _Sending, workers: frozenset[str] | None) -> None:
        if workers is None:
            return
        if sending.sent >= _TIMES:
            failed = f" Failed: {', '.join(sorted(sending.bad))}." if sending.bad and not self._local else ""
            raise SandboxError(
                f"A task was sent {_TIMES} times, and no worker gave an answer: each went away, or failed at it."
                f"{failed}",
                advice="Look for the reason on the workers' machines, then run the command again.",
            )
        sending.sent += 1
        key = f"{self._prefix}-{next(self._numbers)}-{task_id(sending.frame)[:16]}"
        try:
            future = self._client.submit(
                run_task,
                sending.frame,
                key=key,
                pure=False,
                resources={RESOURCE: 1},
                workers=sorted(workers) or None,
            )
        except Exception:  # noqa: BLE001 - dask's, where the connection has just ended
            raise scheduler_gone(local=self._local) from None
        sending.under_way[future] = workers
        future.add_done_callback(lambda _: sending.changed.set())

    def _workers(self) -> frozenset[str]:
        """The workers with a sandbox that the scheduler knows, asked once a second for all threads."""
        with self._lock:
            at, known = self._seen
            if time.monotonic() - at < _LOOK_S:
                return known
            if self._client.status != "running":
                raise scheduler_gone(local=self._local)
            try:
                known = sandbox_workers(self._client)
            except Exception:  # noqa: BLE001 - dask's, of many kinds
                raise scheduler_gone(local=self._local) from None
            self._seen = (time.monotonic(), known)
            self._empty_since = 0.0 if known else self._empty_since or time.monotonic()
            return known

    def _at_work(self, future: Future[bytes]) -> frozenset[str]:
        with suppress(Exception):
            busy = self._client.processing()
            return frozenset(worker for worker, keys in busy.items() if future.key in keys)
        return frozenset()


def scheduler_gone(*, local: bool) -> SandboxError:
    """What is said where the connection to the scheduler has ended. `local`: it was started for this command."""
    advice = _AGAIN if local else "Start it again, then run the command again."
    return SandboxError("The cluster's scheduler went away.", advice=advice)
