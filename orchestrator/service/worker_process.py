"""The process that carries out jobs, and what keeps one running. Started by `serve`; `python -m` runs this module.

The service's HTTP side reads no data file and has no rights on the engine's socket to use; what it and the worker know
of each other are the rows of the queue, and two pipes: the end of the worker's input tells it to stop, and a word
before it that the service ends in order; its output says whether it has a proved sandbox.
"""

import json
import os
import secrets
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orchestrator.core.errors import CleanroomError, SandboxError
from orchestrator.data.disposable.own_process import own_command
from orchestrator.data.unpacking import BYTES_VARIABLE
from orchestrator.data.user_files.policy_file import read_policy
from orchestrator.registry.location import registry_url
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import QueueLimits
from orchestrator.service.job_worker import JobEnd
from orchestrator.service.problems import say_internal
from orchestrator.service.service_settings import ServiceSettings

if TYPE_CHECKING:
    from orchestrator.service.metrics import ServiceMetrics

_UNPACKED = 16
_IN_ORDER = "stop\n"
"""Before the end of the worker's input: without it, the service was killed, perhaps because of what it had begun."""
_telling = threading.Lock()
_CLOSING_S = 1.0  # for destroying containers, after the jobs have ended or were handed back
_NICE = 10  # who asks how a job stands is answered before the machine goes on with the job
_AGAIN_S = 5.0  # between attempts to get at a sandbox, and to start a worker that died


