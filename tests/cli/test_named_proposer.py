"""A proposer is one entry of a table: `--model NAME` finds a toy one, and its limits are said as the built-in one's."""

import json
from pathlib import Path

import pytest

from orchestrator.core.proposals import Analysis, ChunkStatus, Issue
from orchestrator.propose.named import PROPOSERS, NamedProposer
from orchestrator.propose.scripted_models import ScriptedProposer
from tests.support.command import Call

FOUND = Analysis(
    chunk_status=ChunkStatus.NEEDS_WORK,
    issues=(Issue(id="echo", description="city is in another language", columns=("city",)),),
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = NamedProposer("toy proposer", lambda: ScriptedProposer([FOUND], name="toy"), by_row=False)
    monkeypatch.setitem(PROPOSERS, "toy", made)
    (tmp_path / "rows.csv").write_text("city\nRome\nBonn\n", encoding="utf-8")


@pytest.mark.usefixtures("toy")
def test_one_entry_makes_a_proposer_that_the_commands_know(cleanroom: Call) -> None:
    """What the toy finds is what `analyze --model toy` prints."""
    done = cleanroom("analyze", "rows.csv", "--model", "toy", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["proposer"] == "toy"
    assert [issue["description"] for issue in answer["issues"]] == ["city is in another language"]


@pytest.mark.usefixtures("toy")
def test_a_proposer_of_tables_is_refused_other_shapes(cleanroom: Call) -> None:
    """The refusal names it and says what to do."""
    done = cleanroom("analyze", "rows.csv", "--model", "toy", "--shape", "record")
    assert done.returncode == 2
    assert "The toy proposer makes functions of tables only, not of the shape record." in done.stderr.replace("\n", " ")
    assert "--model" in done.stderr
