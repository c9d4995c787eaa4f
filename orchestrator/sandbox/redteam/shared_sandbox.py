"""A Sandbox whose jobs share containers: for the controls, our own harmless programs. Wired by redteam_bootstrap.

A container per job would take most of the time of a control. Attacks never run here.
"""

from contextlib import AbstractContextManager, nullcontext

from orchestrator.core.jobs import GuestEnvironment, Job, JobResult
from orchestrator.core.kept_session import KeptSession
from orchestrator.core.ports import Sandbox, SandboxSession


class SharedSandbox:
    """One container per environment, opened when first needed and replaced when it breaks. Safe for threads."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._shared = {environment: KeptSession(sandbox) for environment in GuestEnvironment}

    def run(self, job: Job) -> JobResult:
        """Run the job beside others of its kind. Raises SandboxError when the infrastructure fails."""
        return self._shared[job.environment].run(job)

    def session(self, *, alone: bool = False) -> AbstractContextManager[SandboxSession]:
        return self._sandbox.session(alone=True) if alone else nullcontext(self)

    def close(self) -> None:
        """Destroy the containers. Idempotent."""
        for shared in self._shared.values():
            shared.close()
