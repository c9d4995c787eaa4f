"""Runs `cleanroom` commands that kill themselves at a chosen moment. Started by test_killed.py as a process of its own.

A line on standard input, `[moment, folder, arguments…]` as JSON, runs the command in a forked child, in which the
`moment`-th tick is the last: a tick is just before and just after every step over a package boundary, and the
child kills itself with SIGKILL there. Moment 0 kills nobody. The answer is one line of JSON with
the exit status and the names of the steps that were taken.

Everything is imported once, so that a death costs a fork and not an import. The product knows nothing of this: the
methods are wrapped here.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import docker.errors  # noqa: F401 - imported once, here
from sqlalchemy.engine.default import DefaultDialect

import orchestrator.bootstrap
import orchestrator.cli.verdict_view
import orchestrator.run.apply.residual
import orchestrator.run.loop.job
import orchestrator.run.verify.verify  # noqa: F401 - the same
from orchestrator.cli.main import main
from orchestrator.data.disposable.client import DisposableProcess
from orchestrator.gate.verifier import Verifier
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.journal.journal import Journal
from orchestrator.run.outputs import Outputs
from orchestrator.sandbox.containers.container import Container
from orchestrator.sandbox.containers.engine import Engine

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
    """Counts steps; the one at the moment is the last."""

    def __init__(self, moment: int, steps: int) -> None:
        self._moment = moment
        self._steps = steps
        self._count = 0

    def wrap(self, owner: type, name: str) -> None:
        real = getattr(owner, name)

        def fateful(*arguments: Any, **options: Any) -> Any:
            self._tick(f"before {owner.__name__}.{name}")
            answer = real(*arguments, **options)
            self._tick(f"after {owner.__name__}.{name}")
            return answer

        setattr(owner, name, fateful)

    def _tick(self, what: str) -> None:
        self._count += 1
        os.write(self._steps, what.encode() + b"\n")
        if self._count == self._moment:
            os.kill(os.getpid(), signal.SIGKILL)


def run(moment: int, folder: str, arguments: list[str]) -> dict[str, Any]:
    """The command in a child; how it ended and what it did."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        os.chdir(folder)
        said = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        fate = Fate(moment, writer)
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


if __name__ == "__main__":
    for line in sys.stdin:
        moment_, folder_, *arguments_ = json.loads(line)
        print(json.dumps(run(moment_, folder_, arguments_)), flush=True)  # noqa: T201 - the answer
