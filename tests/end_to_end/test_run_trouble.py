"""A run in trouble: interrupted, without an engine, on a full disk. One sentence, exit code, nothing half-written."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from orchestrator.core.steps import EndStep, RunStatus
from orchestrator.run.journal.journal import read_journal
from tests.end_to_end.conftest import Call, messy_rows, start, write_data
from tests.support.engine_proxy import EngineProxy

pytestmark = pytest.mark.docker
ROOT = Path(__file__).resolve().parents[2]


def _wait_for(condition: Callable[[], bool], seconds: float = 200.0) -> None:
    deadline = monotonic() + seconds
    while not condition():
        assert monotonic() < deadline, "it did not happen in time"
        sleep(0.05)


def _promoted(folder: Path) -> bool:
    journal = folder / "run.jsonl"
    return journal.exists() and '"kind":"promotion"' in journal.read_text()


def _gone(containers: Callable[[], list[str]]) -> None:
    _wait_for(lambda: containers() == [])


def test_ctrl_c_leaves_a_consistent_state(tmp_path: Path, containers: Callable[[], list[str]], cleanroom: Call) -> None:
    """Exit code 130; journal and report say interrupted; no output, no container; `runs resume` ends the run."""
    write_data(tmp_path / "messy.csv", messy_rows())
    process = start(tmp_path, "run", "messy.csv", "--out", "result")
    _wait_for(lambda: _promoted(tmp_path / "result"))
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=200)
    assert process.returncode == 130
    assert "Interrupted" in error
    assert "cleanroom runs resume result" in error
    assert "Traceback" not in error
    last = list(read_journal(tmp_path / "result" / "run.jsonl"))[-1]
    assert isinstance(last, EndStep)
    assert last.status is RunStatus.INTERRUPTED
    assert (tmp_path / "result" / "report.html").exists()
    assert not list((tmp_path / "result").glob("cleaned*"))
    assert cleanroom("registry", "verify", "--registry", "result").returncode == 0
    assert "interrupted (resumable)" in cleanroom("runs", "list").stdout
    resumed = cleanroom("runs", "resume", "result", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert len(json.loads(resumed.stdout)["promoted"]) == 3
    assert (tmp_path / "result" / "cleaned.csv").exists()
    assert "The run has ended" in cleanroom("runs", "resume", "result").stderr
    _gone(containers)


def test_an_engine_that_dies_in_the_middle(tmp_path: Path, containers: Callable[[], list[str]]) -> None:
    """Exit code 3 and one sentence; what was promoted is kept; containers end by themselves."""
    write_data(tmp_path / "messy.csv", messy_rows())
    with EngineProxy(tmp_path / "engine.sock") as proxy:
        process = start(tmp_path, "run", "messy.csv", "--out", "result", env={"DOCKER_HOST": proxy.address})
        _wait_for(lambda: _promoted(tmp_path / "result"))
        proxy.cut()
        _, error = process.communicate(timeout=200)
    assert process.returncode == 3, error
    assert "error: " in error
    assert "Traceback" not in error
    last = list(read_journal(tmp_path / "result" / "run.jsonl"))[-1]
    assert isinstance(last, EndStep)
    assert last.status is RunStatus.FAILED
    assert not list((tmp_path / "result").glob("cleaned*"))
    _gone(containers)


def test_a_missing_image(tmp_path: Path) -> None:
    """A version whose image was never built: exit code 3, and the sentence names the command that builds it."""
    for name in ("orchestrator", "sandbox_image", "prompts"):
        shutil.copytree(ROOT / name, tmp_path / "other" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Dockerfile.sandbox", tmp_path / "other")
    with (tmp_path / "other" / "sandbox_image" / "guest.py").open("a", encoding="utf-8") as guest:
        guest.write(f"# {tmp_path}\n")
    write_data(tmp_path / "messy.csv", messy_rows(20))
    with start(tmp_path, "run", "messy.csv", env={"PYTHONPATH": str(tmp_path / "other")}) as process:
        _, error = process.communicate(timeout=200)
    assert process.returncode == 3, error
    assert "image" in error
    assert "cleanroom setup" in error
    assert {p.name for p in tmp_path.iterdir()} == {"other", "messy.csv"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 KiB. Needs root to be mounted."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place], check=True)
    yield place
    subprocess.run(["umount", place], check=True)


def test_no_space_left(cleanroom: Call, tmp_path: Path, small_disk: Path, containers: Callable[[], list[str]]) -> None:
    """Exit code 3, a sentence that names the space, no half-written output, no container."""
    write_data(tmp_path / "messy.csv", messy_rows(8000, only_cities=True))
    done = cleanroom("run", "messy.csv", "--out", small_disk / "result")
    assert done.returncode == 3, done.stderr
    assert "space" in done.stderr.lower()
    assert f"cleanroom runs resume {small_disk / 'result'}" in done.stderr
    assert not list(small_disk.glob("result/cleaned*"))
    assert not list(small_disk.glob("result/.*partial*"))
    _gone(containers)
