"""Replaces single cells of an .xlsx workbook; every other byte of every part in it stays. Called by `excel_reader`.

Runs in the disposable process only. Other sheets, charts, widths, formats and macros are copied as they are. Rows that
go are cut out and those below move up; a column that goes is emptied, so that all others keep their places. Formulas of
columns in which something changed are replaced by their values; so are all of the sheet where rows go. A formula that
was never calculated has none: it stays, and where it cannot, nothing is written.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any, BinaryIO
from xml.sax.saxutils import escape

from orchestrator.data.formats.excel.date_styles import DateStyles
from orchestrator.data.formats.excel.rich_text import RichTexts
from orchestrator.data.formats.excel.sheet_attachments import in_the_way
from orchestrator.data.formats.excel.sheet_scan import SheetCell, SheetRow, SheetScan, letters
from orchestrator.data.formats.excel.sheet_values import SheetDates, is_decimal, is_number

BLOCK, UNFORMATTED = b"B", b"U"
_PART = 2**20
_CHAIN = "xl/calcChain.xml"
_STYLES = "xl/styles.xml"
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_TEXTS = ("s", "inlineStr", "str")  # kinds of cells
# The last of the elements that may stand before the one on calculation: their order is fixed.
_BEFORE_CALCULATION = re.compile(
    rb"(?s)<(?P<prefix>(?:\w+:)?)sheets\b.*?</(?P=prefix)sheets>"
    rb"(?:\s*<(?P=prefix)(?P<name>functionGroups|externalReferences|definedNames)(?:\s[^>]*)?"
    rb"(?:/>|>.*?</(?P=prefix)(?P=name)>))*"
)
_REFERENCE = re.compile(rb'(\sr=")([A-Z]*)\d+(")')


class EditRefused(Exception):
    """What cannot be written into the workbook; `advice` says what to do."""

    advice = "Write another format, for example CSV."


class NoValue(EditRefused):
    """A formula that cannot stay has no value to take its place."""

    advice = "Open the workbook in a spreadsheet program and save it, so that its formulas have values."


def edited(file: BinaryIO, asked: dict[str, Any]) -> Iterator[bytes]:
    """The workbook in parts that begin with `BLOCK`; before them, `UNFORMATTED` where formatting is lost.

    `cells`: texts by row and column; `gone`: rows; `touched`: columns; `kinds`: by column, where all are of one kind.

    `header`: the row of names, if it changes.
    `most`: by column, what most values are: a text that becomes such a number, date or truth value is stored as one.
    """
    from openpyxl.reader.excel import ExcelReader

    reader = ExcelReader(file, read_only=True, data_only=True, keep_links=False)
    reader.read()
    path = reader.wb[asked["sheet"]]._worksheet_path  # noqa: SLF001 - the one way to it
    head = str(asked.get("header", ""))
    header = {(int(head), int(column)) for column in asked["cells"].get(head, ())}
    if clause := in_the_way(reader.archive, path, set(asked["gone"]), header):
        raise EditRefused(clause)
    made = io.BytesIO()
    dates, data = SheetDates(reader.wb), reader.archive.read(path)
    known = reader.archive.read(_STYLES) if _STYLES in reader.archive.namelist() else b""
    styles = DateStyles(known, data, dates)
    edit = _SheetEdit(data, asked, dates, styles, RichTexts(reader))
    sheet = edit.made()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in reader.archive.infolist():
            data = reader.archive.read(entry)
            if entry.filename == path:
                data = sheet
            elif entry.filename == _STYLES:
                data = styles.made()
            elif (
                entry.filename == _CHAIN
            ):  # the order of calculation: it would name cells that are no formulas any more
                continue
            elif entry.filename == "[Content_Types].xml":
                data = re.sub(rb'<Override[^>]*PartName="/xl/calcChain\.xml"[^>]*/>', b"", data)
            elif entry.filename == "xl/_rels/workbook.xml.rels":
                data = re.sub(rb'<Relationship\s[^>]*Target="/?(xl/)?calcChain\.xml"[^>]*/>', b"", data)
            elif entry.filename == "xl/workbook.xml":
                data = _recalculated(data)
            target.writestr(zipfile.ZipInfo(entry.filename, entry.date_time), data, zipfile.ZIP_DEFLATED)
    if lost := edit.unformatted:
        yield UNFORMATTED + json.dumps([len(lost), lost[0]]).encode()
    view = made.getbuffer()
    for start in range(0, len(view), _PART):
        yield BLOCK + bytes(view[start : start + _PART])


def _recalculated(data: bytes) -> bytes:
    """The workbook's description with the wish that formulas are calculated again when it is opened."""
    data = re.sub(rb"\sfullCalcOnLoad=[\"']\w+[\"']", b"", data)
    made, found = re.subn(rb"<((?:\w+:)?)calcPr\b", rb'<\1calcPr fullCalcOnLoad="1"', data, count=1)
    if found:
        return made
    return _BEFORE_CALCULATION.sub(rb'\g<0><\g<prefix>calcPr fullCalcOnLoad="1"/>', data, count=1)


