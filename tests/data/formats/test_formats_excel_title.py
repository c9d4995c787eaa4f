"""Sheets with a title above their header are read, and the title stays where it is; no row is taken for a title."""

from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset, open_writer

TABLE: list[list[object]] = [["id", "city", "price"], [1, " Rome", 2.5], [2, "Paris", 3.0]]


def workbook(path: Path, rows: Sequence[Sequence[object]], merged: Sequence[str] = ()) -> Path:
    book = openpyxl.Workbook()
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if value is not None:
                book.worksheets[0].cell(number, column).value = value
    for place in merged:
        book.worksheets[0].merge_cells(place)
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
    assert dataset.notes == (f"the header is in row {len(above) + 1}, below a title or headings that are no rows",)
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


@pytest.mark.parametrize(
    ("above", "merged"),
    [
        ([["Where", None, "What", None]], ["A1:B1", "C1:D1"]),
        ([["Sales"]], ["A1:D1"]),
        ([["Sales"], ["Where", None, "What", None]], ["A1:D1", "A2:B2", "C2:D2"]),
        ([["Sales of 2024"], ["by region"], ["Where", None, "What", None]], ["A1:D1", "A3:B3", "C3:D3"]),
        ([["Sales of 2024"], [], ["Where", None, "What", None]], ["A3:B3", "C3:D3"]),
    ],
)
def test_headings_over_several_columns_are_no_rows(
    tmp_path: Path, above: list[list[object]], merged: list[str]
) -> None:
    """Merged cells name no column: the names are below them. Such a sheet was refused."""
    table: list[list[object]] = [["id", "city", "price", "state"], [1, "Rome", 2.5, "new"], [2, "Oslo", 3, "old"]]
    dataset = open_dataset(workbook(tmp_path / "a.xlsx", [*above, *table], merged))
    assert dataset.columns == ("id", "city", "price", "state")
    assert sum(batch.table.num_rows for batch in dataset.read()) == 2
    assert f"the header is in row {len(above) + 1}, below a title or headings that are no rows" in dataset.notes


def test_groups_may_have_the_same_names(tmp_path: Path) -> None:
    """`sales` and `cost` of each year are the usual sheet of the kind. Control: two such names of one year."""
    rows: list[list[object]] = [["2024", None, "2025", None], ["sales", "cost", "sales", "cost"], [1, 2, 3, 4]]
    dataset = open_dataset(workbook(tmp_path / "a.xlsx", rows, ["A1:B1", "C1:D1"]))
    assert dataset.columns == ("sales", "cost", "sales.1", "cost.1")
    rows[1] = ["sales", "sales", "cost", "other"]
    with pytest.raises(DataError, match="has a value, and the header in row 1"):
        open_dataset(workbook(tmp_path / "a.xlsx", rows, ["A1:B1", "C1:D1"]))


@pytest.mark.parametrize(
    ("rows", "merged"),
    [
        # names of which one is merged, above a row that could be names
        ([["Name", None, "City", "Note", None], ["Ann", "Lee", "Rome", "tea", "x"]], ["A1:B1", "D1:E1"]),
        ([["Where", None, "What", None], ["1", "Rome", "2", "new"]], ["A1:B1", "C1:D1"]),  # numbers name nothing
        ([["Where", None, "What", None], ["a", None, "b", "c"], [1, 2, 3, 4]], ["A1:B1", "C1:D1"]),  # one has no name
    ],
)
def test_merged_cells_alone_make_no_row_a_header(tmp_path: Path, rows: list[list[object]], merged: list[str]) -> None:
    """The first row stays the header, and what stands beside it is refused, as without merged cells."""
    with pytest.raises(DataError, match="has a value, and the header in row 1 goes from A to"):
        open_dataset(workbook(tmp_path / "a.xlsx", rows, merged))


def test_a_title_above_a_header_with_merged_cells_is_read_as_before(tmp_path: Path) -> None:
    """The row below them holds numbers, so that it is no header."""
    rows: list[list[object]] = [["A title"], [], ["Where", None, "What", None], ["Rome", 1, "new"]]
    dataset = open_dataset(workbook(tmp_path / "a.xlsx", rows, ["A3:B3", "C3:D3"]))
    assert dataset.columns == ("Where", "Unnamed: 1", "What")


def test_an_empty_sheet_of_several_names_the_others(tmp_path: Path) -> None:
    """The first sheet is often a cover."""
    book = openpyxl.Workbook()
    book.worksheets[0].append(["nothing"])
    book.create_sheet("Data").append(["id"])
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(DataError, match="has a header but no rows") as refused:
        open_dataset(tmp_path / "a.xlsx")
    assert "--sheet NAME for another one: Sheet, Data" in refused.value.advice
