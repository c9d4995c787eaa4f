"""Runs a probe in a container of the sandbox image with declared locks lifted: the positive control of a denial.

Our own text only, never a candidate. The container has no network and no mounts either, and its guest does not run.
Called by runner.py through bootstrap.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from orchestrator.core.errors import CleanroomError, GuestProtocolError
from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.policy import ContainerPolicy
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import labels
from orchestrator.sandbox.containers.stream import AttachStream
from orchestrator.sandbox.posture.posture import SCRATCH, Posture, render
from orchestrator.sandbox.redteam.attack import Lift

_MOST = 65_536
_WALL_S = 30.0
_CAPABILITIES = (  # not ALL: an engine in a virtual machine or a container often lacks one itself
    "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "MKNOD", "NET_ADMIN", "NET_RAW", "SETGID", "SETUID",
    "SETPCAP", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO",
    "SYS_TIME", "SYSLOG",
)  # fmt: skip


class UnlockedContainers:
    """Makes one container per call."""

    def __init__(self, policy: ContainerPolicy, image: str, run_id: str) -> None:
        self._posture = Posture.of(policy, image, GuestEnvironment.FIRST)
        self._run_id = run_id
        self._engine = Engine()

    def run(self, source: str, lifts: Sequence[Lift]) -> str:
        """The last line that the program printed; "" when there is none."""
        body = render(self._posture, labels(self._run_id, GuestEnvironment.FIRST, 2 * _WALL_S))
        body |= {"Entrypoint": ["/usr/bin/python3", "-s", "-P", "-B", "-c", source]}
        for lift in lifts:
            _lift(body, lift)
        identity = self._engine.create(body)
        try:
            stream = AttachStream(self._engine.attach(identity))
            try:
                self._engine.start(identity)
                printed = _read(stream)
            finally:
                stream.close()
        finally:
            with suppress(CleanroomError):
                self._engine.remove(identity)
        lines = printed.decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        self._engine.close()


def _lift(body: dict[str, Any], lift: Lift) -> None:
    host = body["HostConfig"]
    if lift is Lift.SECCOMP:
        host["SecurityOpt"] = [o for o in host["SecurityOpt"] if not o.startswith("seccomp=")] + ["seccomp=unconfined"]
    elif lift is Lift.CAPABILITIES:
        host |= {"CapAdd": list(_CAPABILITIES), "CapDrop": []}
        body["User"] = "0:0"
    elif lift is Lift.READ_ONLY:
        host["ReadonlyRootfs"] = False
    elif lift is Lift.IPC:
        host["IpcMode"] = "private"
    elif lift is Lift.LIMITS:
        host["Ulimits"] = [limit for limit in host["Ulimits"] if limit["Name"] in ("core", "nofile")]
    elif lift is Lift.EXEC:
        host["Tmpfs"] = {SCRATCH: host["Tmpfs"][SCRATCH].replace("noexec,", "exec,").replace("nodev,", "dev,")}
    else:
        host |= {"MaskedPaths": [], "ReadonlyPaths": []}


def _read(stream: AttachStream) -> bytes:
    deadline = time.monotonic() + _WALL_S
    printed = b""
    try:
        while len(printed) < _MOST and (part := stream.receive(4096, deadline)):
            printed += part
    except (TimeoutError, GuestProtocolError):
        return printed
    return printed
