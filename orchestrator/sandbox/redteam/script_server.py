"""Forks a process for each script of the corpus: what most of them import is imported once. Started by script.py.

It is given the names of the modules to import, and then a line of JSON for each script: its source, its folder, its
environment, and the files that its two outputs go to. It answers with two lines: the pid, and how the process ended.
"""

import importlib
import json
import os
import signal
import sys
from contextlib import suppress
from types import ModuleType
from typing import Any


def _next_script() -> dict[str, Any]:
    """Answers requests; returns in each forked child, with what it is to run, and ends with the input."""
    for line in sys.stdin:
        if (pid := os.fork()) == 0:
            script: dict[str, Any] = json.loads(line)
            return script
        _say(pid)
        _, status = os.waitpid(pid, 0)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)  # whatever it left behind
        _say(os.waitstatus_to_exitcode(status))
    raise SystemExit


def _say(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _become(script: dict[str, Any]) -> None:
    """A process of its own: session, folder, environment and outputs."""
    os.setsid()
    os.chdir(script["folder"])
    os.environ.clear()
    os.environ.update(script["environment"])
    for descriptor, name in enumerate((os.devnull, script["out"], script["err"])):
        opened = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    sys.argv = ["-c"]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        importlib.import_module(name)
    script = _next_script()
    _become(script)
    sys.modules["__main__"] = ModuleType("__main__")
    exec(compile(script["source"], "<string>", "exec"), vars(sys.modules["__main__"]))  # noqa: S102 - our own text
