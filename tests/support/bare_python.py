"""Runs programs where cleanroom cannot be imported, each in a fork of one isolated Python that has pandas already.

Starting Python and importing pandas takes longer than most exported files do. Not for tests of what happens before
pandas is there, of the options of Python, or of modules that take another's place.

As a program, with nothing of cleanroom: answers requests on standard input, for `BarePython`.
"""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path


class BarePython:
    """The near side: a Python that is started once."""

    def __init__(self, folder: Path) -> None:
        self._said = [folder / "out", folder / "err"]
        self._process = subprocess.Popen(
            [sys.executable, "-I", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, file: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """`python -I FILE ARGS…` without the package."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        command = [str(file), *arguments]
        self._process.stdin.write(json.dumps([*map(str, self._said), *command]) + "\n")
        self._process.stdin.flush()
        status = json.loads(self._process.stdout.readline())
        return subprocess.CompletedProcess(command, status, *(path.read_text(encoding="utf-8") for path in self._said))

    def close(self) -> None:
        self._process.communicate(timeout=60)


def serve() -> None:
    """Answer the near side's lines until it closes the pipe. A child ends as Python does at the end of a program."""
    import pandas as pd  # noqa: F401 - imported once, here
    import pyarrow.parquet  # noqa: F401 - the same

    sys.modules["orchestrator"] = None  # type: ignore[assignment] # so that importing it fails
    null = os.open(os.devnull, os.O_RDONLY)
    for line in sys.stdin:
        out, err, *command = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os.dup2(null, 0)
            for number, path in ((1, out), (2, err)):
                os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            sys.argv = command
            runpy.run_path(command[0], run_name="__main__")
            return
        print(json.dumps(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    serve()
