"""What a run says while it goes on, and where it promoted nothing."""

import re
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

import pytest
from typer.testing import CliRunner

from orchestrator.bootstrap import open_registry
from orchestrator.cli.main import app
from orchestrator.cli.views import live
from orchestrator.cli.views.live import LiveProgress
from orchestrator.core.errors import UsageError
from orchestrator.core.steps import AnalysisStep, ApplyStep, CandidateStep, ChunkStep, RepairStep, VerificationStep
from orchestrator.run.events import Callbacks
from tests.run.report_steps import usual


def test_rows_that_were_set_aside_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Else the number of rows would not be that of the data."""
    applied = next(step for step in usual() if isinstance(step, ApplyStep))
    callbacks = Callbacks()
    LiveProgress().register(callbacks)
    for count in (0, 1, 2):
        callbacks.emit(applied.model_copy(update={"quarantined": count}))
    said = [line for line in capsys.readouterr().err.splitlines() if "applied to" in line]
    assert ["set aside" in line for line in said] == [False, True, True]
    assert "1 row set aside" in said[1]


def test_a_run_that_says_nothing_for_long_says_what_it_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no terminal: the built-in rules may look at thousands of columns before the first candidate."""
    monkeypatch.setattr(live, "SILENCE", 0.1)
    chunk = next(step for step in usual() if isinstance(step, ChunkStep))
    candidate = next(step for step in usual() if isinstance(step, CandidateStep))
    callbacks, progress, told = Callbacks(), LiveProgress(), ""
    progress.register(callbacks)
    with progress:
        for step, expected in (
            (chunk, "chunk 1, the proposer looks at it"),
            (candidate, f"{candidate.name} is judged"),
        ):
            callbacks.emit(step)
            until = monotonic() + 60
            while expected not in told and monotonic() < until:
                sleep(0.02)
                told += capsys.readouterr().err
            assert re.search(rf"at work for \d+ s: {expected}", told)


def test_that_nothing_is_left_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    """A model that calls a chunk clean is asked once more; whether it found something then is seen."""
    analysis = next(step for step in usual() if isinstance(step, AnalysisStep))
    clean = analysis.model_copy(update={"error": "", "proposed": False, "chunk_status": "clean"})
    candidate = next(step for step in usual() if isinstance(step, CandidateStep))
    callbacks = Callbacks()
    LiveProgress().register(callbacks)
    for step in (clean, clean, candidate, clean):
        callbacks.emit(step.model_copy(update={"chunk": 0}))
    assert capsys.readouterr().err.count("nothing left to propose") == 2


def test_a_function_that_several_lanes_bring_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    """It is promoted once; a second look at it in its own chunk is said, and so is another source of its name."""
    first = next(step for step in usual() if isinstance(step, VerificationStep) and step.verdict.passed)
    other = first.verdict.candidate.model_copy(update={"sha256": "0" * 64})
    callbacks = Callbacks()
    LiveProgress().register(callbacks)
    for chunk, verdict in [
        (0, first.verdict),
        (1, first.verdict),
        (2, first.verdict),
        (0, first.verdict),
        (3, first.verdict.model_copy(update={"candidate": other})),
    ]:
        callbacks.emit(first.model_copy(update={"chunk": chunk, "verdict": verdict}))
    said = [line for line in capsys.readouterr().err.splitlines() if "✓" in line]
    assert ["again" in line for line in said] == [False, True, False]


def test_a_run_that_promoted_nothing_has_nothing_to_check(tmp_path: Path) -> None:
    """The folder is that of a run: the advice is not to name one."""
    place = tmp_path / "out" / "registry"
    with closing(open_registry(place)):
        pass
    (tmp_path / "a.csv").write_text("a\n1\n")
    asked = ["check", str(tmp_path / "a.csv"), "--functions", str(place)]
    with pytest.raises(UsageError, match=r"No function is in use in .*, so there is nothing to check") as caught:
        CliRunner().invoke(app, asked, catch_exceptions=False)
    assert "that promoted functions" in caught.value.advice


def test_a_repair_that_was_not_answered_was_not_unreadable(capsys: pytest.CaptureFixture[str]) -> None:
    """Where the budget is used up, or the model is not there, nothing was read."""
    repair = next(step for step in usual() if isinstance(step, RepairStep))
    callbacks = Callbacks()
    LiveProgress().register(callbacks)
    for again in (True, False):
        callbacks.emit(
            repair.model_copy(update={"again": again, "error": "All 2 model calls are used.", "proposed": False})
        )
    said = [line.strip() for line in capsys.readouterr().err.splitlines() if "All 2" in line]
    assert said == [
        "no answer: All 2 model calls are used.",
        "the repair could not be read: All 2 model calls are used.",
    ]
