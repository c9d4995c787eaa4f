"""Runs scripts of the corpus on the host, each in a process and a folder of its own. Wired by redteam_bootstrap.

These are our own programs: they attack what stands around the sandbox (owner processes, engine calls, registry,
command line) with the means of someone who may. Their processes are forked by `script_server`.
"""

import json
import os
import select
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from orchestrator.core.errors import SandboxError
from orchestrator.data.disposable.own_process import own_command

_WALL_S = 300.0  # ends what hangs; an attack that is late is told by the runner
_ROOT = Path(__file__).resolve().parents[3]
USUAL_MODULES = (
    "docker",
    "orchestrator.bootstrap",
    "orchestrator.cli.verify_command",
    "orchestrator.data.disposable.proof",
    "orchestrator.data.user_files.policy_file",
    "orchestrator.registry.bundle_signature",
    "orchestrator.registry.store",
    "orchestrator.run.apply.apply",
    "orchestrator.run.services",
    "orchestrator.sandbox.access",
    "orchestrator.sandbox.containers.docker_sandbox",
    "orchestrator.sandbox.provision.image_id",
    "pyarrow.dataset",
    "sqlalchemy.dialects.sqlite",
)
"""What most scripts import; by name, since nothing of it is imported here."""
_ONE_THREAD = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Set before the imports: a thread of the server would be lost, and its locks left held, by fork."""


class ScriptRunner:
    """Runs scripts, several at a time when several threads ask. `modules` are imported before the first one."""

    def __init__(self, image: str, runtime: str, modules: Sequence[str] = ()) -> None:
        self._environment = os.environ | {
            "PYTHONPATH": str(_ROOT),
            "PYTHONWARNINGS": "ignore",
            "REDTEAM_IMAGE": image,
            "REDTEAM_RUNTIME": runtime,
            "CLEANROOM_RUNTIME": runtime,
        }
        self._modules = tuple(modules)
        self._lock = threading.Lock()
        self._idle: list[_Server] = []

    def run(self, source: str) -> str:
        """The last line that it printed; what it wrote on standard error when there is none."""
        with self._lock:
            server = self._idle.pop() if self._idle else None
        server = server or _Server(self._modules, self._environment)
        with tempfile.TemporaryDirectory(prefix="cleanroom-redteam-") as base:
            folder, out, err = (Path(base, name) for name in ("folder", "out", "err"))
            folder.mkdir()
            script = {
                "source": source,
                "folder": str(folder),
                "environment": self._environment | {"XDG_CONFIG_HOME": str(folder)},  # for a key that is not the user's
                "out": str(out),
                "err": str(err),
            }
            try:
                status = server.run(script)
            except BaseException:
                server.close()
                raise
            with self._lock:
                self._idle.append(server)
            if status is None:
                return "it took too long"
            printed = out.read_bytes() if out.exists() else b""
            complaint = err.read_bytes() if err.exists() else b""
        lines = (printed if printed.strip() else complaint).decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"nothing (exit {status})"

    def close(self) -> None:
        """End the servers that wait. Idempotent."""
        while self._idle:
            self._idle.pop().close()


class _Server:
    """A started `script_server`."""

    def __init__(self, modules: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            own_command("orchestrator.sandbox.redteam.script_server", *modules),
            env={**environment, **_ONE_THREAD},
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,  # an answer is waited for with `select`, which does not see what a buffer holds
            start_new_session=True,
        )

    def run(self, script: Mapping[str, object]) -> int | None:
        """The script's exit code; None when it took too long and was killed."""
        assert self._process.stdin is not None  # noqa: S101 - a pipe
        assert self._process.stdout is not None  # noqa: S101 - a pipe
        try:
            self._process.stdin.write(json.dumps(script).encode() + b"\n")
        except BrokenPipeError:
            raise _gone() from None
        pid = self._number()
        in_time = bool(select.select([self._process.stdout], [], [], _WALL_S)[0])
        if not in_time:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
        status = self._number()
        return status if in_time else None

    def close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def _number(self) -> int:
        assert self._process.stdout is not None  # noqa: S101 - a pipe
        if line := self._process.stdout.readline():
            return int(line)
        raise _gone()


def _gone() -> SandboxError:
    return SandboxError("The process that runs the red team's scripts ended.", advice="Run the command again.")