class _SheetEdit:
    def __init__(
        self, data: bytes, asked: dict[str, Any], dates: SheetDates, styles: DateStyles, rich: RichTexts
    ) -> None:
        self.unformatted: list[str] = []  # cells that keep a text, and not the formatting of its parts
        self._data = data
        self._dates, self._styles = dates, styles
        self._rich = rich
        self._kinds = {int(column): kind for column, kind in asked["kinds"].items()}
        self._cells = {int(row): {int(c): v for c, v in cells.items()} for row, cells in asked["cells"].items()}
        self._most = {int(column): kind for column, kind in asked.get("most", {}).items()}
        self._gone = set(asked["gone"])
        self._touched = set(asked["touched"])
        self._shared: set[str] = set()
        self._edits: list[tuple[int, int, bytes]] = []
        root = re.search(rb"<(\w+:)?sheetData", data)
        self._prefix = (root[1] or b"").decode() if root else ""

    def made(self) -> bytes:
        shift = 0
        for row in SheetScan().rows(io.BytesIO(self._data)):
            if row.number in self._gone:
                self._edits.append((row.start, self._end(row.end), b""))
                shift += 1
                continue
            self._row(row, row.number - shift)
        parts, at = [], 0
        for start, end, new in self._edits:
            parts += [self._data[at:start], new]
            at = end
        return b"".join([*parts, self._data[at:]])

    def _row(self, row: SheetRow, number: int) -> None:
        moved = number != row.number
        if moved:
            self._renumber(row.start, number)
        new = self._cells.get(row.number, {})
        waiting = sorted(new)
        for cell in row.cells:
            while waiting and waiting[0] < cell.column:
                column = waiting.pop(0)
                self._edits.append((cell.start, cell.start, self._new(column, number, None, new[column])))
            if waiting and waiting[0] == cell.column:
                column = waiting.pop(0)
                if cell.formula >= 0 and cell.shared:
                    self._shared.add(cell.shared)
                made = self._new(column, number, cell, new[column])
                end = self._end(cell.end)
                if new[column] and self._rich.has(cell, self._data[cell.start : end]):
                    self.unformatted.append(f"{letters(column)}{number}")
                self._edits.append((cell.start, end, made))
                continue
            if moved:
                self._renumber(cell.start, number)
            broken = bool(self._gone or (cell.shared and cell.shared in self._shared))
            if cell.formula >= 0 and broken and not cell.stored:
                raise NoValue(
                    f"has a formula without a value in cell {letters(cell.column)}{cell.row}, which cannot stay"
                )
            if cell.formula >= 0 and (broken or (cell.stored and cell.column in self._touched)):
                if cell.shared:
                    self._shared.add(cell.shared)
                self._edits.append((cell.formula, self._end_of_formula(cell.formula), b""))
        made = b"".join(self._new(column, number, None, new[column]) for column in waiting)
        if made:
            self._edits.append((row.end, row.end, made))

    def _new(self, column: int, row: int, cell: SheetCell | None, text: str) -> bytes:
        p = self._prefix
        kind, text, style = self._stored(column, cell, text)
        of_style = f' s="{style}"' if style else ""
        start = f'<{p}c r="{letters(column)}{row}"{of_style}'
        if not text:
            return f"{start}/>".encode()
        if kind == "n":
            return f"{start}><{p}v>{escape(text)}</{p}v></{p}c>".encode()
        if kind == "b":
            return f'{start} t="b"><{p}v>{text}</{p}v></{p}c>'.encode()
        if bad := _NO_XML.search(text):
            raise EditRefused(f"cannot hold the character {bad[0]!a} in a cell")
        inner = f'<{p}is><{p}t xml:space="preserve">{escape(text)}</{p}t></{p}is>'
        return f'{start} t="inlineStr">{inner}</{p}c>'.encode()

    def _stored(self, column: int, cell: SheetCell | None, text: str) -> tuple[str, str, int]:
        """Kind, text and style of a new value: of the kind that it was, or that the others of the column are."""
        before = cell.kind if cell is not None and cell.stored else ""
        others = (self._most if before else self._kinds).get(column, "") if before in ("", *_TEXTS) else ""
        style = cell.style if cell is not None else 0
        if before == "n" or others in ("n", "d"):
            if (serial := self._dates.number(style, text)) is not None:
                return "n", serial, style
            if not self._dates.is_date(style) and (is_number(text) or (before in _TEXTS and is_decimal(text))):
                return "n", text, style
        if others == "d" and (found := self._as_date(column, style, text)):
            return "n", *found
        if "b" in (before, others) and text in ("TRUE", "FALSE"):
            return "b", str(int(text == "TRUE")), style
        return "t", text, style

    def _as_date(self, column: int, style: int, text: str) -> tuple[str, int] | None:
        """The number to store for a date, and the style with which it looks like the column's other dates."""
        model = self._styles.usual(column)
        serial = self._dates.number(model, text)
        made = -1 if serial is None else self._styles.like(style, model)
        return None if serial is None or made < 0 else (serial, made)

    def _renumber(self, start: int, number: int) -> None:
        end = self._end(start)
        tag = _REFERENCE.sub(
            lambda found: found[1] + found[2] + str(number).encode() + found[3], self._data[start:end], 1
        )
        self._edits.append((start, end, tag))

    def _end_of_formula(self, start: int) -> int:
        end = self._end(start)
        return end if self._data[end - 2 : end] == b"/>" else self._end(self._data.index(b"</", end))

    def _end(self, start: int) -> int:
        """After the tag that begins there."""
        return self._data.index(b">", start) + 1
