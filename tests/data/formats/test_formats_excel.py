"""Workbooks: one sheet's rows as texts, and everything else in the file as it was."""

import base64
import gc
import gzip
import io
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest
from openpyxl.styles import PatternFill

from orchestrator.core.errors import CleanroomError, OutputError, UsageError
from orchestrator.data.formats import Dataset, open_dataset, open_writer
from orchestrator.data.formats.excel import excel_dataset
from orchestrator.data.formats.excel.excel_new import new_workbook
from orchestrator.data.formats.excel.sheet_values import number_text

SHEET = "xl/worksheets/sheet1.xml"
Change = Callable[[pa.Table], pa.Table]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Orders with every kind of cell, and a second sheet that refers to it."""
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    sheet.title = "Orders"
    sheet.append(["id", "city", "price", "when", "paid", "zip", "twice"])
    for row in range(2, 7):
        sheet.append([row, " Rome " if row % 2 else None, 1.1 * row, datetime(2024, 1, row), row > 3, "00501", None])  # noqa: DTZ001
        sheet.cell(row, 4).number_format = "dd/mm/yyyy"
        sheet.cell(row, 7).value = f"=C{row}*2"
    sheet["C3"].fill = PatternFill("solid", fgColor="FFFF00")
    sheet.column_dimensions["B"].width = 33
    other = made.create_sheet("Other")
    other["A1"], other["B2"] = "=Orders!C2", "keep"
    other.merge_cells("B2:C3")
    path = tmp_path_factory.mktemp("books") / "book.xlsx"
    made.save(path)
    changed = parts_of(path)
    changed[SHEET] = changed[SHEET].replace(b"<v></v>", b"<v>7.5</v>").replace(b"<v/>", b"<v>7.5</v>")
    put(path, changed)
    return path


def parts_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put(path: Path, parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def with_sheet(book: Path, path: Path, change: Callable[[bytes], bytes]) -> Path:
    """The workbook with other XML in its first sheet."""
    parts = parts_of(book)
    return put(path, parts | {SHEET: change(parts[SHEET])})


def written(dataset: Dataset, target: Path, change: Change = lambda table: table, keep: Any = None) -> pa.Table:
    """The rows that are read from what was written."""
    batches = [b if keep is None else b.take([i for i in range(b.table.num_rows) if keep(i)]) for b in dataset.read()]
    tables = [change(batch.table) for batch in batches]
    with open_writer(target, like=dataset, schema=tables[0].schema) as writer:
        for table, batch in zip(tables, batches, strict=True):
            writer.write(table, batch)
    made = open_dataset(target)
    assert made.rows == sum(table.num_rows for table in tables)
    return pa.concat_tables(made.batches())


def replaced(name: str, values: list[str]) -> Change:
    return lambda table: table.set_column(table.column_names.index(name), name, pa.array(values, pa.string()))


def test_cells_are_texts(book: Path) -> None:
    """Numbers without .0, dates in ISO form, leading zeros, truth values, and the value of a formula."""
    dataset = open_dataset(book)
    (table,) = dataset.batches()
    assert table.to_pylist()[1] == {
        "id": "3", "city": " Rome ", "price": "3.3", "when": "2024-01-03", "paid": "FALSE",
        "zip": "00501", "twice": "7.5",
    }  # fmt: skip
    assert table.column("city").to_pylist() == ["", " Rome ", "", " Rome ", ""]
    assert (dataset.rows, dataset.format, dataset.suffix) == (5, "xlsx", ".xlsx")


def test_what_a_person_should_know_is_said(book: Path) -> None:
    """Which sheet of several, and which columns are formulas."""
    assert open_dataset(book).notes == (
        "sheet 'Orders' of 2 is read (Orders, Other)",
        "columns with formulas ('twice') are read as their values, and get values where one changes",
    )


def test_a_copy_keeps_every_part(book: Path, tmp_path: Path) -> None:
    """Without a change all parts are the same bytes, except for the wish to calculate formulas again."""
    written(open_dataset(book), tmp_path / "out.xlsx")
    before, after = parts_of(book), parts_of(tmp_path / "out.xlsx")
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} <= {"xl/workbook.xml"}


def test_only_changed_cells_are_written(book: Path, tmp_path: Path) -> None:
    """Style, widths, formulas and the other sheet stay; a number stays a number, a date a date."""
    change = replaced("price", ["2.2", "9.5", "4.4", "n/a", ""])
    also = replaced("when", ["2024-01-02", "2024-01-03", "2024-12-24", "soon", "2024-01-06"])
    table = written(open_dataset(book), tmp_path / "out.xlsx", lambda rows: also(change(rows)))
    assert table.column("price").to_pylist() == ["2.2", "9.5", "4.4", "n/a", ""]
    made = openpyxl.load_workbook(tmp_path / "out.xlsx")
    sheet = made["Orders"]
    assert (sheet["C3"].value, sheet["C3"].fill.fgColor.rgb) == (9.5, "00FFFF00")
    assert (sheet["D4"].value, sheet["D4"].number_format) == (datetime(2024, 12, 24), "dd/mm/yyyy")  # noqa: DTZ001
    assert (sheet["C5"].value, sheet["D5"].value, sheet["C6"].value) == ("n/a", "soon", None)
    assert (sheet["G2"].value, sheet.column_dimensions["B"].width) == ("=C2*2", 33)
    assert (made["Other"]["A1"].value, made["Other"].merged_cells.ranges.pop().coord) == ("=Orders!C2", "B2:C3")


def test_a_touched_formula_column_becomes_values(book: Path, tmp_path: Path) -> None:
    """A column that is half formulas and half texts would be neither."""
    written(open_dataset(book), tmp_path / "out.xlsx", replaced("twice", ["7.5", "8", "7.5", "7.5", "7.5"]))
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["Orders"]
    assert [sheet.cell(row, 7).value for row in range(2, 7)] == [7.5, 8, 7.5, 7.5, 7.5]


def test_a_formula_that_was_never_calculated_stays(tmp_path: Path) -> None:
    """It has no value to take its place; where rows go it would point to the wrong ones, and nothing is written."""
    made = openpyxl.Workbook()
    for line in (["id", "twice"], [1, "=A2*2"], [2, " 4"], [3, "=A4*2"]):
        made.active.append(line)
    made.save(tmp_path / "in.xlsx")
    dataset = open_dataset(tmp_path / "in.xlsx")
    written(dataset, tmp_path / "out.xlsx", replaced("twice", ["", "4", ""]))
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx").active
    assert [sheet.cell(row, 2).value for row in (2, 3, 4)] == ["=A2*2", "4", "=A4*2"]
    with pytest.raises(CleanroomError, match="formula without a value in cell B4") as refused:
        written(dataset, tmp_path / "cut.xlsx", keep=lambda row: row > 0)
    assert "save it" in refused.value.advice
    assert not (tmp_path / "cut.xlsx").exists()


def test_a_text_that_looks_like_a_formula_stays_text(book: Path, tmp_path: Path) -> None:
    """What a function writes is never calculated."""
    values = ["=1+1", "a<b>&\"'", " two ", "", "x"]
    assert (
        written(open_dataset(book), tmp_path / "out.xlsx", replaced("city", values)).column("city").to_pylist()
        == values
    )
    assert openpyxl.load_workbook(tmp_path / "out.xlsx")["Orders"]["B2"].data_type == "s"


def test_rows_go_and_those_below_move_up(book: Path, tmp_path: Path) -> None:
    """Rows in are rows out and rows that were set aside; formulas would point to the wrong rows, and become values."""
    table = written(open_dataset(book), tmp_path / "out.xlsx", keep=lambda row: row not in (1, 2))
    assert table.column("id").to_pylist() == ["2", "5", "6"]
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["Orders"]
    assert (sheet.max_row, sheet["G3"].value, sheet["A3"].value) == (4, 7.5, 5)


def test_columns_come_at_the_end_and_go_empty(book: Path, tmp_path: Path) -> None:
    """No column changes its place, so that nothing that refers to one is wrong."""
    dataset = open_dataset(book)
    table = written(
        dataset,
        tmp_path / "out.xlsx",
        lambda rows: rows.drop_columns(["price"]).append_column("new", rows.column("id")),
    )
    assert table.column_names == ["id", "city", "when", "paid", "zip", "twice", "new"]
    assert table.column("new").to_pylist() == ["2", "3", "4", "5", "6"]


def test_a_sheet_is_chosen_by_name(book: Path, tmp_path: Path) -> None:
    """The first if none is named; one that is not there is said with those that are."""
    made = openpyxl.load_workbook(book)
    made.create_sheet("Third").append(["a"])
    made["Third"].append(["x "])
    made.save(tmp_path / "three.xlsx")
    assert open_dataset(tmp_path / "three.xlsx", sheet="Third").columns == ("a",)
    with pytest.raises(UsageError, match="has no sheet 'Fourth'") as refused:
        open_dataset(tmp_path / "three.xlsx", sheet="Fourth")
    assert refused.value.advice == "Its sheets: Orders, Other, Third."


def test_other_formats_become_a_new_workbook(tmp_path: Path) -> None:
    """Texts stay texts: a code keeps its zeros, and = begins no formula."""
    (tmp_path / "in.csv").write_text("zip,n\n00501,5\n=1+1,6\n", encoding="utf-8")
    table = written(open_dataset(tmp_path / "in.csv"), tmp_path / "out.xlsx")
    assert table.to_pylist() == [{"zip": "00501", "n": "5"}, {"zip": "=1+1", "n": "6"}]


class Full(io.BytesIO):
    """A file on a full disk."""

    def write(self, _: object) -> int:
        raise OutputError("out.xlsx cannot be written: no space left on device.")


def test_a_full_disk_under_a_new_workbook_is_said_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive that was begun is not written on when Python lets go of it: that was a traceback on stderr."""
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)

    def write() -> None:
        with new_workbook(Full(), tmp_path / "out.xlsx", pa.schema([("a", pa.string())]), {}) as writer:
            writer.write(pa.table({"a": ["b"]}))

    with pytest.raises(OutputError, match="no space left on device"):
        write()
    gc.collect()
    assert complaints == []


