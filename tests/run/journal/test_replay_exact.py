"""A recorded run, run again from its recording: the gate draws the same, so the model is asked the same."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from orchestrator import bootstrap
from orchestrator.core.errors import CleanroomError
from orchestrator.core.jobs import Limits
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Replayable
from orchestrator.core.steps import RunStep, VerificationStep
from orchestrator.core.verdict import CheckResult
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.verifier import Verifier
from orchestrator.model_choice import ModelChoice
from orchestrator.propose.llm.chat import ChatModel
from orchestrator.propose.llm.recording import Recording, RecordingChat, ReplayChat, recorded_gate_secret
from orchestrator.propose.privacy.privacy_view import view_of
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.scripted_models import ScriptedChat
from orchestrator.propose.wiring import new_gate_secret
from orchestrator.run.events import Callbacks
from orchestrator.run.journal.journal import read_journal
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox

TOLD, OTHER = "0123456789abcdef", "fedcba9876543210"
HEAD = '"""Stray blanks."""\nCONTRACT = {"shape": "table", "modifies": ["city"]}\n\n\n'
STRIP = HEAD + 'def strip_city(df):\n    """Strip."""\n    return df.assign(city=df["city"].str.strip())\n'
BY_PLACE = HEAD + (
    'def strip_some(df):\n    """Strip."""\n    out = df.copy()\n    stripped = out["city"].str.strip()\n'
    '    out["city"] = stripped.where([n % 7 < 5 for n in range(len(out))], out["city"])\n    return out\n'
)
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
ANSWERS = [f"```python\n{BY_PLACE}```", f"```python\n{STRIP}```", CLEAN, CLEAN]


@pytest.fixture(scope="module")
def parts(local_sandbox: LocalSandbox, decoder: DisposableProcess, judge: DisposableProcess) -> Services:
    policy = Policy(limits=Limits(wall_s=60, cpu_s=5))
    gate = partial(Verifier, local_sandbox, judge, policy)
    return Services(local_sandbox, gate, decoder, policy, "p", bootstrap.open_registry)


def run(folder: Path, parts: Services, chat: ChatModel, recording: Path, gate_secret: str) -> Path:
    """The run's journal; what the model was asked is in the recording."""
    recorded = RecordingChat(chat, "proposer", Recording(recording, gate_secret=gate_secret))
    proposer = ModelProposer(recorded, view=view_of("masked", b"k"), gate_secret=gate_secret)
    data = folder.parent / "rows.csv"
    data.write_text("city\n" + "".join(f'"{" " * (n % 3)}Town {n * 37 % 101}"\n' for n in range(90)), encoding="utf-8")
    request = RunRequest(data=data, out=folder, max_chunks=1)
    CleaningJob(request, request.check(), parts, proposer, Callbacks()).run()
    return folder / "run.jsonl"


def asked(recording: Path) -> list[Any]:
    return [json.loads(line)["messages"] for line in recording.read_text(encoding="utf-8").splitlines()]


def judged(journal: Path) -> list[Any]:
    """What the gate said of each candidate, and what it ran it on.

    Without what is measured: times, the cost in words, and how many rows of a load fit into the second container.
    """
    verdicts = [step.verdict for step in read_journal(journal) if isinstance(step, VerificationStep)]
    return [(v.verdict, list(map(_timeless, v.checks)), v.inputs_sha256[:1]) for v in verdicts]


def _timeless(check: CheckResult) -> CheckResult:
    measured: dict[str, Any] = {"seconds": 0.0} | ({"detail": ""} if check.id == "resources" else {})
    return check.model_copy(update=measured)


def test_a_replayed_run_asks_and_judges_byte_for_byte_the_same(parts: Services, tmp_path: Path) -> None:
    """Also what is drawn; under another secret the gate draws something else, and the recording has no answer."""
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    journal = run(tmp_path / "a", parts, ScriptedChat(ANSWERS, name="m"), first, TOLD)
    secret = recorded_gate_secret(first)
    replayed = run(tmp_path / "b", parts, ReplayChat(first, "proposer"), again, secret)
    assert asked(again) == asked(first)
    assert judged(replayed) == judged(journal)
    assert [str(verdict) for verdict, _, _ in judged(journal)] == ["fail", "pass"]
    opening = next(iter(read_journal(journal)))
    assert isinstance(opening, RunStep)
    assert opening.gate_secret == secret == TOLD
    with pytest.raises(CleanroomError, match="no answer to this prompt"):
        run(tmp_path / "c", parts, ReplayChat(first, "proposer"), tmp_path / "other.jsonl", OTHER)


def test_a_replay_takes_the_secret_of_its_recording(tmp_path: Path) -> None:
    """The command wires it; a recording of an older version has none, and a new run gets one of its own."""
    path = tmp_path / "r.jsonl"
    recorded = RecordingChat(ScriptedChat(["x"], name="m"), "proposer", Recording(path, gate_secret=TOLD))
    recorded.complete([])
    proposer = bootstrap.proposer(ModelChoice(model=f"replay:{path}"), Policy())
    assert isinstance(proposer, Replayable)
    assert proposer.gate_secret == TOLD
    path.write_text(path.read_text(encoding="utf-8").replace("gate_secret", "other"), encoding="utf-8")
    assert not recorded_gate_secret(path)
    assert new_gate_secret(f"replay:{path}") != new_gate_secret(f"replay:{path}")
