"""Reads spreadsheets in a disposable process, for `excel_dataset`: the rows of one sheet as texts.

A workbook is a zip of XML, or older binary records, that a stranger wrote. Here it can break nothing but this process.
The file comes as an open descriptor. Answers are parts that begin with `HEADER`, `TABLE` (plain columns; the last one
has the number of each row in the sheet), `SUMMARY` or `FAULT`.
"""

import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from orchestrator.data.arrow_without_pandas import defer_pandas
from orchestrator.data.formats.excel.column_kinds import ColumnKinds
from orchestrator.data.formats.excel.excel_edit import EditRefused, edited
from orchestrator.data.formats.excel.no_workbook import no_workbook
from orchestrator.data.formats.excel.sheet_header import (
    MAX_ROWS_ABOVE,
    HeaderRow,
    Wide,
    beside,
    header_place,
    is_heading,
    merged_in,
    wide_cells,
)
from orchestrator.data.formats.excel.sheet_scan import SheetCell, SheetScan, letters
from orchestrator.data.formats.excel.sheet_values import SheetDates, iso_text, number_text
from orchestrator.data.formats.ole_file import OLE, is_encrypted
from orchestrator.data.formats.zip_sizes import ENCRYPTED, disproportion
from orchestrator.data.hostile.plain import write_plain

ENTRY = "orchestrator.data.formats.excel.excel_reader:rows"
HEADER, TABLE, SUMMARY, FAULT = b"H", b"T", b"S", b"F"
MAX_COLUMNS = 2_000
_FILE = 4
_PART_ROWS = 4_000
_PART_BYTES = 8 * 2**20
_SMALL_EDIT = {"sheet": "Sheet", "cells": {"2": {"1": "2", "2": "2024-01-02"}}, "gone": [], "touched": [], "kinds": {}}
_Value = tuple[str, str]  # kind (n, t, d, b) and text


class _Broken(Exception):
    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message, self.advice = message, advice


def warm() -> None:
    """Write and read a small workbook, so that no child has to import anything."""
    defer_pandas()
    pa.set_cpu_count(1)
    import openpyxl
    import python_calamine

    book = openpyxl.Workbook()
    for row in (["a", "b", "c"], [1.5, datetime(2024, 1, 1), "x"]):  # noqa: DTZ001 - cells have no time zone
        book.active.append(row)
    made = io.BytesIO()
    book.save(made)
    for _ in _read(io.BytesIO(made.getvalue()), {"kind": "xlsx", "sheet": None}):
        pass
    for _ in edited(io.BytesIO(made.getvalue()), _SMALL_EDIT):
        pass
    python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(made.getvalue()))
    write_plain(pa.table({"a": ["b"]}).take(np.arange(1)))


def warm_rows() -> None:
    """Nothing: a child can make no workbook, which takes temporary files."""


warm_edit = warm_rows


def rows(request: bytes) -> Iterator[bytes]:
    """Header, rows and summary of one sheet."""
    yield from _answered(_read, request)


def edit(request: bytes) -> Iterator[bytes]:
    """The workbook with some cells replaced, in parts as `edited` makes them."""
    yield from _answered(edited, request)


def _answered(work: Any, request: bytes) -> Iterator[bytes]:
    try:
        yield from work(os.fdopen(_FILE, "rb"), json.loads(request))
    except (_Broken, EditRefused) as error:
        yield FAULT + json.dumps([str(error), getattr(error, "advice", "")]).encode()
    except MemoryError:
        yield FAULT + json.dumps(["needs more memory to be read than a file may take", ""]).encode()
    except Exception as error:  # noqa: BLE001 - the libraries raise anything for a broken file
        advice = "Check that it was written or copied completely, and that its name says what it is."
        yield FAULT + json.dumps([f"is not a readable spreadsheet: {error}", advice]).encode()


def _read(file: BinaryIO, asked: dict[str, Any]) -> Iterator[bytes]:
    head = file.read(4096)
    file.seek(0)
    if other := no_workbook(head):
        raise _Broken(*other)
    if head.startswith(OLE):
        if is_encrypted(file):
            raise _Broken("is encrypted", "Save it without a password.")
        if asked["kind"] == "xlsx":
            raise _Broken("is no .xlsx but an older Office file, by its first bytes", "Say --format xls.")
        file.seek(0)
    if head[:2] == b"PK":
        _check_sizes(file)
    if asked["kind"] == "xlsx":
        yield from _xlsx(file, asked["sheet"])
    else:
        yield from _calamine(file, asked["sheet"])


