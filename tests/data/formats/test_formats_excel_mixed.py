"""Workbooks in which some numbers and dates of a column are texts, as people type them."""

from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest
from openpyxl.styles import PatternFill

from orchestrator.data.formats import open_dataset, open_writer

DAY = datetime(2024, 1, 5)  # noqa: DTZ001 - cells have no time zone


def test_a_text_that_becomes_a_number_among_numbers_is_one(tmp_path: Path) -> None:
    """A sum over the column would leave the text out. A code with zeros in front stays a text, as do most texts."""
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    sheet.append(["net", "when", "code", "size"])
    day = datetime(2024, 1, 5)  # noqa: DTZ001
    for line in (
        [10.5, day, "A7", "S"],
        ["1.234,5 €", "6.1.2024", " 12 ", "M"],
        [3, day, "007", "40 "],
        [7, day, "A8", 42],
        ["4,50", day, 9, "L"],
        ["n/a", day, "A9", "XL"],
    ):
        sheet.append(line)
    for row in range(2, 8):
        sheet.cell(row, 2).number_format = "dd/mm/yyyy"
    made.save(tmp_path / "in.xlsx")
    dataset = open_dataset(tmp_path / "in.xlsx")
    new = {
        "net": ["10.5", "1234.5", "3", "7", "4.50", "007"],
        "when": ["2024-01-05", "2024-01-06", "2024-01-05", "2024-01-05", "2024-01-05", "2024-01-05"],
        "code": ["A7", "12", "007", "A8", "9", "A9"],
        "size": ["S", "M", "40", "42", "L", "XL"],
    }
    with open_writer(tmp_path / "out.xlsx", like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(pa.table(new), batch)
    after = openpyxl.load_workbook(tmp_path / "out.xlsx").worksheets[0]
    assert [after.cell(row, 1).value for row in range(2, 8)] == [10.5, 1234.5, 3, 7, 4.5, "007"]
    assert [after.cell(row, 2).value for row in (2, 3)] == [day, datetime(2024, 1, 6)]  # noqa: DTZ001
    assert [after.cell(row, 3).value for row in range(2, 8)] == ["A7", "12", "007", "A8", 9, "A9"]
    assert [after.cell(row, 4).value for row in range(2, 8)] == ["S", "M", "40", 42, "L", "XL"]
    assert open_dataset(tmp_path / "out.xlsx").schema == dataset.schema
    read = pa.concat_tables([batch.table for batch in open_dataset(tmp_path / "out.xlsx").read()])
    assert {name: read.column(name).to_pylist() for name in new} == new | {"net": [*new["net"][:4], "4.5", "007"]}


def rewritten(folder: Path, book: openpyxl.Workbook, **new: list[str]) -> list[list[Any]]:
    """The cells of the book, row by row, after the columns became these texts."""
    book.save(folder / "in.xlsx")
    dataset = open_dataset(folder / "in.xlsx")
    with open_writer(folder / "out.xlsx", like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            kept = {name: batch.table.column(name) for name in batch.table.column_names}
            writer.write(pa.table({**kept, **new}), batch)
    return [[*row] for row in openpyxl.load_workbook(folder / "out.xlsx").worksheets[0].iter_rows(min_row=2)]


def test_a_text_that_becomes_a_truth_value_among_truth_values_is_one(tmp_path: Path) -> None:
    """A filter by TRUE would leave the text out. Among texts it stays a text, and so does any other word."""
    book = openpyxl.Workbook()
    for line in (["paid", "note"], [True, "x"], ["yes", "true"], [False, "y"], ["no", "z"], [True, "a"], ["maybe", ""]):
        book.worksheets[0].append(line)
    paid = ["TRUE", "TRUE", "FALSE", "FALSE", "TRUE", "perhaps"]
    rows = rewritten(tmp_path, book, paid=paid, note=["x", "TRUE", "y", "z", "a", ""])
    assert [row[0].value for row in rows] == [True, True, False, False, True, "perhaps"]
    assert [row[1].value for row in rows] == ["x", "TRUE", "y", "z", "a", None]


def test_a_text_that_becomes_a_date_among_dates_is_one(tmp_path: Path) -> None:
    """It gets the number format of the column's dates, and keeps its colour; other texts and columns stay."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    days = [datetime(2024, 1, day) for day in range(1, 5)]  # noqa: DTZ001
    for line in (
        ["day", "word"],
        *([day, "w"] for day in days),
        ["13.04.2024", "2.1.2024"],
        ["14.04.2024", "w"],
        ["soon", "w"],
    ):
        sheet.append(line)
    for row in range(2, 6):
        sheet.cell(row, 1).number_format = "dd/mm/yyyy" if row < 5 else "yyyy-mm-dd"
    sheet.cell(6, 1).fill = sheet.cell(8, 1).fill = PatternFill("solid", fgColor="FFCC00")
    shown = ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-04-13", "2024-04-14", "later"]
    rows = rewritten(tmp_path, book, day=shown, word=["w"] * 4 + ["2024-01-02", "w", "w"])
    april = [datetime(2024, 4, day) for day in (13, 14)]  # noqa: DTZ001
    assert [row[0].value for row in rows] == [*days, *april, "later"]
    assert [row[0].number_format for row in rows] == ["dd/mm/yyyy"] * 3 + ["yyyy-mm-dd"] + ["dd/mm/yyyy"] * 2 + [
        "General"
    ]
    assert [row[0].fill.fgColor.rgb[2:] for row in rows] == ["000000"] * 4 + ["FFCC00", "000000", "FFCC00"]
    assert [row[1].value for row in rows] == ["w"] * 4 + ["2024-01-02", "w", "w"]
    read = pa.concat_tables([batch.table for batch in open_dataset(tmp_path / "out.xlsx").read()])
    assert read.column("day").to_pylist() == shown


def test_a_gap_among_dates_gets_a_date(tmp_path: Path) -> None:
    """Also where no cell was stored for it."""
    book = openpyxl.Workbook()
    for line in (["id", "day"], [1, datetime(2024, 1, 5)], [2, None], [3, datetime(2024, 1, 7)]):  # noqa: DTZ001
        book.worksheets[0].append(line)
    rows = rewritten(tmp_path, book, day=["2024-01-05", "2024-01-06", "2024-01-07"])
    assert [row[1].value for row in rows] == [datetime(2024, 1, day) for day in (5, 6, 7)]  # noqa: DTZ001
    assert len({row[1].number_format for row in rows}) == 1


@pytest.mark.parametrize(
    ("usual", "texts", "said"),
    [
        (5, {3: "7", 5: " 8.50"}, "2 numbers stored as text among others that are not (first in B3)"),
        (5, {4: "-3"}, "1 number stored as text among others that are not (first in B4)"),
        (DAY, {4: "2024-05-17", 6: "soon"}, "1 date stored as text among others that are not (first in B4)"),
        (True, {4: "TRUE", 6: "FALSE"}, "2 truth values stored as text among others that are not (first in B4)"),
        (5, {3: "7", 5: "007"}, ""),  # codes
        (5, {3: "few", 4: "7 kg", 5: "1234567890123456789", 6: "TRUE"}, ""),
        (DAY, {4: "7", 5: "17.5.2024"}, ""),
        (5, {row: str(row) for row in range(2, 9)}, ""),  # a column of texts
    ],
)
def test_values_stored_as_text_among_others_are_named(
    tmp_path: Path, usual: Any, texts: dict[int, str], said: str
) -> None:
    """Nobody sees them, and a sum leaves them out; codes with zeros in front, and other texts, are none."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for line in (["id", "size"], *([i, usual] for i in range(9))):
        sheet.append(line)
    for row, text in texts.items():
        sheet.cell(row, 2).value = text
    book.save(tmp_path / "in.xlsx")
    notes = [note for note in open_dataset(tmp_path / "in.xlsx").notes if "as text" in note]
    assert len(notes) == bool(said)
    assert all(note.startswith("column 'size'") and said in note for note in notes)
