"""The Sandbox port on a container engine. Wired by access.py, used by gate and run through the port.

Every job gets a container that has never run anything and that is destroyed afterwards, whatever happens. Retries of
infrastructure failures are the gate's business.
"""

import atexit
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Self

from orchestrator.core.errors import GuestProtocolError
from orchestrator.core.jobs import GuestEnvironment, Job, JobResult, SandboxInfo
from orchestrator.core.policy import Policy
from orchestrator.sandbox.containers.container import Container, budget
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.launcher import DirectLauncher, Launcher
from orchestrator.sandbox.containers.pool import Pool
from orchestrator.sandbox.containers.reaper import reap
from orchestrator.sandbox.posture.posture import Posture

_SESSION_S = 30.0  # a session's container is replaced when it would not live so much longer than its next job
_TURNS = 2
_SHARE = 0.5  # of a container's life: what a job is given for sure, however long its limits would let it run


class DockerSandbox:
    """Containers of `image` (an id) under the policy's limits. Raises EngineUnavailable.

    `light`: the first jobs are expected to need no pandas. `expected`: how many containers there will be work for.
    `libraries`: what the image has, for verdicts (`Recipe.libraries`).
    `launcher`: where containers come from, if not from this process's own rights on the engine. With these, what a
    crash left behind is removed first, and under a strict policy the whole posture is proved (1 s): PostureError when
    anything is otherwise or missing.
    """

    def __init__(
        self,
        policy: Policy,
        image: str,
        run_id: str = "",
        *,
        libraries: str = "",
        light: bool = False,
        expected: Mapping[GuestEnvironment, int] | None = None,
        launcher: Launcher | None = None,
    ) -> None:
        limits = policy.container
        self._postures = {environment: Posture.of(limits, image, environment) for environment in GuestEnvironment}
        self._run_id = run_id
        self._sure_s = limits.lifetime_s * _SHARE
        self._most_s = min(limits.job_s, self._sure_s)
        self._launcher = launcher or _own_rights(policy, image)
        self._inspected: set[Posture] = set()
        self._info = SandboxInfo(engine="docker", runtime=limits.runtime, image=image, libraries=libraries)
        confirming = (GuestEnvironment.CONFIRM, GuestEnvironment.CONFIRM_LIGHT)
        sizes = {environment: 1 if environment in confirming else limits.pool_size for environment in GuestEnvironment}
        workers = max(1, min(limits.pool_size, os.cpu_count() or 1))
        self._pool = Pool(self._make, sizes, workers, light=light, expected=expected)
        # However many callers there are, so many containers are at work at once; the others wait their turn. A job
        # needs no second container, and sessions take no turn, so nobody can wait for himself.
        self._turns = threading.BoundedSemaphore(_TURNS * max(limits.pool_size, os.cpu_count() or 1))
        atexit.register(self.close)

    def run(self, job: Job) -> JobResult:
        """Run the job in a container of its own. Raises SandboxError when the infrastructure fails."""
        started = time.monotonic()
        budget_s = budget(job, self._most_s)
        with self._turns:
            container = self._pool.acquire(job.environment, budget_s)
            try:
                acquired = time.monotonic()
                reply = container.run(job, budget_s)
                info = _in(self._info, container)
                return JobResult(reply.children, info, acquired - started, time.monotonic() - acquired)
            finally:
                self._pool.discard(container)

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator["DockerSession"]:  # noqa: ARG002 - each is
        """Containers of this session's own, one at a time; destroyed at the end of the block."""
        info = self._info.model_copy(update={"isolation": "session"})
        session = DockerSession(self._pool, self._most_s, self._sure_s, info)
        try:
            yield session
        finally:
            session.close()

    @property
    def containers(self) -> int:
        """How many there are, waiting, at work or about to be destroyed."""
        return self._pool.size

    def close(self) -> None:
        """Destroy every container that is left and wait until it is gone. Idempotent."""
        atexit.unregister(self.close)
        self._pool.close()
        self._launcher.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _make(self, environment: GuestEnvironment) -> Container:
        posture = self._postures[environment]
        container = Container.start(self._launcher, posture, self._run_id, inspect=posture not in self._inspected)
        self._inspected.add(posture)
        return container


class DockerSession:
    """One container for several jobs.

    A fresh one takes over before its life ends, when it is no longer clean, and for a job of another environment.
    """

    def __init__(self, pool: Pool, most_s: float, sure_s: float, info: SandboxInfo) -> None:
        self._pool = pool
        self._most_s = most_s
        self._sure_s = sure_s
        self._info = info
        self._container: Container | None = None

    def run(self, job: Job) -> JobResult:
        """Run one job. Raises SandboxError when the infrastructure fails; the session is then over."""
        started = time.monotonic()
        budget_s = budget(job, self._most_s)
        container = self._current(job.environment, min(budget_s + _SESSION_S, self._sure_s))
        acquired = time.monotonic()
        try:
            reply = container.run(job, budget_s)
        except GuestProtocolError:
            self.close()
            raise
        if not reply.reusable:
            self.close()
        info = _in(self._info, container)
        return JobResult(reply.children, info, acquired - started, time.monotonic() - acquired)

    def close(self) -> None:
        container, self._container = self._container, None
        if container is not None:
            self._pool.discard(container)

    def _current(self, environment: GuestEnvironment, needed_s: float) -> Container:
        there = self._container
        if there is not None and not (there.posture.environment is environment and there.usable(needed_s)):
            self.close()
        if self._container is None:
            self._container = self._pool.acquire(environment, needed_s, at_once=False)
        return self._container


def _own_rights(policy: Policy, image: str) -> Launcher:
    engine = Engine()
    reap(engine)
    if policy.strict:
        from orchestrator.sandbox.posture.proof.prove import prove, require  # it brings Arrow, which starting does not

        require(prove(engine, policy, image))
    return DirectLauncher(engine)


def _in(info: SandboxInfo, container: Container) -> SandboxInfo:
    return info.model_copy(update={"hash_seeds": (container.hash_seed,)})