def test_a_full_folder_of_temporary_files_under_a_new_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """lxml, which writes the sheet where it is installed, raises no OSError: a user read of an internal error."""
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    monkeypatch.setattr("openpyxl.worksheet._writer.create_temporary_file", lambda: str(full))
    table = pa.table({"n": [str(n) for n in range(20_000)]})
    with (
        pytest.raises(OutputError, match=r"new sheet .* cannot be kept .* no space left"),
        new_workbook(io.BytesIO(), tmp_path / "out.xlsx", table.schema, {}) as writer,
    ):
        writer.write(table)


XLS = (
    "H4sIAAAAAAACA+1YTUgVURT+7sw8fb70/ZgGGsjDyMoeSLRpo8/CcvXMJOiHoNQ31UN7T16C2CItcxkErYo2gi3a2M+iPwuKNi0CoxZCEGgtWw"
    "UFLdTpnDMzz58UfGSCMd9wz73n3Hu/OXPvuffOzPuJyNTIw8ppLEEDdMxZRShYYFOUilwlDKq3LC66uZ+S5WFDochPE1ngw3jJu0KeQ57vaWh4"
    "YLwmCXyhdAo9aMmkzeg64oD40K7Yh3plUOxpuEMpiArxq1Rkp8jNIu9L2xciG8VyXWQ9tZ1SJzERb6nd58Txca1a6oIkFZ5In09i2YNyvOU4Hr"
    "ih7LY+7M+m2rs3WEWVUYxR0JQ2m2kzy3oIdxEAmprqEom6E4QplNF0j+KnFQV+uOv6VdSzr69dgey/FtsLV7D7aRKX2m9qBjAI64ziYB7GJmwz"
    "uEbH4e4kqwMFtnq0LzODGAcFRQk43FNJatmZ6u2nrO+8mSZzTzbVaVKHaFvmghkN8JYvW0R40RZRIgunmGQSISlHZPmEycOZe98/JDpa46fFMi"
    "jHgn14bGdPYeEK96DOQakxcrJWeuwWeVVYt0q5UmQZeU15TWu5Uzg0JG2uSW0N3Wev4GN8x4LyTioPfzvytGr4a3wXlceapy+VjU3GR1BNh1mS"
    "+vM1hJiKqdu3GM/ibq6cbeazyIo/thy/FnZ8t5wTMoRZXmSEiEhb49FROU1zxsrWdNJ0h0st4bqsBcQWkTHn9kq4eKxekm+8KZbi0RtmHFfMxS"
    "zaMiyasAQcFm0RiyYsj4Xlou6y6Muw6MISdFj0HItdxyzPiUWnedXluc6dZQQaGzTiZxdoY57H2sUWVoyteWy02JIxw3Jj5sGDBw8ePHjw8FdQ"
    "9oeA87pnfxjwS1ih819nltKc95vkv0UbMnT10iflQaQpz6I/r/jZAp9yudQq+7j/CxnH6O5ZdKFD/OjKO37pJVotfJ5Vdwyv3RLK9/5z+fj5j+"
    "//G2isdmQAFgAA"
)


