"""Runs probes in a container of the sandbox image with declared locks lifted: the positive controls of denials.

Our own text only, never a candidate. The container has no network and no mounts either, and its guest does not run.
Called by redteam_runner.py through redteam_bootstrap.
"""

import json
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
from orchestrator.sandbox.posture.environments import clock
from orchestrator.sandbox.posture.posture import SCRATCH, Posture, render
from orchestrator.sandbox.redteam.attack import LiftedLock

_MOST = 65_536
_GUESTS_OWN = clock(GuestEnvironment.FIRST)  # the library of the clock breaks `time.sleep`, which the guest replaces
_WALL_S = 30.0
_EACH_S = 10.0
_CAPABILITIES = (  # not ALL: an engine in a virtual machine or a container often lacks one itself
    "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "MKNOD", "NET_ADMIN", "NET_RAW", "SETGID", "SETUID",
    "SETPCAP", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO",
    "SYS_TIME", "SYSLOG",
)  # fmt: skip


# Runs each source in a process of its own and prints, as JSON, the last line that each printed.
_ONE_BY_ONE = """
import json, os, select, signal, sys, time
for source in sys.argv[1:]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.close(reader)
        os.dup2(writer, 1)
        os.close(writer)
        try:
            exec(compile(source, "probe", "exec"), {"__name__": "__main__"})
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.close(writer)
    printed, deadline = b"", time.monotonic() + WALL_S
    while select.select([reader], [], [], max(0, deadline - time.monotonic()))[0]:
        part = os.read(reader, 4096)
        if not part or len(printed) > MOST:
            break
        printed += part
    os.close(reader)
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        pass
    os.waitpid(child, 0)
    lines = [line for line in printed.decode(errors="replace").split(chr(10)) if line.strip()]
    print(json.dumps(lines[-1] if lines else ""), flush=True)
"""


class UnlockedContainers:
    """Makes one container per call."""

    def __init__(self, policy: ContainerPolicy, image: str, run_id: str) -> None:
        self._posture = Posture.of(policy, image, GuestEnvironment.FIRST)
        self._run_id = run_id
        self._engine = Engine()

    def run(self, sources: Sequence[str], lifts: Sequence[LiftedLock]) -> list[str]:
        """The last line that each program printed; "" when there is none. A single one is the container's first
        process; several run one after the other in a process each.
        """
        if len(sources) == 1:
            return [_last_line(self._printed([sources[0]], lifts, _WALL_S))]
        program = _ONE_BY_ONE.replace("WALL_S", str(_EACH_S)).replace("MOST", str(_MOST))
        printed = self._printed([program, *sources], lifts, _WALL_S + _EACH_S * len(sources))
        said = [_said(line) for line in printed.splitlines()[: len(sources)]]
        return said + [""] * (len(sources) - len(said))

    def close(self) -> None:
        self._engine.close()

    def _printed(self, program: Sequence[str], lifts: Sequence[LiftedLock], wall_s: float) -> str:
        body = render(self._posture, labels(self._run_id, GuestEnvironment.FIRST, 2 * wall_s))
        body |= {"Entrypoint": ["/usr/bin/python3", "-s", "-P", "-B", "-c", *program]}
        body["Env"] = [value for value in body["Env"] if value.partition("=")[0] not in _GUESTS_OWN]
        for lift in lifts:
            _lift(body, lift)
        identity = self._engine.create(body)
        try:
            stream = AttachStream(self._engine.attach(identity))
            try:
                self._engine.start(identity)
                return _read(stream, wall_s).decode(errors="replace")
            finally:
                stream.close()
        finally:
            with suppress(CleanroomError):
                self._engine.remove(identity)


def _lift(body: dict[str, Any], lift: LiftedLock) -> None:
    host = body["HostConfig"]
    if lift is LiftedLock.SECCOMP:
        host["SecurityOpt"] = [o for o in host["SecurityOpt"] if not o.startswith("seccomp=")] + ["seccomp=unconfined"]
    elif lift is LiftedLock.CAPABILITIES:
        host |= {"CapAdd": list(_CAPABILITIES), "CapDrop": []}
        body["User"] = "0:0"
    elif lift is LiftedLock.READ_ONLY:
        host["ReadonlyRootfs"] = False
    elif lift is LiftedLock.IPC:
        host["IpcMode"] = "private"
    elif lift is LiftedLock.LIMITS:
        host["Ulimits"] = [limit for limit in host["Ulimits"] if limit["Name"] in ("core", "nofile")]
    elif lift is LiftedLock.EXEC:
        host["Tmpfs"] = {SCRATCH: host["Tmpfs"][SCRATCH].replace("noexec,", "exec,").replace("nodev,", "dev,")}
    else:
        host |= {"MaskedPaths": [], "ReadonlyPaths": []}


def _read(stream: AttachStream, wall_s: float) -> bytes:
    deadline = time.monotonic() + wall_s
    printed = b""
    try:
        while len(printed) < _MOST and (part := stream.receive(4096, deadline)):
            printed += part
    except (TimeoutError, GuestProtocolError):
        return printed
    return printed


def _last_line(printed: str) -> str:
    return next((line for line in reversed(printed.split("\n")) if line.strip()), "")


def _said(line: str) -> str:
    try:
        return str(json.loads(line))
    except ValueError:
        return ""
