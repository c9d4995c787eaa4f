"""The container in which promoted functions run on a candidate's result. Called by `execution`.

The candidate itself is never in it: only functions that passed the gate run here, on data. It is therefore kept from
one verdict to the next, which saves every verdict a container.
"""

import threading
from contextlib import ExitStack

from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.ports import Sandbox, SandboxSession


class PromotedSession:
    """A session that is opened when first needed and replaced when it breaks. Safe for threads."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._session: SandboxSession | None = None

    def run(self, job: Job) -> JobResult:
        """Run one job of promoted functions. Raises SandboxError; the next call starts afresh."""
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
