"""The Sandbox port on a cluster: every job is a task of some worker. Made by cluster.py, used through the port.

What comes back is what a container wrote, unread, as from a sandbox of this machine.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from distributed import Client

from orchestrator.core.errors import SandboxError
from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.policy import Policy
from orchestrator.scale.dask_worker import end_session
from orchestrator.scale.task_frames import ClusterTask, release, write_task
from orchestrator.scale.task_sender import Placement, TaskSender

_MARGIN_S = 30.0  # for a container to start in


class ClusterSandbox:
    """Jobs under the policy's container, on any worker.

    Sessions of promoted functions have one container of each worker in common. A candidate's has one for each job, so
    that nothing that it leaves behind meets another function.
    """

    def __init__(self, client: Client, sender: TaskSender, policy: Policy) -> None:
        self._client = client
        self._sender = sender
        self._container = policy.container
        self._strict = policy.strict
        self._release = release()
        self._name = secrets.token_hex(8)
        self._used = self._closed = False

    def run(self, job: Job) -> JobResult:
        """Run the job in a container of its own. Raises SandboxError when the infrastructure fails."""
        return self.send(job, "", _Waiting())

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator["ClusterSession"]:
        """Several jobs; what waits for an answer when the block ends is given up."""
        waiting = _Waiting()
        try:
            yield ClusterSession(self, "" if alone else self._name, waiting)
        finally:
            waiting.over = True

    def send(self, job: Job, session: str, waiting: "_Waiting") -> JobResult:
        """The job as a task. Raises SandboxError."""
        self._used = self._used or bool(session)
        frame = write_task(ClusterTask(job, self._container, session, self._strict), self._release)
        longest = min(sum(child.limits.wall_s for child in job.children), self._container.lifetime_s)
        late_s = 2 * longest + _MARGIN_S  # another job may be before it
        place = Placement(not_on=job.not_on, on=job.on)
        return self._sender.send(frame, len(job.children), late_s, place, lambda: waiting.over or self._closed)

    def close(self) -> None:
        """Give up what is under way, and have the workers destroy their containers of it. Idempotent."""
        if self._closed:
            return
        self._closed = True
        if self._used and self._client.status == "running":
            with suppress(Exception):  # a worker that cannot be reached does it by itself after a while
                self._client.run(end_session, self._name, on_error="ignore")


class _Waiting:
    """Whether somebody still waits for the answers of a session."""

    over = False


class ClusterSession:
    """Jobs of promoted functions, or of one candidate. `name`: of their containers; empty: each job has its own."""

    def __init__(self, sandbox: ClusterSandbox, name: str, waiting: _Waiting) -> None:
        self._sandbox = sandbox
        self._name = name
        self._waiting = waiting

    def run(self, job: Job) -> JobResult:
        """Run one job, on any worker. Raises SandboxError when the infrastructure fails."""
        if self._waiting.over:
            raise SandboxError("the session is over")
        return self._sandbox.send(job, self._name, self._waiting)
