"""Claims jobs and carries them out, several at once, until it is told to stop. Called by the worker process.

A thread beside the lanes renews the leases and writes what is told of the jobs, several events at a time; where a job
is not this worker's any more, because somebody cancelled it, the next thing that is told of it raises: also where that
happened a moment ago, for a function would be promoted for somebody who has heard that the job is cancelled.
"""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from orchestrator.core.errors import CleanroomError, RegistryError, SandboxError, UsageError
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import ServiceJob
from orchestrator.service.denied import Denied
from orchestrator.service.field_wording import naming_the_upload
from orchestrator.service.job_execution import Tell
from orchestrator.service.problems import said_of, say_internal
from orchestrator.service.uploads import JobFolder, JobFolders

Perform = Callable[[ServiceJob, JobFolder, Tell], dict[str, Any]]
_POLL_S = 0.2
_TICK_S = 0.3


@dataclass(frozen=True)
class JobEnd:
    """How a job ended: `end` is a verdict, the status of a run, `done` or `failed`. Nothing of its data."""

    kind: str
    end: str
    seconds: float
    tokens: int = 0

    @classmethod
    def of(cls, job: ServiceJob, result: Mapping[str, Any] | None, seconds: float) -> "JobEnd":
        """`result`: None where the job could not be done."""
        if result is None:
            return cls(job.kind, "failed", seconds)
        usage = result.get("run", {}).get("usage", {})
        tokens = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
        end = result.get("verdict", {}).get("verdict") or result.get("run", {}).get("status") or "done"
        return cls(job.kind, str(end), seconds, tokens)


class JobGone(Exception):
    """The job is not this worker's any more."""


class ClaimedJob:
    """A job while it is carried out. `holds`: whether it is still this worker's; raises RegistryError."""

    def __init__(self, job: ServiceJob, holds: Callable[[ServiceJob], bool]) -> None:
        self.job, self.gone, self._holds = job, False, holds
        self._told: list[tuple[str, Mapping[str, Any]]] = []
        self._lock = threading.Lock()

    def tell(self, kind: str, data: Mapping[str, Any]) -> None:
        """To be written with the next tick. Raises JobGone."""
        with suppress(RegistryError):  # the database cannot be reached: the lease may outlast that
            self.gone = self.gone or not self._holds(self.job)
        if self.gone:
            raise JobGone
        with self._lock:
            self._told.append((kind, data))

    def take_told(self) -> list[tuple[str, Mapping[str, Any]]]:
        with self._lock:
            told, self._told = self._told, []
        return told


class JobWorker:
    """`name`: of this worker, unlike that of any other. `lanes`: how many jobs at once."""

    def __init__(
        self,
        jobs: JobStore,
        folders: JobFolders,
        perform: Perform,
        *,
        name: str,
        lanes: int,
        on_end: Callable[[JobEnd], None] = lambda _end: None,
    ) -> None:
        self._jobs, self._folders, self._perform, self._on_end = jobs, folders, perform, on_end
        self._name, self._lanes = name, lanes
        self._claimed: dict[str, ClaimedJob] = {}
        self._lock = threading.Lock()
        self._stop, self._over = threading.Event(), threading.Event()
        self.broken: SandboxError | RegistryError | None = None  # the sandbox or the database was lost

    def run(self) -> None:
        """Work until `stop`; what is begun then is finished. When the database is lost it ends, and is `broken`."""
        ticking = threading.Thread(target=self._tick, name="service-tick", daemon=True)
        ticking.start()
        try:
            over = self._folders.there(self._jobs.folders(over=True))
            for name in over:  # a worker may have ended them, and been killed before this
                self._folders.of(name).forget_sent()
            with ThreadPoolExecutor(self._lanes, thread_name_prefix="service") as threads:
                for lane in [threads.submit(self._lane) for _ in range(self._lanes)]:
                    lane.result()
        except RegistryError as error:
            self.broken = error
        finally:
            self._stop.set()
            self._over.set()
            ticking.join()

    def stop(self) -> None:
        """Claim no more."""
        self._stop.set()

    @property
    def busy(self) -> bool:
        with self._lock:
            return bool(self._claimed)

    def _lane(self) -> None:
        while not self._stop.is_set():
            job = self._jobs.claim(self._name, self._folders.has)
            if job is None:
                self._stop.wait(_POLL_S)
                continue
            claimed = ClaimedJob(job, self._jobs.holds)
            with self._lock:
                self._claimed[job.id] = claimed
            try:
                self._do(claimed)
            finally:
                with self._lock:
                    del self._claimed[job.id]

    def _do(self, claimed: ClaimedJob) -> None:
        job, folder = claimed.job, self._folders.of(claimed.job.request["folder"])
        started, result = time.monotonic(), None
        try:
            self._check_has(folder)
            result = self._perform(job, folder, claimed.tell)
            self._write_told(claimed)
            ended = self._jobs.finish(job, result)
        except JobGone:
            ended = False
        except SandboxError as error:
            say_internal(error)
            self.broken = error
            ended = self._jobs.fail(job, "The sandbox failed; this says nothing about the function.", "Ask again.")
        except (CleanroomError, Denied) as error:
            told = (naming_the_upload(text, folder.path, job.request) for text in said_of(error))
            ended = self._jobs.fail(job, *told)
        except Exception as error:  # noqa: BLE001 - a fault of ours ends this job and no other
            say_internal(error)
            ended = self._jobs.fail(job, "Something went wrong inside the service.", "Tell its operator.")
        if ended:
            self._on_end(JobEnd.of(job, result, time.monotonic() - started))
        now = self._jobs.get(job.id)
        if ended or (now is not None and now.state.over):
            folder.forget_sent()

    def _check_has(self, folder: JobFolder) -> None:
        """Raises UsageError where nobody has the files of a job that was taken all the same: it has waited long."""
        if not self._folders.has(folder.name):
            raise UsageError(
                "What was sent for the job is not in the folder of this service.",
                advice="Send it again; the operator of the service sees to it that its --state stays the same.",
            )

    def _tick(self) -> None:
        renew_at = time.monotonic() + self._jobs.limits.lease_s / 3
        while not self._over.wait(_TICK_S):
            with self._lock:
                claimed = list(self._claimed.values())
            renew = time.monotonic() > renew_at
            for one in claimed:
                try:
                    self._write_told(one)
                    held = self._jobs.renew(one.job) if renew else self._jobs.holds(one.job)
                    one.gone = one.gone or not held
                except CleanroomError as error:  # the database cannot be reached: the lease may outlast that
                    say_internal(error)
            if renew:
                renew_at = time.monotonic() + self._jobs.limits.lease_s / 3

    def _write_told(self, claimed: ClaimedJob) -> None:
        told = claimed.take_told()
        if told and not self._jobs.tell(claimed.job, told):
            claimed.gone = True