RESULT = "is read only: unless its name says another format, the result is"


def ods(path: Path, cell: str) -> Path:
    """The smallest OpenDocument file."""
    space = "urn:oasis:names:tc:opendocument:xmlns"
    text = (
        f'<office:document-content xmlns:office="{space}:office:1.0" xmlns:table="{space}:table:1.0" '
        f'xmlns:text="{space}:text:1.0"><office:body><office:spreadsheet><table:table table:name="T">'
        '<table:table-row><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell>'
        f"</table:table-row><table:table-row>{cell}</table:table-row></table:table></office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    kind = b"application/vnd.oasis.opendocument.spreadsheet"
    entry = f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind.decode()}"/>'
    manifest = f'<manifest:manifest xmlns:manifest="{space}:manifest:1.0">{entry}</manifest:manifest>'
    return put(path, {"mimetype": kind, "content.xml": text.encode(), "META-INF/manifest.xml": manifest.encode()})


def test_open_document_is_read_and_written_as_xlsx(tmp_path: Path) -> None:
    """Numbers come as numbers; the message says what the result is."""
    cell = '<table:table-cell office:value-type="float" office:value="5"><text:p>5,00</text:p></table:table-cell>'
    dataset = open_dataset(ods(tmp_path / "in.ods", cell))
    assert (dataset.suffix, dataset.notes) == (".xlsx", (f".ods {RESULT} a new .xlsx",))
    written(dataset, tmp_path / "out.xlsx")
    assert openpyxl.load_workbook(tmp_path / "out.xlsx").worksheets[0]["A2"].value == 5


