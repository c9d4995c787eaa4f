"""The journal keeps every step, and survives a crash in the middle of a line."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from orchestrator.core.errors import OutputError, UsageError
from orchestrator.core.steps import ChunkStep, EndStep, RunStatus
from orchestrator.run.journal.journal import Journal, read_journal
from orchestrator.run.journal.listing import runs_below

STEPS = (
    ChunkStep(at=datetime.now(UTC), chunk=0, rows=10, holdout=2),
    EndStep(at=datetime.now(UTC), status=RunStatus.CLEAN, promoted=1),
)


def _written(path: Path) -> Path:
    with Journal(path) as journal:
        for step in STEPS:
            journal.append(step)
    return path


def test_steps_come_back_as_they_were(tmp_path: Path) -> None:
    """Reading a journal gives equal, typed steps."""
    assert tuple(read_journal(_written(tmp_path / "run.jsonl"))) == STEPS


def test_a_step_is_on_disk_before_the_next_one(tmp_path: Path) -> None:
    """Another process can read a step as soon as append has returned."""
    with Journal(tmp_path / "run.jsonl") as journal:
        journal.append(STEPS[0])
        assert tuple(read_journal(journal.path)) == STEPS[:1]


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_last_line_cut_off_by_a_crash_is_left_out(tmp_path: Path, cut: int) -> None:
    """What was complete is read; the torn line is not."""
    path = _written(tmp_path / "run.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])
    assert tuple(read_journal(path)) == STEPS[:1]


def test_a_changed_line_is_named(tmp_path: Path) -> None:
    """A line that is no step is an error that says which."""
    path = _written(tmp_path / "run.jsonl")
    path.write_text("{}\n" + path.read_text())
    with pytest.raises(UsageError, match="Line 1"):
        tuple(read_journal(path))


@pytest.mark.parametrize(
    "line",
    [
        '{"kind":"chunk","at":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"kind":"chunk","at":"2024-01-01T00:00:00","chunk":0,"rows":1,"holdout":0}',
    ],
    ids=["deep", "time-without-zone"],
)
def test_a_line_that_somebody_made_is_named(tmp_path: Path, line: str) -> None:
    """What no reader can take apart, and a time of which no pause can be made, are refused as any other line."""
    path = tmp_path / "run.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(UsageError, match="Line 1"):
        tuple(read_journal(path))
    assert not list(runs_below(tmp_path))


def test_an_existing_journal_is_not_overwritten(tmp_path: Path) -> None:
    """A second run never writes into the journal of the first."""
    path = _written(tmp_path / "run.jsonl")
    with pytest.raises(OutputError):
        Journal(path)


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    """/dev/full behaves as a disk without space: OutputError, not OSError."""
    with Journal(tmp_path / "run.jsonl") as journal:
        journal._file.close()
        raw = Path("/dev/full").open("wb", buffering=0)  # noqa: SIM115 - the journal closes it
        journal._file = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
        with pytest.raises(OutputError, match="No space left"):
            journal.append(STEPS[0])


def test_a_lone_surrogate_can_be_written(tmp_path: Path) -> None:
    """What a model replies need not be writable text; the journal keeps it all the same."""
    step = EndStep(at=datetime.now(UTC), status=RunStatus.FAILED, error="reply \ud800")
    with Journal(tmp_path / "run.jsonl") as journal:
        journal.append(step)
    assert tuple(read_journal(tmp_path / "run.jsonl")) == (step,)
