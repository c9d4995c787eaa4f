"""How the tests of the command line call it: as a user does, in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CLEANROOM = Path(sys.executable).parent / "cleanroom"
Call = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def cleanroom(tmp_path: Path) -> Call:
    """Run `cleanroom ARGS…` in a folder of its own; `env` adds to the environment."""

    def call(*arguments: object, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
        surroundings = {k: v for k, v in os.environ.items() if not k.startswith("CLEANROOM_")} | (env or {})
        return subprocess.run(
            [CLEANROOM, *map(str, arguments)],
            cwd=tmp_path,
            env=surroundings,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )

    return call
