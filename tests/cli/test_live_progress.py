"""What a run says while it goes on, and where it promoted nothing."""

from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestrator.bootstrap import open_registry
from orchestrator.cli.main import app
from orchestrator.cli.views.live import LiveProgress
from orchestrator.core.errors import UsageError
from orchestrator.core.steps import ApplyStep
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