class WorkerProcess:
    """A worker that is started again when it dies. `ready`: it has a sandbox that was proved."""

    def __init__(self, settings: ServiceSettings, jobs: JobStore) -> None:
        self._settings, self._jobs = settings, jobs
        self._stopping = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._keep, name="service-worker", daemon=True)
        self._kill_at = 0.0
        self.ready, self.problem = False, "The worker is starting."
        self.metrics: ServiceMetrics | None = None

    def start(self) -> None:
        self._thread.start()

    def begin_to_stop(self) -> None:
        """Tell it to finish, or to hand back what it has; returns at once."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        self._kill_at = time.monotonic() + self._settings.drain_s + _CLOSING_S
        with self._lock:
            process = self._process
        if process is not None and process.stdin is not None:
            with suppress(OSError, ValueError):  # it has died, or its pipe is closed for that already
                process.stdin.write(_IN_ORDER)
            with suppress(OSError):
                process.stdin.close()

    def stop(self) -> None:
        """The same, and wait for it as long as is allowed; then end it."""
        self.begin_to_stop()
        with self._lock:
            process = self._process
        if process is None:
            return
        try:
            process.wait(max(0.0, self._kill_at - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
        self._thread.join(1.0)

    def _keep(self) -> None:
        while not self._stopping.is_set():
            name = f"{os.getpid()}-{secrets.token_hex(6)}"
            with self._lock:
                if self._stopping.is_set():
                    return
                self._process = subprocess.Popen(  # noqa: S603 - this module
                    own_command("orchestrator.service.worker_process"),
                    env=self._surroundings(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    start_new_session=True,  # a terminal's Ctrl-C is for the service alone, which ends it in order
                )
            with self._process as process:
                self._follow(process, name)
            self.ready, self.problem = False, "The worker has died, and is started again."
            if self.metrics is not None:
                self.metrics.containers(0)  # they go with it
            with suppress(CleanroomError):
                self._jobs.hand_back(name, died=not self._stopping.is_set())
            self._stopping.wait(_AGAIN_S)

    def _surroundings(self) -> dict[str, str]:
        """A packed upload may hold more than one that is not, within reason, unless the operator has said how much."""
        return {BYTES_VARIABLE: str(_UNPACKED * self._settings.max_upload)} | os.environ

    def _follow(self, process: "subprocess.Popen[str]", name: str) -> None:
        assert process.stdin is not None  # noqa: S101 - it was asked for
        assert process.stdout is not None  # noqa: S101
        with suppress(OSError):
            process.stdin.write(json.dumps({"name": name} | plain_of(self._settings)) + "\n")
            process.stdin.flush()
        for line in process.stdout:
            told = json.loads(line)
            if "end" in told:
                self._ended(JobEnd(**told["end"]))
            elif "ready" in told:
                self.ready, self.problem = told["ready"], told["problem"]
            elif self.metrics is not None and "containers" in told:
                self.metrics.containers(told["containers"])

    def _ended(self, end: JobEnd) -> None:
        if self.metrics is not None:
            self.metrics.ended(end)
        if self._settings.log_json:
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            sys.stderr.write(json.dumps({"at": at, "level": "info", "event": "job"} | asdict(end)) + "\n")


class _Stopping(threading.Event):
    """Set when the service has ended. `killed`: it had no time to say so, and what it was at counts as begun."""

    killed = False

    def wait_for_the_end(self) -> None:
        self.killed = sys.stdin.read() != _IN_ORDER
        self.set()


def plain_of(settings: ServiceSettings) -> dict[str, Any]:
    """The settings as JSON."""
    return {
        name: str(value) if isinstance(value, Path) else list(value) if isinstance(value, tuple) else value
        for name, value in asdict(settings).items()
    }


def settings_of(plain: dict[str, Any]) -> ServiceSettings:
    paths = {name: plain[name] and Path(plain[name]) for name in ("state", "policy", "opened")}
    return ServiceSettings(**plain | paths | {"hosts": tuple(plain["hosts"]), "queue": QueueLimits(**plain["queue"])})


def main() -> None:
    """Work until the input ends."""
    os.nice(_NICE)
    plain = json.loads(sys.stdin.readline())
    name, settings = plain.pop("name"), settings_of(plain)
    stopping = _Stopping()
    threading.Thread(target=stopping.wait_for_the_end, daemon=True).start()
    jobs = JobStore(registry_url(settings.jobs_in, create=False), settings.queue)
    while not stopping.is_set():
        try:
            _work(name, settings, jobs, stopping)
        except CleanroomError as error:
            _say(ready=False, problem=error.message)
            _tell({"containers": 0})
            say_internal(error)
            stopping.wait(_AGAIN_S)
    os._exit(0)  # threads that are still at a job have been told that it is not theirs any more


def _work(name: str, settings: ServiceSettings, jobs: JobStore, stopping: "_Stopping") -> None:
    """With one sandbox: prove it, then carry out jobs until that is to end, or the sandbox is lost."""
    from orchestrator import bootstrap
    from orchestrator.run.telemetry.otlp import watched
    from orchestrator.sandbox.access import prove_sandbox
    from orchestrator.service.job_execution import JobExecutor
    from orchestrator.service.job_worker import JobWorker
    from orchestrator.service.uploads import JobFolders

    policy = read_policy(settings.policy, strict=settings.strict)
    prove_sandbox(policy)
    with watched(None) as watcher, bootstrap.sandboxed(policy) as services:

        def say_end(end: JobEnd) -> None:
            _tell({"end": asdict(end)})

        perform = JobExecutor(services, settings.registry, watcher).perform
        worker = JobWorker(jobs, JobFolders(settings.state), perform, name=name, lanes=settings.lanes, on_end=say_end)
        working = threading.Thread(target=worker.run, name="service-lanes", daemon=True)
        working.start()
        _say(ready=True, problem="")
        told = 0
        while working.is_alive() and not stopping.wait(0.2):
            if (containers := getattr(services.sandbox, "containers", 0)) != told:
                told = containers
                _tell({"containers": told})
            if worker.broken is not None:
                worker.stop()
        worker.stop()
        deadline = time.monotonic() + settings.drain_s
        while working.is_alive() and worker.busy and time.monotonic() < deadline:
            time.sleep(0.05)
        if stopping.is_set():
            jobs.hand_back(name, died=stopping.killed)
            services.sandbox.close()
            return
        working.join()
        raise worker.broken or SandboxError("The worker's lanes have ended.")


def _say(*, ready: bool, problem: str) -> None:
    _tell({"ready": ready, "problem": problem})


def _tell(told: dict[str, Any]) -> None:
    """One line, whole also where several lanes end at once."""
    with _telling:
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
