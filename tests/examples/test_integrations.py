"""What makes cleanroom usable where people already work: DataFrames, notebooks, schedulers, the shell."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

import orchestrator.pandas_accessor  # noqa: F401 - adds df.cleanroom
from orchestrator.core.columns import FunctionChange
from orchestrator.core.errors import UsageError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.steps import ApplyStep, RunStatus
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict
from orchestrator.run.loop.run_summary import RunSummary

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "integrations"
CLEANROOM = Path(sys.executable).parent / "cleanroom"


class _Copying:
    """In place of a Cleanroom: upper case in place of what functions would do. `used`: their names."""

    def __init__(self, *used: str) -> None:
        self._used = used

    def apply(
        self, data: Path, functions: str, output: Path, *, drift: str, columns: dict[str, str] | None
    ) -> ApplyStep:
        assert (functions, drift, columns) == ("result", "accept", {"city": "city"})
        frame = pd.read_parquet(data)
        frame["city"] = frame["city"].str.upper()
        frame.to_parquet(output)
        used = tuple(FunctionChange(name=name) for name in self._used)
        return ApplyStep(at=datetime.now(UTC), functions=used)


def test_a_frame_keeps_its_index() -> None:
    """The DataFrame goes there and back with its types, and the rows have the names that they had."""
    frame = pd.DataFrame({"city": ["Bonn", "Kiel"], "n": [1, 2]}, index=["x", "y"])
    copying = _Copying("upper")
    accessor: Any = frame.cleanroom
    cleaned = accessor.apply("result", drift="accept", columns={"city": "city"}, cleanroom=copying)
    wanted = pd.DataFrame({"city": ["BONN", "KIEL"], "n": [1, 2]}, index=["x", "y"])
    pd.testing.assert_frame_equal(cleaned, wanted)
    assert frame["city"].to_list() == ["Bonn", "Kiel"]


def test_a_frame_that_no_function_cleans_does_not_pass_for_a_clean_one() -> None:
    """Where all are held or suspended the same rows came back without a word, and a dbt model replaced its table."""
    accessor: Any = pd.DataFrame({"city": ["Bonn"]}).cleanroom
    with pytest.raises(UsageError, match="No function is in use there") as caught:
        accessor.apply("result", drift="accept", columns={"city": "city"}, cleanroom=_Copying())
    assert "cleanroom review" in caught.value.advice


@pytest.mark.parametrize("columns", [[1, 2], ["a", "a"]])
def test_columns_without_names_are_refused(columns: list[object]) -> None:
    """One sentence, before anything is started."""
    accessor: Any = pd.DataFrame([[1, 2]], columns=columns).cleanroom
    with pytest.raises(UsageError, match="need names"):
        accessor.apply("result")


@pytest.mark.parametrize(
    "cells",
    [[1, "a"], pd.Series(["\ud800", "a"], dtype=object), [1j, 2j], [2**70, 1], [object(), None], pd.cut([1, 9], 2)],
    ids=["mixed", "surrogate", "complex", "huge", "object", "intervals"],
)
def test_a_column_that_parquet_cannot_hold_is_named(cells: Any) -> None:
    """One sentence that names the column and not the cell, before anything is started."""
    accessor: Any = pd.DataFrame({"city": ["Bonn", "Kiel"], "odd": cells}).cleanroom
    with pytest.raises(UsageError, match="The column 'odd' of the DataFrame cannot be written") as caught:
        accessor.apply("result")
    assert "astype" in caught.value.advice


def test_notebooks_show_tables_in_which_no_text_is_markup() -> None:
    """A verdict and a summary are tables; what comes from data is escaped."""
    hostile = "<script>alert(1)</script>\u202e"
    verdict = Verdict(
        candidate=CandidateInfo(name="trim", sha256="0" * 64),
        verdict=Outcome.FAIL,
        checks=(CheckResult(id="pure", outcome=Outcome.FAIL, detail=hostile),),
    )
    summary = RunSummary(
        run_id="0" * 12, status=RunStatus.CLEAN, rows=2, promoted=("trim",), rejected=0, changed={hostile: 2},
        usage=TokenUsage(), seconds=1.0, files={"report": hostile},
    )  # fmt: skip
    for shown in (verdict._repr_html_(), summary._repr_html_()):
        assert shown.startswith("<table>")
        assert "trim" in shown
        assert "&lt;script&gt;" in shown
        assert "<script>" not in shown
        assert "\u202e" not in shown


def test_the_action_hands_its_inputs_over_as_variables() -> None:
    """No input stands in a script, where it would be run; the steps are those of a composite action."""
    action = yaml.safe_load((EXAMPLES / "github-action" / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    steps = action["runs"]["steps"]
    assert all(step["shell"] == "bash" for step in steps)
    assert not any("${{" in step["run"] for step in steps)
    assert set(action["inputs"]) == {"functions", "data", "sarif"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_commands(shell: str) -> None:
    """The script is printed, and the program answers what it asks."""
    asks = {
        "_CLEANROOM_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "cleanroom anal",
        "COMP_WORDS": "cleanroom anal",
        "COMP_CWORD": "1",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run(
        [str(CLEANROOM)], capture_output=True, text=True, env=os.environ | asks, timeout=60, check=False
    )
    assert "analyze" in done.stdout


def test_provenance_names_what_was_built(tmp_path: Path) -> None:
    """The statement has every file's hash and the commit."""
    (tmp_path / "a.whl").write_bytes(b"wheel")
    subprocess.run([sys.executable, ".ci/provenance.py", str(tmp_path)], check=True, cwd=ROOT)
    statement = json.loads((tmp_path / "provenance.json").read_text())
    assert [one["name"] for one in statement["subject"]] == ["a.whl"]
    dependencies = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert len(dependencies[0]["digest"]["gitCommit"]) == 40
