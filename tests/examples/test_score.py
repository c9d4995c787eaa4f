"""The score: counts by hand on a tiny table."""

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from examples.score import Broken, score

ROOT = Path(__file__).resolve().parents[2]
DIRTY = pd.DataFrame({"a": ["x ", "y", "z", "q?"], "b": ["1", "2,0", "3", "4"]}, dtype=str)
TRUTH = pd.DataFrame({"a": ["x", "y", "z", "q"], "b": ["1", "2.0", "3", "4"]}, dtype=str)
CLEANED = pd.DataFrame({"a": ["x", "y", "Z", "Q"], "b": ["1", "2.0", "3", "4"]}, dtype=str)


def test_counts_match_a_count_by_hand() -> None:
    """Two repairs, one wrong repair and one broken cell give the expected figures."""
    result = score(DIRTY, CLEANED, TRUTH)
    assert (result.error_cells, result.changed, result.right, result.wrong) == (3, 4, 2, 2)
    assert (result.precision, result.recall) == (0.5, 2 / 3)
    assert result.f1 == pytest.approx(4 / 7)
    assert result.broken == [Broken(2, "a", "z", "Z")]
    assert result.by_column["b"].precision == 1.0


def test_an_untouched_table_is_precise_and_recalls_nothing() -> None:
    """Doing nothing changes no cell: no wrong changes, no repairs."""
    result = score(DIRTY, DIRTY, TRUTH)
    assert (result.changed, result.precision, result.recall, result.f1) == (0, 1.0, 0.0, 0.0)


def test_kinds_are_counted_by_the_list_of_errors() -> None:
    """Each kind of mess gets its own figures."""
    errors = pd.DataFrame({"row": [0, 1, 3], "column": ["a", "b", "a"], "kind": ["blank", "comma", "typo"]})
    kinds = score(DIRTY, CLEANED, TRUTH, errors).by_kind
    assert kinds["blank"].right == kinds["comma"].right == 1
    assert (kinds["typo"].right, kinds["typo"].wrong) == (0, 1)


def test_columns_are_matched_by_position() -> None:
    """A truth whose columns have other names still counts."""
    assert score(DIRTY, CLEANED, TRUTH.set_axis(["A", "B"], axis=1)).right == 2


def test_other_shapes_are_refused() -> None:
    """A cleaned table with fewer rows cannot be scored cell by cell."""
    with pytest.raises(ValueError, match="shapes differ"):
        score(DIRTY, CLEANED.head(2), TRUTH)


def test_the_program_prints_figures_and_every_broken_cell(tmp_path: Path) -> None:
    """As a program it prints tables for people and one object for programs."""
    for name, table in (("dirty", DIRTY), ("cleaned", CLEANED), ("truth", TRUTH)):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    command = [
        sys.executable,
        str(ROOT / "examples" / "score.py"),
        *(str(tmp_path / f"{n}.csv") for n in ("dirty", "cleaned", "truth")),
    ]
    people = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "row 2, a: 'z' became 'Z'" in people
    programs = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    assert programs["broken"] == [{"row": 2, "column": "a", "was": "z", "became": "Z"}]
