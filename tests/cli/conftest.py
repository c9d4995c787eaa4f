"""The command, run in a folder of the test's own; `env` adds to the environment."""

from pathlib import Path

import pytest

from tests.support.command import Call, finish, in_this_process, start


@pytest.fixture
def cleanroom(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    """`cleanroom ARGS…` through its entry point."""
    return in_this_process(tmp_path, capfd)


@pytest.fixture
def cleanroom_process(tmp_path: Path) -> Call:
    """`cleanroom ARGS…` in a process of its own."""
    return lambda *arguments, **options: finish(start(tmp_path, *arguments, **options))
