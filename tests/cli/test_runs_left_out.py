"""`runs list` says which journals it could not read."""

import json
from pathlib import Path

import pytest

from orchestrator.run.journal.journal import Journal
from orchestrator.run.journal.listing import runs_below
from tests.run.report_steps import usual
from tests.support.command import Call


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_journal_that_cannot_be_read_is_named(cleanroom: Call, tmp_path: Path, more: list[str]) -> None:
    """In one line on stderr, with the reason; stdout has the other runs, as ever."""
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
    with Journal(tmp_path / "good" / "run.jsonl") as journal:
        for step in usual():
            journal.append(step)
    (tmp_path / "bad" / "run.jsonl").write_text('{"kind":"from another version"}\n')
    done = cleanroom("runs", "list", *more)
    assert done.returncode == 0
    [line] = done.stderr.splitlines()
    assert line.startswith("note: the run in bad is left out: Line 1 of bad/run.jsonl is not a step of a run.")
    assert "good" in done.stdout
    assert "bad" not in done.stdout
    if more:
        [listed] = map(json.loads, done.stdout.splitlines())
        assert listed["folder"] == "good"


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_place_that_is_no_folder_is_refused(cleanroom: Call, more: list[str]) -> None:
    """A name with a typing error looked like a folder without runs."""
    done = cleanroom("runs", "list", "nofolder", *more)
    assert done.returncode == 2
    assert "There is no folder nofolder." in done.stdout + done.stderr


def test_a_folder_that_may_not_be_looked_into_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its run would seem not to be there."""
    for name in ("good", "shut"):
        (tmp_path / name).mkdir()
    with Journal(tmp_path / "good" / "run.jsonl") as journal:
        for step in usual():
            journal.append(step)
    is_file = Path.is_file

    def refused(path: Path) -> bool:
        if path.parent.name == "shut":
            raise PermissionError(13, "Permission denied")
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", refused)
    left_out: list[str] = []
    found = [run.folder for run in runs_below(tmp_path, lambda _folder, why: left_out.append(why.message))]
    assert found == [str(tmp_path / "good")]
    assert left_out == [f"{tmp_path / 'shut'} may not be looked into."]
