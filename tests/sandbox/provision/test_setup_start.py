"""Starting an engine: a real second dockerd beside the shared one, and programs that fail to become one."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision.engine_install import _remove_if_stale, start_engine

needs_dockerd = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("dockerd") is None,
    reason="starting an engine needs root and an installed dockerd",
)

STARTER = """
import os, sys
from pathlib import Path
from orchestrator.sandbox.provision.engine_install import start_engine
folder = Path(sys.argv[1])
os.environ["DOCKER_HOST"] = f"unix://{folder}/s"
options = (f"--data-root={folder}/data", f"--exec-root={folder}/exec", f"--pidfile={folder}/pid", f"--host=unix://{folder}/s")
print(start_engine(print, options=options, log=folder / "log", pid_files=(folder / "pid",)))
"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder whose engine, if one was started in it, is ended with the test."""
    folder = tmp_path_factory.mktemp("e")
    yield folder
    if (folder / "pid").exists():
        pid = int((folder / "pid").read_text())
        os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + 60
        while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
            time.sleep(0.05)


@pytest.mark.docker
@needs_dockerd
def test_a_started_engine_is_detached(folder: Path) -> None:
    """The caller's output ends with the caller, while the engine lives on in a session of its own and answers."""
    (folder / "pid").write_text("999999999")  # as a copied disk leaves it
    ended = subprocess.run(
        [sys.executable, "-c", STARTER, str(folder)], capture_output=True, text=True, timeout=200, check=True
    )
    pid = int(ended.stdout.splitlines()[-1])
    assert pid == int((folder / "pid").read_text())
    assert os.getsid(pid) == pid
    streams = [str(Path(f"/proc/{pid}/fd/{number}").readlink()) for number in (0, 1, 2)]
    assert streams == ["/dev/null", str(folder / "log"), str(folder / "log")]
    asked = subprocess.run(["docker", "-H", f"unix://{folder}/s", "info"], capture_output=True, check=False)
    assert asked.returncode == 0


def program(folder: Path, text: str) -> str:
    path = folder / "dockerd"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_an_engine_that_ends_shows_the_end_of_its_log(tmp_path: Path) -> None:
    """The error names what the engine said last in this start, not in an earlier one, and the log file."""
    log = tmp_path / "log"
    log.write_text("failed: an old sorrow\n")
    fails = program(tmp_path, "echo starting; echo 'failed to start daemon: Devices cgroup is not mounted'; exit 1")
    with pytest.raises(
        SetupError, match=r"did not start: failed to start daemon: Devices cgroup is not mounted\."
    ) as caught:
        start_engine(lambda _: None, log=log, pid_files=(), answers=lambda: False, program=fails)
    assert str(log) in caught.value.advice


def test_an_engine_that_never_answers_is_ended(tmp_path: Path) -> None:
    """After the time limit the started program is not left behind."""
    hangs, log = program(tmp_path, "echo $$; exec sleep 60"), tmp_path / "log"
    deadline = time.monotonic() + 60

    def answers() -> bool:
        while not (log.exists() and log.read_text().endswith("\n")) and time.monotonic() < deadline:
            time.sleep(0.02)  # a busy machine takes its time to start it
        return False

    with pytest.raises(SetupError, match="did not start"):
        start_engine(lambda _: None, log=log, pid_files=(), answers=answers, program=hangs, wait_s=0.5)
    pid = int(log.read_text())
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("content", ["", "word", "999999999", str(os.getpid())])
def test_a_pid_file_of_no_engine_is_removed(content: str, tmp_path: Path) -> None:
    """Empty, unreadable, dead or reused by another program: such a pid file would keep dockerd from starting."""
    pid_file = tmp_path / "docker.pid"
    pid_file.write_text(content)
    _remove_if_stale(pid_file)
    assert not pid_file.exists()


def test_the_pid_file_of_a_living_engine_stays(tmp_path: Path) -> None:
    """A pid file that names a process called dockerd is left alone."""
    sleeper = tmp_path / "dockerd"
    shutil.copy("/bin/sleep", sleeper)
    with subprocess.Popen([str(sleeper), "60"]) as process:
        while Path(f"/proc/{process.pid}/comm").read_text() != "dockerd\n":  # the kernel names it a moment later
            time.sleep(0.001)
        pid_file = tmp_path / "docker.pid"
        pid_file.write_text(str(process.pid))
        _remove_if_stale(pid_file)
        assert pid_file.exists()
        process.kill()
