"""What a worker does with a task: runs its job in its own sandbox, and answers with what came out, unread.

Made by cluster_member.py, called by dask_worker.py, one task at a time. Whatever goes wrong becomes an answer; no
exception crosses the network.
"""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass

from orchestrator.core.errors import CleanroomError, PostureError, SandboxError
from orchestrator.core.jobs import JobResult, Limits
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import Sandbox, SandboxSession
from orchestrator.sandbox.broker.bounds import check_within
from orchestrator.scale.task_frames import ClusterTask, read_task, release, task_id, write_answer, write_error

_IDLE_S = 60.0  # a container that nobody sent a task for so long is destroyed; its coordinator may be gone


@dataclass
class _OpenSession:
    """Containers of one coordinator's session, all of one environment."""

    context: AbstractContextManager[SandboxSession]
    session: SandboxSession
    used: float


def _check_limits(asked: Limits, most: Limits) -> None:
    """Raises PostureError where a function would get more than the worker's policy gives.

    How long it may run by the clock is its coordinator's to say, who waits for it; the container's lifetime ends it.
    """
    for name in sorted(Limits.model_fields.keys() - {"wall_s"}):
        wanted, given = getattr(asked, name), getattr(most, name)
        if wanted > given:
            raise PostureError(
                f"a worker of the cluster refuses {name} {wanted:.15g}: it gives {given:.15g}.",
                advice="Ask for less in the policy, or start the worker with a policy that gives more (`--policy`).",
            )


class SandboxHost:
    """`policy`: the most that a task may ask for. `make`: the sandbox under a policy; it is made for the first task."""

    def __init__(self, policy: Policy, make: Callable[[Policy], Sandbox]) -> None:
        self._policy = policy
        self._make = make
        self._release = release()
        self._lock = threading.RLock()
        self._sandbox: Sandbox | None = None
        self._container: ContainerPolicy | None = None
        self._sessions: dict[tuple[str, str], _OpenSession] = {}
        self._closed = False

    def run(self, frame: bytes, worker: str) -> bytes:
        """The answer to a task. `worker`: the address of this one."""
        task = task_id(frame)
        try:
            return write_answer(task, worker, self._run(read_task(frame, self._release)))
        except CleanroomError as error:
            return write_error(task, worker, error)
        except Exception as error:  # noqa: BLE001 - foreign exceptions would travel as pickles
            return write_error(task, worker, SandboxError(f"A worker failed: {type(error).__name__}: {error}"))

    def end(self, session: str) -> None:
        """Destroy the containers of a session; of a coordinator that has done, or is gone."""
        with self._lock:
            for key in [key for key in self._sessions if key[0] == session]:
                self._drop(key)

    def end_idle(self) -> None:
        """Destroy the containers that nobody has asked for lately."""
        late = time.monotonic() - _IDLE_S
        with self._lock:
            for key in [key for key, one in self._sessions.items() if one.used < late]:
                self._drop(key)

    def close(self) -> None:
        """Destroy every container; a task that is under way ends as an error. Idempotent."""
        with self._lock:
            self._closed = True
            self._let_go()

    def _run(self, task: ClusterTask) -> JobResult:
        if task.strict and not self._policy.strict:
            raise PostureError(
                "strict: a worker of the cluster was started without --strict.", advice="Start all of them with it."
            )
        check_within(task.container, self._policy.container)
        for child in task.job.children:
            _check_limits(child.limits, self._policy.limits)
        with self._lock:
            sandbox = self._current(task.container)
            session = self._open(sandbox, task) if task.session else None
        if session is None:
            return sandbox.run(task.job)
        try:
            return session.session.run(task.job)
        except SandboxError:
            self.end(task.session)
            raise
        finally:
            session.used = time.monotonic()

    def _current(self, container: ContainerPolicy) -> Sandbox:
        """The sandbox for this policy; one for another policy goes."""
        if self._closed:
            raise SandboxError("The worker is ending.")
        if self._sandbox is None or container != self._container:
            self._let_go()
            self._sandbox = self._make(self._policy.model_copy(update={"container": container}))
            self._container = container
        return self._sandbox

    def _open(self, sandbox: Sandbox, task: ClusterTask) -> _OpenSession:
        key = (task.session, str(task.job.environment))
        if key not in self._sessions:
            context = sandbox.session()
            self._sessions[key] = _OpenSession(context, context.__enter__(), 0.0)
        self._sessions[key].used = float("inf")
        return self._sessions[key]

    def _drop(self, key: tuple[str, str]) -> None:
        one = self._sessions.pop(key)
        with suppress(CleanroomError):
            one.context.__exit__(None, None, None)

    def _let_go(self) -> None:
        for key in list(self._sessions):
            self._drop(key)
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.close()
