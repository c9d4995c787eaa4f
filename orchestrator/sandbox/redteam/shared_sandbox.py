"""A Sandbox whose jobs share containers: for the controls, our own harmless programs. Wired by redteam_bootstrap.

A container per job would take most of the time of a control. Attacks never run here.
"""

import threading
from contextlib import AbstractContextManager, ExitStack, nullcontext

from orchestrator.core.jobs import GuestEnvironment, Job, JobResult
from orchestrator.core.ports import Sandbox, SandboxSession


class SharedSandbox:
    """One container per environment, opened when first needed and replaced when it breaks. Safe for threads."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._shared = {environment: _Shared(sandbox) for environment in GuestEnvironment}

    def run(self, job: Job) -> JobResult:
        """Run the job beside others of its kind. Raises SandboxError when the infrastructure fails."""
        return self._shared[job.environment].run(job)

    def session(self, *, alone: bool = False) -> AbstractContextManager[SandboxSession]:
        return self._sandbox.session(alone=True) if alone else nullcontext(self)

    def close(self) -> None:
        """Destroy the containers. Idempotent."""
        for shared in self._shared.values():
            shared.close()


class _Shared:
    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._session: SandboxSession | None = None

    def run(self, job: Job) -> JobResult:
        with self._lock:
            try:
                if self._session is None:
                    self._session = self._stack.enter_context(self._sandbox.session())
                return self._session.run(job)
            except BaseException:
                self._end()
                raise

    def close(self) -> None:
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._session = None
        self._stack.close()
