"""What hangs on cells of a sheet: an edit that would leave it beside another row, or break it, is refused."""

import re
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow as pa
import pytest
from openpyxl.comments import Comment
from openpyxl.worksheet.table import Table

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset, open_writer
from tests.data.formats.test_formats_excel import parts_of, put


@pytest.fixture
def sheet_of(tmp_path: Path) -> Callable[[Callable[[openpyxl.worksheet.worksheet.Worksheet], object]], Path]:
    """A workbook of four rows, with something more in its sheet."""

    def made(more: Callable[[openpyxl.worksheet.worksheet.Worksheet], object]) -> Path:
        book = openpyxl.Workbook()
        sheet = book.worksheets[0]
        for line in (["id", "city", "price"], [1, "Rome", 5], [2, " Oslo", 6], [3, "Bern", 7], [4, "Bonn", 8]):
            sheet.append(line)
        more(sheet)
        book.save(tmp_path / "in.xlsx")
        return tmp_path / "in.xlsx"

    return made


def write(source: Path, rows: list[int], columns: list[str]) -> Path:
    """These rows and columns of it."""
    dataset = open_dataset(source)
    target = source.with_name("out.xlsx")
    target.unlink(missing_ok=True)
    (batch,) = dataset.read()
    kept = batch.take(rows)
    table = kept.table.select(columns)
    with open_writer(target, like=dataset, schema=table.schema) as writer:
        writer.write(table, kept)
    return target


ALL = ["id", "city", "price"]


def test_comments_and_links_never_come_to_other_rows(sheet_of: Callable[..., Path]) -> None:
    """A comment on Bern stood beside Bonn when Oslo was dropped."""

    def comment(sheet: openpyxl.worksheet.worksheet.Worksheet) -> None:
        sheet["B4"].comment = Comment("ours", "me")

    def link(sheet: openpyxl.worksheet.worksheet.Worksheet) -> None:
        sheet["B4"].hyperlink = "https://example.org/bern"

    for more in (comment, link):
        source = sheet_of(more)
        with pytest.raises(DataError, match="comments or links on cells") as refused:
            write(source, [0, 2, 3], ALL)
        assert "CSV" in refused.value.advice
        assert not source.with_name("out.xlsx").exists()
        write(source, [0, 1, 2], ALL)  # what is above the row that goes stays where it is
        write(source, [0, 1, 2, 3], ALL[1:])


def test_no_column_is_taken_out_of_a_table(sheet_of: Callable[..., Path]) -> None:
    """The header's cell was emptied while the table still had its name: a broken workbook for spreadsheet programs."""
    source = sheet_of(lambda sheet: sheet.add_table(Table(displayName="T", ref="A1:C5")))
    with pytest.raises(DataError, match="has a table, out of which no column can be taken"):
        write(source, [0, 1, 2, 3], ["id", "city"])
    made = openpyxl.load_workbook(write(source, [0, 2], ALL)).worksheets[0]
    assert [[cell.value for cell in row] for row in made["A1:C3"]] == [ALL, [1, "Rome", 5], [3, "Bern", 7]]
    beside = sheet_of(lambda sheet: sheet.add_table(Table(displayName="T", ref="A1:B5")))
    assert open_dataset(write(beside, [0, 1, 2, 3], ["id", "city"])).columns == ("id", "city")


def test_a_row_of_totals_stays_where_its_table_says(sheet_of: Callable[..., Path]) -> None:
    """It would have moved up, out of the place that the table names."""
    source = sheet_of(lambda sheet: sheet.add_table(Table(displayName="T", ref="A1:C5", totalsRowCount=1)))
    with pytest.raises(DataError, match="row of totals"):
        write(source, [0, 2, 3], ALL)
    write(source, [0, 1, 2, 3], ALL)


def test_formulas_are_calculated_again_whatever_the_workbook_says(sheet_of: Callable[..., Path]) -> None:
    """Also where it says nothing about calculation, or that it shall not: other sheets showed sums of the old cells."""
    source = sheet_of(lambda sheet: sheet.parent.create_sheet("Sum").append(["=SUM(Sheet!C2:C5)"]))
    parts = parts_of(source)
    book = parts["xl/workbook.xml"]
    wish = rb'<((?:\w+:)?)calcPr fullCalcOnLoad="1"'
    for other in (re.sub(rb"<calcPr[^>]*/>", b"", book), re.sub(rb"<calcPr", b'<calcPr fullCalcOnLoad="0"', book)):
        put(
            source, parts | {"xl/workbook.xml": re.sub(rb'(fullCalcOnLoad="0"[^>]*) fullCalcOnLoad="1"', rb"\1", other)}
        )
        target = write(source, [0, 1, 2, 3], ALL)
        made = parts_of(target)["xl/workbook.xml"]
        assert len(re.findall(wish, made)) == len(re.findall(rb"fullCalcOnLoad", made)) == 1
        assert made.index(b"</sheets>") < made.index(b"calcPr")
        assert openpyxl.load_workbook(target).sheetnames == ["Sheet", "Sum"]


def test_a_new_column_of_numbers_holds_numbers(sheet_of: Callable[..., Path]) -> None:
    """They were texts, which no sum counts."""
    source = sheet_of(lambda _: None)
    dataset = open_dataset(source)
    (batch,) = dataset.read()
    table = batch.table.append_column("cents", pa.array([500, 600, None, 800])).append_column(
        "share", pa.array([0.5, 2.0, 0.25, None])
    )
    with open_writer(source.with_name("out.xlsx"), like=dataset, schema=table.schema) as writer:
        writer.write(table, batch)
    made = openpyxl.load_workbook(source.with_name("out.xlsx")).worksheets[0]
    assert [[cell.value for cell in row] for row in made["D1:E5"]] == [
        ["cents", "share"], [500, 0.5], [600, 2], [None, 0.25], [800, None],
    ]  # fmt: skip
