"""Numbers and truth values that stand as texts among real ones in JSON are told: no function sees the difference."""

import json
from pathlib import Path
from typing import Any

import pytest

from orchestrator.data.formats import open_dataset

PAIRS = [(1.5, "2"), (2, 3), ("3.25", 4), (4, "5")]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([1, 2, "37", 4, "-8.5", None], "2 numbers stored as text among others that are not (first in line 3)"),
        ([True, False, True, "false"], "1 truth value stored as text among others that are not (first in line 4)"),
        ([1, 2, 3, "four", "007", "", None], ""),
        (["1", "2", "3", 4], ""),  # most are texts
        ([True, False, True, "0", "no"], ""),
        ([1, 2, 3, True], ""),
    ],
)
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.json"])
def test_numbers_stored_as_texts_are_told(values: list[Any], told: str, name: str, tmp_path: Path) -> None:
    """Nothing was said of them, though workbooks with the same had a note."""
    lines = [json.dumps({"a": value}) for value in values]
    path = tmp_path / name
    path.write_text("\n".join(lines) if name.endswith("l") else f"[{','.join(lines)}]")
    said = [note for note in open_dataset(path).notes if "stored as text" in note]
    assert len(said) == bool(told)
    assert all(told.split(" (", 1)[0] in note for note in said)
    assert name.endswith("json") or all(told in note for note in said)


def test_they_are_told_inside_of_objects_and_lists(tmp_path: Path) -> None:
    """The amounts of `price.amount` were passed over: only keys of the row itself were looked at."""
    rows = [{"price": {"amount": amount}, "lines": [{"qty": 1}, {"qty": qty}]} for amount, qty in PAIRS]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    first, second = (note for note in open_dataset(path).notes if "stored as text" in note)
    assert first.startswith("'price.amount': 1 number stored as text among others that are not (first in line 3)")
    assert second.startswith("'lines[].qty': 2 numbers stored as text among others that are not (first in line 1)")
