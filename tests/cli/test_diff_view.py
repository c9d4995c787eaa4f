"""What `cleanroom registry diff` prints of two versions."""

import pytest

from orchestrator.cli.views.diff_view import show_diff
from orchestrator.core.differences import CellDiff, VersionDiff
from orchestrator.data.row_numbers import RowNumbers
from orchestrator.run.apply.version_diff import numbered_in_file


def test_a_cell_is_named_by_its_row_in_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    """The header and a row that could not be read are rows for whoever opens the file."""
    cell = CellDiff(row=3, column="city", before=" Ulm", old="Ulm", new="ULM")
    found = VersionDiff(name="trim_city", old=1, new=2, rows=4, changed={"city": 1}, examples=(cell,))
    numbers = RowNumbers(1, (2,), "the header is row 1")
    show_diff(numbered_in_file(found, numbers), numbers.how)
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["5", "city", "'", "Ulm'", "'Ulm'", "'ULM'"] in shown
    assert ["the", "header", "is", "row", "1"] in shown
    show_diff(found, numbers.how)
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert shown[2][:4] == ["row", "of", "the", "sample"], "the control: where nobody knows, that is said"
    assert ["3", "city", "'", "Ulm'", "'Ulm'", "'ULM'"] in shown
