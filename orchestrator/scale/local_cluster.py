"""A scheduler and workers on this machine for one command, as processes that end with it. Called by cluster.py.

They speak TLS with certificates made for the occasion: any user of a machine may connect to its loopback.
"""

import json
import select
import subprocess
import time
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from orchestrator.core import errors
from orchestrator.core.errors import CleanroomError, OutputError, SandboxError
from orchestrator.core.policy import Policy
from orchestrator.data.disposable.own_process import own_command
from orchestrator.scale.certificates import make_certificates
from orchestrator.scale.cluster_member import MemberOptions

_HOST = "127.0.0.1"
_START_S = 120.0
_END_S = 20.0
_LARGEST = 2**16
_ROOM = "Free some space in the folder of temporary files, or set TMPDIR to another folder."


class LocalMembers(AbstractContextManager["LocalMembers"]):
    """`count` workers of this policy. `address`: of their scheduler; `client`: the certificates to speak to it with."""

    def __init__(self, count: int, policy: Policy) -> None:
        self._stack = ExitStack()
        self._members: list[_Member] = []
        self.address = ""
        try:
            own = self._scratch()
            folder = own / "certificates"
            self._stack.callback(self._end)
            self.client = folder / "client"
            scheduler = self._start(MemberOptions(tls=folder / "scheduler", listen=_HOST, scratch=own))
            self.address = scheduler.address()
            worker = MemberOptions(
                tls=folder / "worker", scheduler=self.address, listen=_HOST, policy=policy, scratch=own
            )
            workers = [self._start(worker) for _ in range(count)]
            for one in workers:
                one.address()
        except BaseException:
            self._stack.close()
            raise

    @property
    def pids(self) -> tuple[int, ...]:
        """Of the scheduler, then of the workers."""
        return tuple(member.process.pid for member in self._members)

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _scratch(self) -> Path:
        """A folder of temporary files, with certificates. Raises OutputError."""
        try:
            own = Path(self._stack.enter_context(TemporaryDirectory(prefix="cleanroom-cluster-")))
            make_certificates(own / "certificates", days=7)
        except OSError as error:
            raise OutputError(
                f"The cluster's files cannot be written: {error.strerror or error}.", advice=_ROOM
            ) from error
        except OutputError as error:
            raise OutputError(error.message, advice=_ROOM) from error
        return own

    def _start(self, options: MemberOptions) -> "_Member":
        member = _Member(options)
        self._members.append(member)
        return member

    def _end(self) -> None:
        """The workers first, all at once: each of them destroys its containers."""
        scheduler, workers = self._members[:1], self._members[1:]
        for group in (workers, scheduler):
            for member in group:
                member.ask_to_end()
            deadline = time.monotonic() + _END_S
            for member in group:
                member.end(deadline)


class _Member:
    def __init__(self, options: MemberOptions) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            own_command("orchestrator.scale.cluster_member"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the command alone, which ends them in order
        )
        try:
            assert self.process.stdin is not None  # noqa: S101 - opened with PIPE above
            self.process.stdin.write(options.model_dump_json().encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise SandboxError("A process of the cluster ended at its start.") from error

    def address(self) -> str:
        """Where it can be reached, once it is ready. Raises what went wrong with it."""
        out = self.process.stdout
        assert out is not None  # noqa: S101 - opened with PIPE above
        line = out.readline(_LARGEST) if select.select([out], [], [], _START_S)[0] else b""
        try:
            said = json.loads(line)
        except ValueError:
            raise SandboxError(
                "A process of the cluster did not start.", advice="See whether the machine has memory left."
            ) from None
        if "error" in said:
            kind = getattr(errors, said["error"], SandboxError)
            known = isinstance(kind, type) and issubclass(kind, CleanroomError)
            raise (kind if known else SandboxError)(said["message"], advice=said["advice"])
        return str(said["address"])

    def ask_to_end(self) -> None:
        assert self.process.stdin is not None  # noqa: S101 - opened with PIPE above
        with suppress(OSError):  # it is gone already
            self.process.stdin.close()

    def end(self, deadline: float) -> None:
        try:
            self.process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        finally:
            if self.process.stdout is not None:
                self.process.stdout.close()
