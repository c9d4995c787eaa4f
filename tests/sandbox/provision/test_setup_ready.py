"""`cleanroom setup` as a process: quick the second time, alone or not, with or without a home."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.sandbox.provision.setup import ensure_ready

pytestmark = pytest.mark.docker

COMMAND = [sys.executable, "-c", "import typer; from orchestrator.cli.setup_command import setup; typer.run(setup)"]


@pytest.fixture(autouse=True)
def _ready() -> None:
    ensure_ready(lambda _: None)


def test_the_second_setup_is_quick() -> None:
    """With everything in place the whole process takes at most two seconds of work and says one line, on stderr."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(COMMAND, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ended.stdout == ""
    assert ended.stderr.startswith("ready: sandbox image sha256:")
    assert ended.stderr.count("\n") == 1
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2


def test_no_home_and_no_input_are_no_obstacle() -> None:
    """A service without HOME and with its input closed can set up."""
    ended = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *COMMAND],
        env={**os.environ, "HOME": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def test_a_ready_machine_does_not_wait_for_another_setup(tmp_path: Path) -> None:
    """While another setup holds the lock, one that has nothing to do ends at once."""
    state = tmp_path / "cleanroom"
    state.mkdir()
    with subprocess.Popen(
        ["flock", str(state / "setup.lock"), "sh", "-c", "echo held; sleep 120"], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        try:
            subprocess.run(COMMAND, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)}, timeout=100, check=True)
        finally:
            holder.kill()
