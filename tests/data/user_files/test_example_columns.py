"""Examples with columns that the data have not are refused before a run begins."""

import json
from pathlib import Path

import pytest

from orchestrator.core.errors import DataError
from orchestrator.run.request import RunRequest


def request(folder: Path, *examples: object) -> RunRequest:
    (folder / "in.csv").write_text("port,weight\n Hamburg,1 kg\n")
    (folder / "e.jsonl").write_text("".join(json.dumps(example) + "\n" for example in examples))
    return RunRequest(data=folder / "in.csv", out=folder / "out", examples=folder / "e.jsonl")


def test_a_mistyped_column_is_refused_with_what_may_be_meant(tmp_path: Path) -> None:
    """No function could be compared with it, so that it would count for nothing without a word."""
    right = {"input": {"weight": "1 kg"}, "output": {"weight": "1"}}
    wrong = {"input": {"prt": " Hamburg"}, "output": {"prt": "HAMBURG"}}
    with pytest.raises(DataError, match=r"Example 2 names the column 'prt', which in\.csv does not have") as caught:
        request(tmp_path, right, wrong).check()
    assert caught.value.advice == "'port' may be meant. It has 'port', 'weight'."
    assert not (tmp_path / "out").exists()


def test_other_examples_are_taken(tmp_path: Path) -> None:
    """A function may add a column, drop a row, or be about texts."""
    added = {"input": {"port": "Kiel"}, "output": {"port": "Kiel", "country": "DE"}}
    dropped = {"input": {"port": "total"}, "output": None}
    text = {"input": "Kiel ", "output": "Kiel"}
    assert len(request(tmp_path, added, dropped, text).check().examples) == 3
