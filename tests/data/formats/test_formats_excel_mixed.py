"""Workbooks in which some numbers and dates of a column are texts, as people type them."""

from datetime import datetime
from pathlib import Path

import openpyxl
import pyarrow as pa

from orchestrator.data.formats import open_dataset, open_writer


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
