"""Controls share containers, one per environment; a container that breaks is replaced."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from orchestrator.core.errors import GuestProtocolError
from orchestrator.core.jobs import GuestEnvironment, Job, JobResult, SandboxInfo
from orchestrator.sandbox.redteam.shared_sandbox import SharedSandbox

BREAKS = Job((), (), GuestEnvironment.CONFIRM)
WORKS = Job((), ())


class CountedSandbox:
    """Sessions that say when they begin and end, and in which every confirming job goes wrong."""

    def __init__(self) -> None:
        self.told: list[str] = []

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator["CountedSession"]:
        session = CountedSession(self.told)
        yield session
        self.told.append(f"ends {session.environment}")

    def run(self, job: Job) -> JobResult:
        raise NotImplementedError

    def close(self) -> None:
        pass


class CountedSession:
    """Begins with its first job."""

    def __init__(self, told: list[str]) -> None:
        self.environment: GuestEnvironment | None = None
        self._told = told

    def run(self, job: Job) -> JobResult:
        if self.environment is None:
            self.environment = job.environment
            self._told.append(f"begins {job.environment}")
        if job is BREAKS:
            raise GuestProtocolError("gone")
        return JobResult((), SandboxInfo())


def test_jobs_share_a_container_per_environment() -> None:
    """Two jobs run in the same container, which ends with the whole."""
    sandbox = CountedSandbox()
    shared = SharedSandbox(sandbox)
    shared.run(WORKS)
    shared.run(WORKS)
    shared.close()
    assert sandbox.told == ["begins first", "ends first"]


def test_a_container_that_broke_is_replaced() -> None:
    """The error is the caller's, and the next job gets a new container."""
    sandbox = CountedSandbox()
    shared = SharedSandbox(sandbox)
    for _ in range(2):
        with pytest.raises(GuestProtocolError):
            shared.run(BREAKS)
    assert sandbox.told == ["begins confirm", "ends confirm"] * 2
