"""What a command cannot know or keep is said before it begins."""

import json
from pathlib import Path

import pytest

from orchestrator.cli import console
from orchestrator.cli.apply_command import say_without_registry
from orchestrator.cli.run_command import say_unwritten
from orchestrator.registry.bundle import export_bundle
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.journal.journal import Journal
from tests.registry.conftest import make_candidate, make_evidence
from tests.registry.people import identity
from tests.run.report_steps import usual
from tests.support.command import Call


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """The folder of a run with a registry of one function, and the bundle of it."""
    (tmp_path / "registry").mkdir()
    made = make_candidate("f")
    with SqlRegistry(f"sqlite:///{tmp_path}/registry/registry.db", identity=identity("ana")) as registry:
        registry.promote(made, make_evidence(made))
        export_bundle(registry.functions(), tmp_path / "registry", identity=identity("ana"))
    (tmp_path / "run.jsonl").write_text("{}\n")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().err.split())


def test_a_bundle_without_its_registry_knows_of_no_revocation(
    run_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The registry may be missing from a copy: what was revoked would be applied again without a word."""
    console.stderr.cache_clear()
    say_without_registry(str(run_folder))
    assert told(capsys) == ""
    for file in (run_folder / "registry").glob("registry.db*"):
        file.unlink()
    say_without_registry(str(run_folder))
    assert "has no registry: what was revoked or suspended since the run is not known" in told(capsys)
    say_without_registry(str(run_folder / "registry"))  # a bundle that is named as such
    assert told(capsys) == ""


def test_a_run_that_nobody_can_resume_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where this machine cannot keep the key of its journals."""
    console.stderr.cache_clear()
    say_unwritten(record=False)
    assert told(capsys) == ""
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null/state")
    say_unwritten(record=False)
    assert "cannot be resumed if it is killed, for no key can be kept in /dev/null/state/cleanroom" in told(capsys)


def test_a_recording_of_no_model_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    """The built-in proposer asks nobody."""
    console.stderr.cache_clear()
    say_unwritten(record=True)
    assert told(capsys) == "note: nothing is recorded: no model is asked"


def test_a_journal_without_a_key_is_not_called_foreign(
    cleanroom: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was written here, and nobody has changed it: there was no key to prove that with."""
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null/state")
    (tmp_path / "r").mkdir()
    with Journal(tmp_path / "r" / "run.jsonl") as journal:
        for step in usual()[:-1]:
            journal.append(step)
    done = cleanroom("runs", "show", "r")
    assert done.returncode == 0
    assert "is not proved, for no key can be kept in" in " ".join(done.stderr.split())
    assert "was not written on this machine" not in done.stderr
    assert all("mac" not in json.loads(line) for line in (tmp_path / "r" / "run.jsonl").read_text().splitlines())