def test_one_text_does_not_make_texts_of_the_numbers_of_open_document(tmp_path: Path) -> None:
    """One "few" in a column made texts of all its numbers in the new workbook; among texts, figures stay texts."""
    number = '<table:table-cell office:value-type="float" office:value="5"/>'
    few, figures = (
        f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
        for text in ("few", "7")
    )
    for cells, made in (((number, number, few), [5, 5, "few"]), ((few, few, figures), ["few", "few", "7"])):
        dataset = open_dataset(ods(tmp_path / "in.ods", "</table:table-row><table:table-row>".join(cells)))
        written(dataset, tmp_path / "out.xlsx")
        sheet = openpyxl.load_workbook(tmp_path / "out.xlsx").worksheets[0]
        assert [row[0].value for row in sheet.iter_rows(min_row=2)] == made
    with pytest.raises(UsageError, match="OpenDocument is not written"):
        open_writer(tmp_path / "out.ods", like=dataset, schema=dataset.schema)


def test_a_workbook_with_macros_stays_one(book: Path, tmp_path: Path) -> None:
    """Its name was not known; under the name .xlsx no program opens it, and no other workbook under its name."""
    macros = tmp_path / "in.xlsm"
    put(macros, {**parts_of(book), "xl/vbaProject.bin": b"macros"})
    dataset = open_dataset(macros)
    assert dataset.suffix == ".xlsm"
    written(dataset, tmp_path / "out.xlsm")
    assert parts_of(tmp_path / "out.xlsm")["xl/vbaProject.bin"] == b"macros"
    for source, name in ((macros, "out.xlsx"), (book, "out.xlsm")):
        like = open_dataset(source)
        with pytest.raises(UsageError, match=rf"^{name}: .*\.xlsm is written"):
            open_writer(tmp_path / name, like=like, schema=like.schema)


