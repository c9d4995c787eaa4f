"""What `cleanroom registry diff` prints of two versions."""

import pytest

from orchestrator.cli.views.diff_view import show_diff
from orchestrator.core.differences import CellDiff, VersionDiff
from orchestrator.data.row_numbers import RowNumbers


def test_a_cell_is_named_by_its_row_in_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    """The header and a row that could not be read are rows for whoever opens the file."""
    cell = CellDiff(row=3, column="city", before=" Ulm", old="Ulm", new="ULM")
    found = VersionDiff(name="trim_city", old=1, new=2, rows=4, changed={"city": 1}, examples=(cell,))
    show_diff(found, RowNumbers(1, (2,), "the header is row 1"))
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["5", "city", "'", "Ulm'", "'Ulm'", "'ULM'"] in shown
    assert ["the", "header", "is", "row", "1"] in shown