def _check_sizes(file: BinaryIO) -> None:
    wrong = disproportion(file)
    if wrong == ENCRYPTED:
        raise _Broken(wrong, "Save it without a password.")
    if wrong:
        raise _Broken(wrong, "Check where it comes from.")


def _chosen(sheets: dict[str, bool], wanted: str | None) -> str:
    """The wanted sheet, or the first one that is not hidden. `sheets`: whether each can be seen."""
    names = list(sheets)
    if not names:
        raise _Broken("has no sheet with cells")
    if wanted is not None and wanted not in names:
        raise _Broken(f"has no sheet '{wanted}'", f"Its sheets: {', '.join(names[:20])}.")
    return wanted or next((name for name, visible in sheets.items() if visible), names[0])


def _xlsx(file: BinaryIO, wanted: str | None) -> Iterator[bytes]:
    from openpyxl.reader.excel import ExcelReader

    reader = ExcelReader(file, read_only=True, data_only=True, keep_links=False)
    reader.read()
    book = reader.wb
    name = _chosen({sheet.title: sheet.sheet_state == "visible" for sheet in book.worksheets}, wanted)
    sheet, texts = book[name], book[name]._shared_strings  # noqa: SLF001 - the one way to them
    dates = SheetDates(book)

    def wide() -> Wide:
        with reader.archive.open(sheet._worksheet_path) as source:  # noqa: SLF001
            return merged_in(source)

    table = _Table(name, book.sheetnames, wide)
    scan = SheetScan()
    formulas: dict[int, int] = {}
    with reader.archive.open(sheet._worksheet_path) as source:  # noqa: SLF001
        for row in scan.rows(source):
            values = {}
            for cell in row.cells:
                value = _value(cell, texts, dates)
                if value[1]:
                    values[cell.column] = value
                if cell.formula >= 0:
                    formulas[cell.column] = formulas.get(cell.column, 0) + 1
                    if not cell.stored:
                        table.uncalculated = table.uncalculated or f"{letters(cell.column)}{cell.row}"
            yield from table.add(row.number, values)
    yield from table.finish(formulas=formulas, merged=scan.merged)


def _value(cell: SheetCell, texts: Any, dates: SheetDates) -> _Value:
    if not cell.stored:
        return "t", ""
    if cell.kind == "s":
        return "t", str(texts[int(cell.text)])
    if cell.kind == "b":
        return "b", "TRUE" if cell.text.strip() == "1" else "FALSE"
    if cell.kind == "d":
        return "d", cell.text.removesuffix("T00:00:00")
    if cell.kind != "n":
        return "t", cell.text
    made = dates.text(cell.style, cell.text)
    return ("n", number_text(cell.text)) if made is None else ("d", made)


def _calamine(file: BinaryIO, wanted: str | None) -> Iterator[bytes]:
    import python_calamine

    try:
        book = python_calamine.CalamineWorkbook.from_filelike(file)
    except python_calamine.PasswordError:
        raise _Broken("is encrypted", "Save it without a password.") from None
    visible = python_calamine.SheetVisibleEnum.Visible
    name = _chosen({one.name: one.visible == visible for one in book.sheets_metadata}, wanted)
    sheet = book.get_sheet_by_name(name)
    places = sheet.merged_cell_ranges or ()
    table = _Table(name, book.sheet_names, lambda: wide_cells((a[0] + 1, a[1] + 1, b[1] + 1) for a, b in places))
    for number, row in enumerate(sheet.iter_rows(), start=1 + (sheet.start or (0, 0))[0]):
        first = 1 + (sheet.start or (0, 0))[1]
        yield from table.add(number, {c: _known(v) for c, v in enumerate(row, first) if v not in ("", None)})
    merged = [f"{letters(a[1] + 1)}{a[0] + 1}:{letters(b[1] + 1)}{b[0] + 1}" for a, b in places]
    yield from table.finish(formulas={}, merged=merged)


