"""Sheets with a title above their header are read, and the title stays where it is; no row is taken for a title."""

from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset, open_writer

TABLE: list[list[object]] = [["id", "city", "price"], [1, " Rome", 2.5], [2, "Paris", 3.0]]


def workbook(path: Path, rows: Sequence[Sequence[object]]) -> Path:
    book = openpyxl.Workbook()
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if value is not None:
                book.worksheets[0].cell(number, column).value = value
    book.save(path)
    return path


@pytest.mark.parametrize(
    "above",
    [
        [["Sales of 2024"]],
        [["Sales"], []],
        [[], [None, "Sales of 2024"], ["by region"], [], []],
        [["From:"], ["To:"], []],
    ],
)
def test_a_title_is_no_row_and_stays(tmp_path: Path, above: list[list[object]]) -> None:
    """A changed cell is written into its own row; the title and the header are where they were."""
    dataset = open_dataset(workbook(tmp_path / "a.xlsx", [*above, *TABLE]))
    assert dataset.columns == ("id", "city", "price")
    assert dataset.notes == (f"the header is in row {len(above) + 1}, below a title that is no row of the table",)
    with open_writer(tmp_path / "b.xlsx", like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            trimmed = [cell.strip() for cell in batch.table.column("city").to_pylist()]
            writer.write(batch.table.set_column(1, "city", [trimmed]), batch)
    made = [list(row) for row in openpyxl.load_workbook(tmp_path / "b.xlsx").active.iter_rows(values_only=True)]
    wanted = [*above, TABLE[0], [1, "Rome", 2.5], TABLE[2]]
    assert made == [[*row, *[None] * (3 - len(row))] for row in wanted]


@pytest.mark.parametrize(
    "rows",
    [
        [["name"], ["Ann", "Paris", "FR"], ["Bob", "Rome", "IT"]],  # a header of too few names
        [["name", "city"], ["Ann", "Paris", "FR"]],
        [["Ann Lee"], [1, "Paris"], [2, "Rome"]],  # no names below
        [["a title"], ["x", "x"], ["1", "2"]],  # one name twice
        [["region", "Sales"], [None, "2023", "2024"], ["North", 1, 2]],  # two rows of headers
        [["id"], *([[n] for n in range(25)]), ["a", "b"]],  # after the first rows
    ],
)
def test_a_value_beside_the_first_row_is_refused_where_that_may_be_the_header(
    tmp_path: Path, rows: list[list[object]]
) -> None:
    """Nobody's row becomes a header."""
    with pytest.raises(DataError, match="has a value, and the header in row 1 goes from A to"):
        open_dataset(workbook(tmp_path / "a.xlsx", rows))


@pytest.mark.parametrize("rows", [[["only column"], ["a b"]], [["a b", "c"], ["only first"], ["x", "y"]]])
def test_a_first_row_that_can_be_the_header_is_the_header(tmp_path: Path, rows: list[list[object]]) -> None:
    """Also where the rows below it look like a title."""
    dataset = open_dataset(workbook(tmp_path / "a.xlsx", rows))
    assert dataset.columns == tuple(rows[0])
    assert dataset.rows == len(rows) - 1
