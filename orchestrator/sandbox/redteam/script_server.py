"""Forks a process for each script of the corpus: what most of them import is imported once. Started by script.py.

It is given the names of the modules to import, and then a line of JSON for each script: its source, its folder, its
environment, and the files that its two outputs go to. It answers with two lines: the pid, and how the process ended.

A script's process ends without taking apart what it inherited: to delete thousands of imported objects, the kernel
would first copy every page that they lie on, which took several times as long as most scripts.
"""

import atexit
import gc
import importlib
import json
import os
import signal
import sys
import traceback
from contextlib import suppress
from types import ModuleType
from typing import Any, NoReturn


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


def _run(source: str) -> NoReturn:
    """Run the script as the main module and leave as Python would: its own exit handlers, outputs, exit code."""
    code = 0

    def leave() -> None:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)

    atexit.register(leave)  # before those of the script, so it is called after them
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        exec(compile(source, "<string>", "exec"), vars(sys.modules["__main__"]))  # noqa: S102 - our own text
    except SystemExit as end:
        if end.code is not None:
            code = end.code if isinstance(end.code, int) else 1
        if code and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)  # noqa: T201 - as Python does
    except BaseException:  # noqa: BLE001 - as Python does
        traceback.print_exc()
        code = 1
    raise SystemExit(code)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a search for garbage in a script would touch, and so copy, all that was imported
    script = _next_script()
    _become(script)
    _run(script["source"])
