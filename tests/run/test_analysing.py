"""What is wrong with a file, without an engine and without a function."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestrator.cli.main import app
from orchestrator.core.candidate import Shape
from orchestrator.core.errors import DataError, ModelRefused, UsageError
from orchestrator.core.proposals import Analysis, Issue
from orchestrator.data.record_tables import records_of
from orchestrator.propose.scripted_models import ScriptedProposer
from orchestrator.run.analyze import AnalysisRequest, analyse

BLANKS = Analysis(issues=(Issue(id="1", description="Stray blanks.", columns=("city",)),), source="def f(df): ...")


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "messy.csv"
    path.write_text("city,n\n" + "".join(f"{' ' * (i % 2)}Bonn,{i}\n" for i in range(40)))
    return path


def test_issues_of_all_chunks_are_told_once(messy: Path) -> None:
    """Every chunk is shown, whole; an issue found twice is one issue; what was proposed is left aside."""
    proposer = ScriptedProposer([BLANKS, BLANKS])
    found = analyse(AnalysisRequest(data=messy, chunk_rows=20, max_chunks=2), proposer)
    assert [request.rows.num_rows for request in proposer.requests] == [20, 20]
    assert found.issues == BLANKS.issues
    assert (found.rows, found.seen_rows) == (40, 40)
    assert {column.name: column.untrimmed for column in found.columns} == {"city": 20, "n": 0}


def test_a_model_that_cannot_be_had_is_an_error(messy: Path) -> None:
    """There is nothing to tell when the proposer did not answer."""
    with pytest.raises(ModelRefused):
        analyse(AnalysisRequest(data=messy), ScriptedProposer([ModelRefused("No.")]))


def test_the_command_prints_measures_and_issues(messy: Path) -> None:
    """A person sees a line per column and the issues; a program gets one JSON object; neither needs an engine."""
    shown = CliRunner().invoke(app, ["analyze", str(messy)])
    assert shown.exit_code == 0
    assert "40 rows, 2 columns" in shown.output
    assert "city" in shown.output.split("1 issue, found by builtin")[1]
    told = json.loads(CliRunner().invoke(app, ["analyze", str(messy), "--json"]).stdout)
    assert told["issues"][0]["columns"] == ["city"]


def test_rows_that_cannot_be_read_are_told_and_left_out(messy: Path) -> None:
    """They are a part of what is wrong with the file; where that is asked for they are kept, as they stood."""
    messy.write_text(messy.read_text() + "Bonn,1,2\n")
    aside, same = messy.with_name("aside.csv"), str(messy)
    shown = CliRunner().invoke(app, ["analyze", str(messy), "--quarantine", str(aside)])
    assert shown.exit_code == 0
    assert "1 row cannot be read, and was left out" in shown.output
    assert "row 42 of the file: 3 fields where the header has 2" in shown.output
    assert (
        aside.read_text().splitlines()[1]
        == ',,row 42 of the file (the header is row 1): 3 fields where the header has 2,"Bonn,1,2"'
    )
    told = json.loads(CliRunner().invoke(app, ["analyze", str(messy), "--json"]).stdout)
    assert told["rows"] == 40
    assert told["unreadable"] == [{"number": 42, "reason": "3 fields where the header has 2", "text": "Bonn,1,2"}]
    with pytest.raises(UsageError, match="The data and the quarantine are the same file"):
        CliRunner().invoke(app, ["analyze", same, "--quarantine", same], catch_exceptions=False)


def test_where_every_row_can_be_read_there_is_no_quarantine(messy: Path) -> None:
    """Neither a file nor a word about it."""
    shown = CliRunner().invoke(app, ["analyze", str(messy), "--quarantine", str(messy.with_name("aside.csv"))])
    assert (shown.exit_code, "cannot be read" in shown.output) == (0, False)
    assert [path.name for path in messy.parent.iterdir()] == ["messy.csv"]


@pytest.mark.parametrize("shape", [Shape.RECORD, Shape.TEXT])
def test_records_are_shown_with_all_that_is_nested(tmp_path: Path, shape: Shape) -> None:
    """The proposer gets every value as it stands in the file, and is told the shape; the measures are the same."""
    rows = [{"city": " Bonn", "tags": [n, {"x": None}]} for n in range(20)]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    proposer = ScriptedProposer([BLANKS])
    found = analyse(AnalysisRequest(data=path, shape=shape, sampling="sequential"), proposer)
    assert records_of(proposer.requests[0].rows) == rows
    assert proposer.requests[0].shape is shape
    assert (found.rows, found.issues) == (20, BLANKS.issues)
    assert {column.name: column.untrimmed for column in found.columns}["city"] == 20


def test_the_built_in_proposer_is_not_asked_about_records(messy: Path) -> None:
    """One sentence says what to do instead."""
    result = CliRunner().invoke(app, ["analyze", str(messy), "--shape", "record", "--model", "builtin"])
    assert isinstance(result.exception, UsageError)
    assert "functions of tables only" in result.exception.message
    assert "--model" in result.exception.advice


@pytest.mark.parametrize(("arguments", "error"), [(["-i", "@nowhere.txt"], UsageError), ([], DataError)])
def test_bad_input_is_said(tmp_path: Path, arguments: list[str], error: type[Exception]) -> None:
    """A file that is not there, of data or of words, is one sentence."""
    result = CliRunner().invoke(app, ["analyze", str(tmp_path / "nowhere.csv"), *arguments])
    assert isinstance(result.exception, error)
