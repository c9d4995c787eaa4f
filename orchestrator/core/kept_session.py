"""One container that is kept from one job to the next. Called by the gate and by the red team's controls."""

import threading
from contextlib import ExitStack

from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.ports import Sandbox, SandboxSession


class KeptSession:
    """A session that is opened when first needed and replaced when it breaks. Safe for threads.

    A candidate never runs in it: only functions that passed the gate, on data, and programs of our own.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._session: SandboxSession | None = None

    def run(self, job: Job) -> JobResult:
        """Run one job. Raises SandboxError; the next call starts afresh."""
        with self._lock:
            try:
                if self._session is None:
                    self._session = self._stack.enter_context(self._sandbox.session())
                return self._session.run(job)
            except BaseException:  # an interrupt, too, leaves a container in the middle of a job
                self._end()
                raise

    def close(self) -> None:
        """Destroy the container. Idempotent; the object can be used again."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._session = None
        self._stack.close()
