"""A run that ended by itself is "complete" for people, everywhere, and `clean` for programs, as ever."""

import json
from pathlib import Path

import pytest

from orchestrator.api import Cleanroom
from orchestrator.cli.views.run_summary_view import show_run
from orchestrator.core.errors import UsageError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.steps.run_steps import EndStep, RunStatus
from orchestrator.run.journal.journal import Journal
from orchestrator.run.loop.run_summary import RunSummary
from tests.run.report_steps import usual
from tests.support.command import Call


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a run that ended `clean`."""
    steps = [step for step in usual() if not isinstance(step, EndStep)]
    end = next(step for step in usual() if isinstance(step, EndStep))
    (tmp_path / "done").mkdir()
    with Journal(tmp_path / "done" / "run.jsonl") as journal:
        for step in (*steps, end.model_copy(update={"status": RunStatus.CLEAN})):
            journal.append(step)
    return tmp_path / "done"


def test_people_read_complete(cleanroom: Call, run: Path) -> None:
    """In the list, at the end of the tree, and where there is nothing to go on with: here and in the library."""
    listed = cleanroom("runs", "list").stdout
    assert "complete" in listed
    assert "clean" not in listed
    last = cleanroom("runs", "show", "done").stdout.splitlines()[-1]
    assert "complete: " in last
    assert "clean" not in last
    said = cleanroom("runs", "resume", "done").stderr
    assert "The run has ended (complete): there is nothing to go on with." in said
    with pytest.raises(UsageError, match=r"ended \(complete\)"):
        Cleanroom().resume(run)


def test_programs_read_clean(cleanroom: Call, run: Path) -> None:
    """In JSON, in the journal and in the library: what compares it goes on working."""
    assert json.loads(cleanroom("runs", "list", "--json").stdout)["status"] == "clean"
    assert json.loads(cleanroom("runs", "show", "done", "--json").stdout.splitlines()[-1])["status"] == "clean"
    past = Cleanroom.past(run)
    assert past.end is not None
    assert past.end.status == "clean"


def test_a_notebook_shows_complete() -> None:
    """In the heading of a run's table; its value is the same."""
    summary = RunSummary(
        run_id="0" * 12, status=RunStatus.CLEAN, rows=2, promoted=(), rejected=0, changed={},
        usage=TokenUsage(), seconds=1.0, files={},
    )  # fmt: skip
    assert ": complete" in summary._repr_html_()
    assert '"status":"clean"' in summary.model_dump_json()


def test_columns_that_were_added_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Beside the cells that were changed, which are those of the columns that were there."""
    summary = RunSummary(
        run_id="r", status=RunStatus.CLEAN, rows=2, promoted=("add_year",), rejected=0, changed={"day": 3},
        added=("year", "[red]"), usage=TokenUsage(), seconds=1.0, files={},
    )  # fmt: skip
    show_run(summary, as_json=False)
    assert "3 cells changed in 1 column, 2 columns added: year, [red] (complete" in " ".join(
        capsys.readouterr().out.split()
    )


@pytest.mark.parametrize("status", [status for status in RunStatus if status is not RunStatus.CLEAN])
def test_every_other_word_is_the_same_for_both(status: RunStatus) -> None:
    """Only that one says more than it means."""
    assert status.shown == status.value
