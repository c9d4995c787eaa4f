"""How the tests of the command line call it: as a user does, in a process of its own or, quicker, in this one."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator.cli import console
from orchestrator.cli.main import main

CLEANROOM = Path(sys.executable).parent / "cleanroom"
Done = subprocess.CompletedProcess[str]
Call = Callable[..., Done]


def _ours(name: str) -> bool:
    return name.startswith("CLEANROOM_")


@pytest.fixture
def cleanroom(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run `cleanroom ARGS…` through its entry point, in a folder of its own; `env` adds to the environment."""

    def call(*arguments: object, env: dict[str, str] | None = None) -> Done:
        words = ["cleanroom", *map(str, arguments)]
        capfd.readouterr()
        before = signal.getsignal(signal.SIGINT)
        console.stderr.cache_clear()
        console.stdout.cache_clear()
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            patch.setattr(sys, "argv", words)
            for name in filter(_ours, list(os.environ)):
                patch.delenv(name)
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            try:
                main()
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            finally:
                signal.signal(signal.SIGINT, before)
        out, err = capfd.readouterr()
        return Done(words, code, out, err)

    return call


@pytest.fixture
def cleanroom_process(tmp_path: Path) -> Call:
    """The same in a process of its own."""

    def call(*arguments: object, env: dict[str, str] | None = None) -> Done:
        return subprocess.run(
            [CLEANROOM, *map(str, arguments)],
            cwd=tmp_path,
            env={k: v for k, v in os.environ.items() if not _ours(k)} | (env or {}),
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )

    return call
