"""Rows are told by the number that they have in the file."""

from pathlib import Path

import openpyxl
import pytest

from orchestrator.data.formats import open_dataset
from orchestrator.data.renamed import RenamedDataset
from orchestrator.data.row_numbers import RowNumbers


@pytest.mark.parametrize(
    ("name", "text", "rows", "remark"),
    [
        ("a.csv", "a,b\n1,2\n3,4\n", [2, 3], " (the header is row 1)"),
        ("a.csv", "sep=,\na,b\n1,2\n3,4\n", [3, 4], " (the header is row 2)"),
        ("a.csv", "a,b\n1,2\nx\ny\n3,4\nz\n5,6\n", [2, 5, 7], " (the header is row 1)"),
        ("a.csv", "Report\n\na,b\n1,2\n\n3,4\n", [3, 4], " (the header is row 2, blank lines are not counted)"),
        ("a.jsonl", '{"a": 1}\n{"a"\n{"a": 2}\n', [1, 3], ""),
        ("a.jsonl", '\n{"a": 1}\n\n{"a"\n\n{"a": 2}\n', [1, 3], ""),  # blank lines are no rows
    ],
)
def test_a_row_has_the_number_that_it_has_in_the_file(
    tmp_path: Path, name: str, text: str, rows: list[int], remark: str
) -> None:
    """The header counts where it is a row, and so do lines before it and rows that could not be read."""
    (tmp_path / name).write_text(text)
    dataset = open_dataset(tmp_path / name, set_aside=True)
    for one in (dataset, RenamedDataset(dataset, {"a": "z"})):
        numbers = RowNumbers.of(one)
        assert [numbers.of_row(row) for row in range(one.rows)] == rows
        assert numbers.remark == remark


@pytest.mark.parametrize(("header", "rows"), [(1, [2, 3, 6]), (4, [5, 6, 9])])
def test_a_row_of_a_sheet_has_the_number_that_it_has_there(tmp_path: Path, header: int, rows: list[int]) -> None:
    """The header counts, and so do a title above it and rows without a value."""
    book = openpyxl.Workbook()
    book.active["A1"] = "Report of March"
    for row, (name, city) in zip([header, *rows], [("a", "b"), ("1", "2"), ("3", "4"), ("5", "6")], strict=True):
        book.active.cell(row, 1, name)
        book.active.cell(row, 2, city)
    book.save(tmp_path / "a.xlsx")
    dataset = open_dataset(tmp_path / "a.xlsx")
    for one in (dataset, RenamedDataset(dataset, {"a": "z"})):
        numbers = RowNumbers.of(one)
        assert [numbers.of_row(row) for row in range(one.rows)] == rows
        assert numbers.remark == ""
