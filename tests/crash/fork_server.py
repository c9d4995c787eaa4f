"""Runs `cleanroom` commands that kill themselves at a chosen step. Started by test_killed.py as a process of its own.

A line on standard input, `[step, time, folder, arguments…]` as JSON, runs the command in a forked child. A step is
just before or just after a call over a package boundary; when it is taken for the `time`-th time, the child kills
itself with SIGKILL. Time 0 kills nobody. The answer is one line of JSON with the exit status and the names of the
steps that were taken. Only the same step is counted, since steps of several threads come in another order each time.

Everything is imported once, also what zygotes import, so that a death costs a fork and not an import. The product
knows nothing of this: the methods are wrapped here.
"""

import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import docker.errors  # noqa: F401 - imported once, here
from sqlalchemy.engine.default import DefaultDialect

import orchestrator.bootstrap
import orchestrator.cli.views.verdict_view
import orchestrator.run.apply.residual
import orchestrator.run.loop.job
import orchestrator.run.verify.verify  # noqa: F401 - the same
from orchestrator.cli.main import main
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.verifier import Verifier
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.journal.journal import Journal
from orchestrator.run.outputs import Outputs
from orchestrator.sandbox.containers.container import Container
from orchestrator.sandbox.containers.engine import Engine
from tests.support.zygote_nursery import use_nursery

BOUNDARIES: tuple[tuple[type, tuple[str, ...]], ...] = (
    (Engine, ("labelled", "create", "attach", "start", "remove")),
    (Container, ("run",)),
    (DisposableProcess, ("call",)),
    (Verifier, ("verify", "close")),
    (SqlRegistry, ("promote",)),
    (DefaultDialect, ("do_commit",)),
    (Journal, ("append",)),
    (Outputs, ("make", "write_report")),
    (Path, ("replace",)),
)


class Fate:
    """Counts how often the step is taken; the given time is the last."""

    def __init__(self, step: str, time: int, taken: int) -> None:
        self._step = step
        self._time = time
        self._taken = taken
        self._count = 0

    def wrap(self, owner: type, name: str) -> None:
        real = getattr(owner, name)

        def fateful(*arguments: Any, **options: Any) -> Any:
            self._take(f"before {owner.__name__}.{name}")
            answer = real(*arguments, **options)
            self._take(f"after {owner.__name__}.{name}")
            return answer

        setattr(owner, name, fateful)

    def _take(self, step: str) -> None:
        self._count += step == self._step
        os.write(self._taken, step.encode() + b"\n")
        if step == self._step and self._count == self._time:
            os.kill(os.getpid(), signal.SIGKILL)


def run(step: str, time: int, folder: str, arguments: list[str]) -> dict[str, Any]:
    """The command in a child; how it ended and what it did."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        os.chdir(folder)
        said = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        fate = Fate(step, time, writer)
        for owner, names in BOUNDARIES:
            for name in names:
                fate.wrap(owner, name)
        sys.argv = ["cleanroom", *arguments]
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        finally:
            sys.stdout.flush()
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as steps:
        taken = steps.read().decode().splitlines()
    return {"status": os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), "steps": taken, "pid": pid}


def serve() -> None:
    """Answer the test's lines until it closes the pipe."""
    with tempfile.TemporaryDirectory() as place, use_nursery(Path(place)) as nursery:
        for line in sys.stdin:
            step, time, folder, *arguments = json.loads(line)
            print(json.dumps(run(step, time, folder, arguments)), flush=True)  # noqa: T201 - the answer
        nursery.kill()


if __name__ == "__main__":
    serve()