def _known(value: Any) -> _Value:
    if isinstance(value, bool):
        return "b", str(value).upper()
    if isinstance(value, (int, float)):
        return "n", number_text(repr(value))
    return ("t", value) if isinstance(value, str) else ("d", iso_text(value))


class _Table:
    """Makes parts of rows: the header comes first (`sheet_header`), rows without any value are no rows."""

    def __init__(self, name: str, sheets: list[str], wide: Callable[[], Wide]) -> None:
        self.uncalculated = ""
        self._wide = cache(wide)  # asked only where the first row may not be the header
        self._name, self._sheets = name, sheets
        self._first = self._last = self._header_row = 0
        self._kinds = ColumnKinds(1, 0)
        self._waiting: list[tuple[int, list[str]]] = []
        self._bytes = 0
        self._top: list[HeaderRow] = []  # the first rows, until it is known which of them is the header

    def add(self, number: int, values: dict[int, _Value]) -> Iterator[bytes]:
        if not values:
            return
        if self._header_row:
            yield from self._add(number, values)
            return
        self._top.append((number, values))
        last = self._top[-1]
        below = len(values) > 1 and beside(last, self._top[0]) and not is_heading(last, self._wide())
        if below or len(self._top) > MAX_ROWS_ABOVE:
            yield from self._decide()

    def _decide(self) -> Iterator[bytes]:
        place = header_place(self._top, self._wide() if len(self._top) > 1 else frozenset())
        yield self._begin(*self._top[place], above=place)
        for row in self._top[place + 1 :]:
            yield from self._add(*row)

    def _add(self, number: int, values: Mapping[int, _Value]) -> Iterator[bytes]:
        outside = next((column for column in values if not self._first <= column <= self._last), None)
        if outside is not None:
            raise _Broken(
                f"sheet '{self._name}': cell {letters(outside)}{number} has a value, and the header in row "
                f"{self._header_row} goes from {letters(self._first)} to {letters(self._last)}",
                "Delete what stands beside or above the table, also a second header, or name its column.",
            )
        line = []
        for place, column in enumerate(range(self._first, self._last + 1)):
            kind, text = values.get(column, ("", ""))
            if kind:
                self._kinds.look(number, place, kind, text)
            self._bytes += len(text)
            line.append(text)
        self._waiting.append((number, line))
        if len(self._waiting) >= _PART_ROWS or self._bytes > _PART_BYTES:
            yield self._part()

    def _begin(self, number: int, values: Mapping[int, _Value], above: int) -> bytes:
        self._header_row, self._first, self._last = number, min(values), max(values)
        width = self._last - self._first + 1
        if width > MAX_COLUMNS:
            raise _Broken(
                f"sheet '{self._name}', row {number}: the header goes to column {letters(self._last)}; at most "
                f"{MAX_COLUMNS} columns can be read",
                "Delete what stands beside the table.",
            )
        self._kinds = ColumnKinds(self._first, self._last)
        names = [values.get(column, ("", ""))[1] for column in range(self._first, self._last + 1)]
        said = {"sheet": self._name, "sheets": self._sheets, "names": names, "first": self._first}
        said |= {"row": number, "above": above}
        return HEADER + json.dumps(said).encode()

    def _part(self) -> bytes:
        width = self._last - self._first + 1
        columns = [pa.array([line[place] for _, line in self._waiting], pa.string()) for place in range(width)]
        numbers = pa.array([number for number, _ in self._waiting], pa.int64())
        self._waiting, self._bytes = [], 0
        return TABLE + write_plain(pa.table([*columns, numbers], names=[str(i) for i in range(width + 1)]))

    def finish(self, *, formulas: dict[int, int], merged: list[str]) -> Iterator[bytes]:
        if not self._header_row and self._top:
            yield from self._decide()
        if not self._header_row:
            raise _Broken(f"sheet '{self._name}' is empty", f"Its sheets: {', '.join(self._sheets[:20])}.")
        if self._waiting:
            yield self._part()
        known = {str(c - self._first): n for c, n in formulas.items() if self._first <= c <= self._last}
        said = {**self._kinds.said(), "formulas": known, "merged": merged[:1000], "uncalculated": self.uncalculated}
        yield SUMMARY + json.dumps(said).encode()
