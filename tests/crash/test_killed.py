"""kill -9 of cleanroom at every step over a package boundary: of a verification, and of a run that goes on."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.steps import EndStep, RunStatus
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.journal.journal import read_journal
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import RUN
from orchestrator.sandbox.posture.posture import LABEL
from tests.crash.conftest import GOOD

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(1200)]

OWNER = f"{LABEL}owner-pid"
Place = Callable[[str], Path]
DATA = "city,n\n" + "".join(f"{city},{n}\n" for n in range(12) for city in (" Rome", "Oslo ", "Lima", "Bonn", "N/A"))
POLICY = "container:\n  pool_size: 1\n"
VERIFY = ("verify", "f.py", "--data", "messy.csv", "--policy", "policy.yaml", "--quick", "--promote", "--json")
RUN_ALL = ("run", "messy.csv", "--policy", "policy.yaml", "--out", "result", "--max-iterations", "1")


class Nursery:
    """The far side of `nursery.py`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.nursery"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.killed: set[str] = set()

    def run(self, moment: int, folder: Path, *arguments: str) -> dict[str, Any]:
        """The command in the folder, killed at the moment (0: never)."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([moment, str(folder), *arguments]) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        if moment:
            self.killed.add(str(answer["pid"]))
        return answer

    def close(self) -> None:
        self._process.communicate(timeout=200)


@pytest.fixture(scope="module")
def nursery(image: str) -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Makes folders with the same messy file, the same candidate and a small pool."""

    def make(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "messy.csv").write_text(DATA)
        (folder / "f.py").write_text(GOOD)
        (folder / "policy.yaml").write_text(POLICY)
        return folder

    return make


def _first(steps: list[str]) -> dict[int, str]:
    """The moments at which each step is taken for the first time."""
    first = {step: number for number, step in reversed(list(enumerate(steps, 1)))}
    return {number: step for step, number in sorted(first.items())}


PHASES = frozenset(
    {
        "after Outputs.make", "before SqlRegistry.promote", "before DefaultDialect.do_commit",
        "after DefaultDialect.do_commit", "before Path.replace", "after Container.run", "before DisposableProcess.call",
        "before Outputs.write_report",
    }
)  # fmt: skip
ON_THE_EDGE = {"after DefaultDialect.do_commit", "before Path.replace"}  # done, and not yet said


def _phases(steps: list[str]) -> dict[int, str]:
    """The last time that each phase is there, and the moments after every third line of the journal.

    Every line is tried in tests/run/test_run_resume.py, without containers.
    """
    last = {step: number for number, step in enumerate(steps, 1) if step in PHASES}
    lines = [number for number, step in enumerate(steps, 1) if step == "after Journal.append"]
    return dict.fromkeys(lines[::3], "after Journal.append") | {number: step for step, number in last.items()}


def _promoted(registry: Path) -> list[str]:
    """The functions of a registry, each checked against its digests; none where there is no registry yet."""
    if not (registry / "registry.db").exists():
        return []
    with SqlRegistry(f"sqlite:///{registry / 'registry.db'}") as opened:
        return [promoted.name for promoted in opened.functions()]


def _left(pids: set[str], seconds: float) -> list[str]:
    engine = Engine()
    deadline = time.monotonic() + seconds
    while True:
        found = [identity for identity, labels in engine.labelled(RUN) if labels.get(OWNER) in pids]
        if not found or time.monotonic() > deadline:
            engine.close()
            return found
        time.sleep(0.1)


def test_a_verification(nursery: Nursery, place: Place) -> None:
    """The registry holds the function or not, whole either way; no verdict but `pass` was printed; nothing is left."""
    whole = nursery.run(0, place("whole"), *VERIFY)
    assert whole["status"] == 0
    for moment, step in _first(whole["steps"]).items():
        folder = place(f"at-{moment}")
        dead = nursery.run(moment, folder, *VERIFY)
        assert dead["status"] in {-9, 0}, (step, (folder / "said").read_text())
        said = (folder / "said").read_text()
        assert not said or json.loads(said)["verdict"] == "pass", step
        assert _promoted(folder / "registry") in ([], ["trim_city"]), step
        if "SqlRegistry" in step:
            again = nursery.run(0, folder, *VERIFY)
            assert _promoted(folder / "registry") == ["trim_city"], (step, again)
    assert nursery.run(0, place("next"), *VERIFY)["status"] == 0
    assert _left(nursery.killed, 60) == []


def test_a_run(nursery: Nursery, place: Place) -> None:
    """The journal can be read, the registry is whole, an output is there whole or not at all; it can go on."""
    there = place("whole")
    whole = nursery.run(0, there, *RUN_ALL)
    cleaned = (there / "result" / "cleaned.csv").read_bytes()
    assert whole["status"] == 0
    for moment, step in _phases(whole["steps"]).items():
        folder = place(f"at-{moment}")
        result = folder / "result"
        dead = nursery.run(moment, folder, *RUN_ALL)
        assert dead["status"] in {-9, 0}, (step, (folder / "said").read_text())
        begun = (result / "run.jsonl").exists() and any(read_journal(result / "run.jsonl"))
        if begun:
            for one in read_journal(result / "run.jsonl"):
                assert not isinstance(one, EndStep) or one.status in {RunStatus.CLEAN, RunStatus.LIMIT}, step
        _promoted(result / "registry")
        output = result / "cleaned.csv"
        assert not output.exists() or output.read_bytes() == cleaned, step
        if begun and (step in ON_THE_EDGE or moment % 5 == 0):
            again = nursery.run(0, folder, "runs", "resume", "result")
            assert again["status"] == 0, (step, (folder / "said").read_text())
            assert output.read_bytes() == cleaned, step
            assert _promoted(result / "registry") == _promoted(there / "result" / "registry"), step
    assert nursery.run(0, place("next"), *VERIFY)["status"] == 0
    assert _left(nursery.killed, 60) == []
