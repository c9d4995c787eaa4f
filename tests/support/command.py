"""The `cleanroom` command as the tests call it: in a process of its own, or in the test's own where that says the same.

Starting Python and importing all that a command needs takes longer than most commands do.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd  # noqa: F401 - a command keeps Arrow from pandas where it is not yet there, and tests use both
import pytest

from orchestrator.cli import console
from orchestrator.cli.main import main

CLEANROOM = Path(sys.executable).parent / "cleanroom"
Done = subprocess.CompletedProcess[str]
Call = Callable[..., Done]


def surroundings(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without the caller's own settings of cleanroom and of models."""
    return {k: v for k, v in os.environ.items() if not _own(k)} | dict(env or {})


def start(folder: Path, *arguments: object, env: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
    """`cleanroom ARGS…` in a process of its own, in the folder.

    It can be interrupted, even where these tests run in the background of a shell and ignore it themselves.
    """
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [CLEANROOM, *map(str, arguments)],
            cwd=folder,
            env=surroundings(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, interrupt)


def finish(process: "subprocess.Popen[str]", seconds: float = 280.0) -> Done:
    """Wait for it."""
    with process:
        out, err = process.communicate(timeout=seconds)
    return Done(process.args, process.returncode, out, err)


def in_this_process(folder: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    """Calls the entry point of the script in the folder; `env` adds to the environment."""

    def call(*arguments: object, env: Mapping[str, str] | None = None) -> Done:
        words = ["cleanroom", *map(str, arguments)]
        capfd.readouterr()
        console.stderr.cache_clear()
        console.stdout.cache_clear()
        interrupt = signal.getsignal(signal.SIGINT)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            patch.setattr(sys, "argv", words)
            for name in filter(_own, list(os.environ)):
                patch.delenv(name)
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            try:
                main()
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            finally:
                signal.signal(signal.SIGINT, interrupt)
        out, err = capfd.readouterr()
        return Done(words, code, out, err)

    return call


def _own(name: str) -> bool:
    return name.startswith(("CLEANROOM_", "OPENAI_"))
