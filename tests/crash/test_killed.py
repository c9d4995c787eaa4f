"""kill -9 of cleanroom at every step over a package boundary: of a verification, and of a run that goes on."""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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


class Moment(NamedTuple):
    """When a command is killed."""

    step: str
    time: int  # which time that the step is taken


NEVER = Moment("", 0)


class ForkServer:
    """The far side of `fork_server.py`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.fork_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.killed: set[str] = set()

    def run(self, moment: Moment, folder: Path, *arguments: str) -> dict[str, Any]:
        """The command in the folder, killed at the moment."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([*moment, str(folder), *arguments]) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        if moment != NEVER:
            self.killed.add(str(answer["pid"]))
        return answer

    def close(self) -> None:
        self._process.communicate(timeout=200)


@pytest.fixture(scope="module")
def fork_server(image: str) -> Iterator[ForkServer]:
    made = ForkServer()
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


PHASES = frozenset(
    {
        "after Outputs.make", "before SqlRegistry.promote", "before DefaultDialect.do_commit",
        "after DefaultDialect.do_commit", "before Path.replace", "after Container.run", "before DisposableProcess.call",
        "before Outputs.write_report",
    }
)  # fmt: skip
RESUMED = {  # done and not yet said, and ended without its report
    "after DefaultDialect.do_commit", "before Path.replace", "before Outputs.write_report",
}  # fmt: skip


def _phases(steps: list[str]) -> list[Moment]:
    """After every fifth line of the journal, and the last time of each phase.

    Every line is tried in tests/run/journal/test_run_resume.py, without containers.
    """
    taken = Counter(steps)
    lines = [Moment("after Journal.append", time) for time in range(1, taken["after Journal.append"] + 1, 5)]
    return lines + [Moment(step, taken[step]) for step in sorted(PHASES & taken.keys())]


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


def test_a_verification(fork_server: ForkServer, place: Place) -> None:
    """The registry holds the function or not, whole either way; no verdict but `pass` was printed; nothing is left."""
    whole = fork_server.run(NEVER, place("whole"), *VERIFY)
    assert whole["status"] == 0
    for step in dict.fromkeys(whole["steps"]):
        folder = place(step)
        dead = fork_server.run(Moment(step, 1), folder, *VERIFY)
        assert dead["status"] == -9, (step, (folder / "said").read_text())
        said = (folder / "said").read_text()
        assert not said or json.loads(said)["verdict"] == "pass", step
        assert _promoted(folder / "registry") in ([], ["trim_city"]), step
        if "SqlRegistry" in step:
            again = fork_server.run(NEVER, folder, *VERIFY)
            assert _promoted(folder / "registry") == ["trim_city"], (step, again)
    assert fork_server.run(NEVER, place("next"), *VERIFY)["status"] == 0
    assert _left(fork_server.killed, 60) == []


def test_a_run(fork_server: ForkServer, place: Place) -> None:
    """The journal can be read, the registry is whole, an output is there whole or not at all; it can go on."""
    there = place("whole")
    whole = fork_server.run(NEVER, there, *RUN_ALL)
    cleaned = (there / "result" / "cleaned.csv").read_bytes()
    assert whole["status"] == 0
    for number, moment in enumerate(_phases(whole["steps"])):
        folder = place(f"{moment.step} {moment.time}")
        result = folder / "result"
        dead = fork_server.run(moment, folder, *RUN_ALL)
        ended = dead["status"] == 0  # the last time may not come: what is tried again depends on the machine
        assert ended or dead["status"] == -9, (moment, (folder / "said").read_text())
        begun = (result / "run.jsonl").exists() and any(read_journal(result / "run.jsonl"))
        if begun:
            for one in read_journal(result / "run.jsonl"):
                assert not isinstance(one, EndStep) or one.status in {RunStatus.CLEAN, RunStatus.LIMIT}, moment
        _promoted(result / "registry")
        output = result / "cleaned.csv"
        assert not output.exists() or output.read_bytes() == cleaned, moment
        if ended or (begun and (moment.step in RESUMED or number % 3 == 0)):
            if not ended:
                again = fork_server.run(NEVER, folder, "runs", "resume", "result")
                assert again["status"] == 0, (moment, (folder / "said").read_text())
            assert output.read_bytes() == cleaned, moment
            assert _promoted(result / "registry") == _promoted(there / "result" / "registry"), moment
    assert fork_server.run(NEVER, place("next"), *VERIFY)["status"] == 0
    assert _left(fork_server.killed, 60) == []