@pytest.mark.parametrize(("name", "word"), [("a.xlsb", "as .xlsx"), ("a.pptx", ".pdf"), ("a.doc", ".docx")])
def test_files_of_other_office_programs_are_told_how_to_be_saved(tmp_path: Path, name: str, word: str) -> None:
    """A list of all formats, and a parser, were advised."""
    (tmp_path / name).write_bytes(b"PK\x03\x04")
    with pytest.raises(UsageError) as refused:
        open_dataset(tmp_path / name)
    assert word in refused.value.advice
    assert "parser" not in refused.value.advice


def test_a_day_in_a_new_workbook_shows_no_time(tmp_path: Path) -> None:
    """A sheet of days came out as `2024-01-05 0:00:00`; a moment keeps its time."""
    cells = [
        f'<table:table-cell office:value-type="date" office:date-value="2024-01-05{t}"/>' for t in ("", "T12:30:00")
    ]
    for cell, shown in zip(cells, ("yyyy-mm-dd", "yyyy-mm-dd h:mm:ss"), strict=True):
        written(open_dataset(ods(tmp_path / "in.ods", cell)), tmp_path / "out.xlsx")
        made = openpyxl.load_workbook(tmp_path / "out.xlsx").worksheets[0]["A2"]
        assert (made.is_date, made.number_format) == (True, shown)


def test_an_older_workbook_is_read(tmp_path: Path) -> None:
    """A file of Excel 97: numbers, blanks around texts, dates."""
    (tmp_path / "old.xls").write_bytes(gzip.decompress(base64.b64decode(XLS)))
    dataset = open_dataset(tmp_path / "old.xls")
    (table,) = dataset.batches()
    assert table.to_pylist()[1] == {"id": "2", "city": " Rome ", "when": "2024-01-02", "price": "2.2"}
    lost = f".xls {RESULT} a new .xlsx without the other sheets (Two)"
    assert dataset.notes == ("sheet 'Old' of 2 is read (Old, Two)", lost)
    written(dataset, tmp_path / "out.xlsx")
    assert len(openpyxl.load_workbook(tmp_path / "out.xlsx").worksheets) == 1


def row(text: str) -> Callable[[bytes], bytes]:
    """With one more row."""
    return lambda data: data.replace(b"</sheetData>", text.encode() + b"</sheetData>")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (row('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), "cell XFD1048576 has a value, and the header"),
        (row('<row r="9"><c r="ABCDE9"><v>1</v></c></row>'), "a cell is said to be in column ABCDE9"),
        (row('<row r="1048577"/>'), "there is a row 1048577"),
        (row('<row r="2"/>'), "row 2 comes after row 6"),
        (row('<row r="9"><c r="B9"/><c r="A9"/></row>'), "the cells of row 9 are out of order"),
        (row('<row r="9"><c r="A9" t="s"><v>4000</v></c></row>'), "is not a readable spreadsheet"),
        (lambda data: data[: len(data) // 2], "is not a readable spreadsheet"),
        (
            lambda data: data.replace(b'</row><row r="2"', b'<c r="XFD1"><v>1</v></c></row><row r="2"'),
            "at most 2000 columns",
        ),
        (lambda data: b'<!DOCTYPE x [<!ENTITY a "b">]>' + data, "is not a readable spreadsheet"),
        (
            lambda data: data[: data.index(b"<sheetData>")] + b"<sheetData></sheetData></worksheet>",
            "sheet 'Orders' is empty",
        ),
    ],
)
def test_odd_sheets_are_refused(book: Path, tmp_path: Path, change: Callable[[bytes], bytes], message: str) -> None:
    """One sentence with file, sheet and cell."""
    with pytest.raises(CleanroomError, match=r"odd\.xlsx") as refused:
        open_dataset(with_sheet(book, tmp_path / "odd.xlsx", change))
    assert message in refused.value.message


def test_a_formatted_cell_far_away_is_nothing(book: Path, tmp_path: Path) -> None:
    """Without a value it makes no row, and the rows above it are not filled."""
    far = with_sheet(book, tmp_path / "far.xlsx", row('<row r="1048576"><c r="XFD1048576" s="1"/></row>'))
    assert (open_dataset(far).rows, len(open_dataset(far).columns)) == (5, 7)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\n1,2\n", "is no workbook but text, by its first bytes"),
        (b"\xef\xbb\xbf<html><table><tr><td>1", "is no workbook but a web page"),
        (b'<?xml version="1.0"?><Workbook>', "is no workbook but XML"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "is no .xlsx but an older Office file"),
        (b"PK\x03\x04", "is not a readable spreadsheet"),
    ],
)
def test_what_is_no_workbook_is_said(tmp_path: Path, data: bytes, message: str) -> None:
    """A wrong name (as many programs give to pages and texts that spreadsheets open), a password, a cut file."""
    (tmp_path / "odd.xlsx").write_bytes(data)
    with pytest.raises(UsageError, match=message):
        open_dataset(tmp_path / "odd.xlsx")


