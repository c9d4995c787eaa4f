"""LocalSandbox: the shipped fake of the Sandbox port. For tests of other packages ONLY: it isolates nothing.

It runs the very same guest program as an ordinary subprocess of this Python, so that a gate or a loop can be tested
without an engine and in milliseconds. Code that it runs can do whatever the test process can do. `bootstrap` never
wires it.
"""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

from orchestrator.core.errors import GuestProtocolError, SandboxError
from orchestrator.core.jobs import GuestEnvironment, Job, JobResult, SandboxInfo
from orchestrator.data.assets import asset
from orchestrator.sandbox.containers.wire import Reply, encode_job, read_ready, read_reply
from orchestrator.sandbox.posture.environments import PYTHON_FLAGS, guest_variables

_INFO = SandboxInfo(engine="none", runtime="none", image="", isolation="none")
_START_S = 60.0
_LIFETIME_S = 600.0


class LocalSandbox:
    """Runs jobs in subprocesses without isolation. `warm`: reuse one process per environment (about 20 ms a job)."""

    def __init__(self, *, warm: bool = True) -> None:
        self._warm = warm
        self._idle: dict[GuestEnvironment, _Guest] = {}
        self._closed = False

    def run(self, job: Job) -> JobResult:
        """Run the job. Raises GuestProtocolError when the guest breaks."""
        started = time.monotonic()
        guest = self._take(job.environment)
        waited = time.monotonic() - started
        usable = False
        try:
            reply = guest.run(job)
            usable = reply.reusable
        finally:
            self._give_back(job.environment, guest, usable=usable)
        return JobResult(reply.children, _INFO, waited, time.monotonic() - started - waited)

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator[Self]:  # noqa: ARG002 - nothing is isolated here
        """Jobs of one session; here no different from single jobs."""
        yield self

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.popitem()[1].stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, environment: GuestEnvironment) -> "_Guest":
        if self._closed:
            raise SandboxError("the sandbox is closed")
        guest = self._idle.pop(environment, None)
        if guest is not None and guest.alive():
            return guest
        if guest is not None:
            guest.stop()
        return _Guest(environment)

    def _give_back(self, environment: GuestEnvironment, guest: "_Guest", *, usable: bool) -> None:
        if usable and self._warm and not self._closed and environment not in self._idle:
            self._idle[environment] = guest
        else:
            guest.stop()


class _Guest:
    """One guest process."""

    def __init__(self, environment: GuestEnvironment) -> None:
        self._born = time.monotonic()
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own file
            [sys.executable, *PYTHON_FLAGS, str(asset("sandbox_image") / "guest.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=guest_variables(environment, _LIFETIME_S, "filter=off,landlock=off"),
            start_new_session=True,
        )
        try:
            read_ready(self._receive, time.monotonic() + _START_S)
        except BaseException:
            self.stop()
            raise

    def alive(self) -> bool:
        return self._process.poll() is None and time.monotonic() - self._born < _LIFETIME_S / 2

    def run(self, job: Job) -> Reply:
        wall = sum(child.limits.wall_s for child in job.children)
        deadline = time.monotonic() + wall + 10 + len(job.children)
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - opened with PIPE above
        try:
            stdin.writelines(encode_job(job))
            stdin.flush()
            return read_reply(self._receive, deadline, job)
        except OSError as error:
            raise GuestProtocolError(f"the local sandbox broke: {type(error).__name__}") from error

    def stop(self) -> None:
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):  # what was not yet sent is lost, as it should be
                    stream.close()
        self._process.wait()

    def _receive(self, most: int, deadline: float) -> bytes:
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101 - opened with PIPE above
        if not select.select([stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise TimeoutError
        return os.read(stdout.fileno(), most)