def test_merged_cells_are_said(tmp_path: Path) -> None:
    """Also that a merged header may be the first of two."""
    made = openpyxl.Workbook()
    for line in (["who", None, "n"], ["first", "last", ""], ["Ann", "Poe", 1]):
        made.worksheets[0].append(line)
    made.worksheets[0].merge_cells("A1:B1")
    made.save(tmp_path / "merged.xlsx")
    notes = open_dataset(tmp_path / "merged.xlsx").notes
    assert notes[0] == "column 2 has no name and is read as 'Unnamed: 1'"
    assert notes[1:] == (
        "merged cells (A1:B1): the first has the value",
        "row 1 has merged cells: the row below may be a second header, read as data",
    )


def test_a_bomb_is_refused_in_bounded_memory(book: Path, tmp_path: Path) -> None:
    """Half a megabyte that unpacks to 260 MB: refused by the sizes in the zip, with less than 64 MiB taken."""
    bomb = with_sheet(book, tmp_path / "bomb.xlsx", row(f'<row r="9">{"<c/>" * 65_000_000}</row>'))
    assert bomb.stat().st_size < 600_000
    script = (
        "import pathlib, sys, orchestrator.data.formats as formats\n"
        "from orchestrator.core.errors import DataError\n"
        "def peak(): return int(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]) // 1024\n"
        "before = peak()\n"
        "try: formats.open_dataset(sys.argv[1])\n"
        "except DataError as error: print(error.message)\n"
        "print(peak() - before)"
    )
    done = subprocess.run([sys.executable, "-c", script, bomb], capture_output=True, text=True, check=True)
    message, peak = done.stdout.splitlines()
    assert "bytes and unpacks to 260," in message
    assert int(peak) < 64


def test_without_the_extra_one_sentence_says_so(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is imported that is not there."""
    monkeypatch.setattr(excel_dataset, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="not installed") as refused:
        open_dataset(book)
    assert refused.value.advice == "pip install 'cleanroom[excel]'"


def test_a_character_that_no_sheet_holds_is_refused(book: Path, tmp_path: Path) -> None:
    """Nothing is left out silently, and no file appears."""
    with pytest.raises(CleanroomError, match=r"cannot hold the character '\\x01' in a cell"):
        written(open_dataset(book), tmp_path / "out.xlsx", replaced("city", ["\x01", "", "", "", ""]))
    assert not (tmp_path / "out.xlsx").exists()
    (tmp_path / "in.csv").write_text("a,b\n\x01,2\n", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot hold the text"):
        written(open_dataset(tmp_path / "in.csv"), tmp_path / "out.xlsx")


@pytest.mark.parametrize(
    ("stored", "text"),
    [("5", "5"), ("5.0", "5"), ("0.1", "0.1"), ("1.1000000000000001", "1.1"), ("1E+20", "1" + "0" * 20),
     ("1E-3", "0.001"), ("-0.50", "-0.5"), ("12345678901234567890", "12345678901234567890")],
)  # fmt: skip
def test_numbers_are_written_as_people_write_them(stored: str, text: str) -> None:
    """Exactly, and without what the format adds."""
    assert number_text(stored) == text


def test_the_same_rows_make_the_same_workbook(tmp_path: Path) -> None:
    """Whenever they are written: two machines, or a run and its repetition, can be compared by a digest."""
    (tmp_path / "in.csv").write_text("a,b\n1,2024-01-02\nx,\n", encoding="utf-8")
    made = []
    for name in ("one.xlsx", "other.xlsx"):
        written(open_dataset(tmp_path / "in.csv"), tmp_path / name)
        made.append((tmp_path / name).read_bytes())
        time.sleep(2.1)  # an archive counts in steps of two seconds
    assert made[0] == made[1]
