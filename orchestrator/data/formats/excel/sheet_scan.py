"""Walks through the XML of one worksheet of an .xlsx file, cell by cell. Used by `excel_reader` and `excel_edit`.

Runs in the disposable process only. The places in the bytes are kept, so that `excel_edit` can replace single cells and
leave all other bytes as they were.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pyexpat import ParserCreate
from typing import Any, BinaryIO

_BLOCK = 2**18
_MAX_TEXT = 8 * 2**20
_MAX_ROW, _MAX_COLUMN = 1_048_576, 16_384
_TEXTS = {"v", "t"}


class BadSheet(Exception):
    """The sheet's XML is not what such a file has."""


@dataclass(slots=True)
class SheetCell:
    """One cell as stored. `start`, `end`: of its element; `formula`: of its <f>, as a pair of places, if it has one."""

    row: int
    column: int
    kind: str
    style: int
    start: int
    text: str = ""
    stored: bool = False  # whether it has a value
    formula: int = -1
    shared: str = ""  # the number of a formula that several cells share
    end: int = -1


@dataclass(slots=True)
class SheetRow:
    """One row with its cells, in their order."""

    number: int
    start: int
    cells: list[SheetCell] = field(default_factory=list)
    end: int = -1


def letters(column: int) -> str:
    """A, B, …, Z, AA for 1, 2, …."""
    made = ""
    while column:
        column, rest = divmod(column - 1, 26)
        made = chr(65 + rest) + made
    return made


class SheetScan:
    """One pass over a sheet. `merged` is complete at its end. Raises BadSheet, and ExpatError for what is no XML."""

    def __init__(self) -> None:
        self.merged: list[str] = []
        self._parser = ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._open
        self._parser.EndElementHandler = self._close
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._done: list[SheetRow] = []
        self._row: SheetRow | None = None
        self._cell: SheetCell | None = None
        self._number = 0
        self._reading = self._phonetic = False

    def rows(self, file: BinaryIO) -> Iterator[SheetRow]:
        """All rows that are stored, in their order."""
        while True:
            block = file.read(_BLOCK)
            self._parser.Parse(block, not block)
            done, self._done = self._done, []
            yield from done
            if not block:
                return

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        at = self._parser.CurrentByteIndex
        if name == "row":
            number = int(attributes.get("r") or self._number + 1)
            if number > _MAX_ROW:
                raise BadSheet(f"there is a row {number}, and sheets end at {_MAX_ROW}")
            if number <= self._number:
                raise BadSheet(f"row {number} comes after row {self._number}")
            self._number = number
            self._row = SheetRow(number, at)
        elif name == "c" and self._row is not None:
            before = self._row.cells[-1].column if self._row.cells else 0
            column = _column(attributes["r"]) if attributes.get("r") else before + 1
            if column <= before:
                raise BadSheet(f"the cells of row {self._number} are out of order")
            kind, style = attributes.get("t", "n"), int(attributes.get("s") or 0)
            self._cell = SheetCell(self._number, column, kind, style, at)
            self._row.cells.append(self._cell)
        elif name == "mergeCell":
            self.merged.append(attributes.get("ref", ""))
        elif self._cell is not None:
            if name == "f":
                self._cell.formula = at
                self._cell.shared = attributes.get("si", "")
            self._phonetic = self._phonetic or name == "rPh"
            self._reading = name in _TEXTS and not self._phonetic

    def _close(self, name: str) -> None:
        name = name.rpartition(":")[2]
        if name == "row" and self._row is not None:
            self._row.end = self._parser.CurrentByteIndex
            self._done.append(self._row)
            self._row = None
        elif name == "c" and self._cell is not None:
            self._cell.end = self._parser.CurrentByteIndex
            self._cell = None
        elif name == "rPh":
            self._phonetic = False
        self._reading = False

    def _characters(self, data: str) -> None:
        if self._reading and self._cell is not None:
            self._cell.text += data
            self._cell.stored = True
            if len(self._cell.text) > _MAX_TEXT:
                raise BadSheet(f"the text of cell {letters(self._cell.column)}{self._number} is too long")

    def _doctype(self, *_: Any) -> None:
        raise BadSheet("it has a document type, which no spreadsheet program writes")


def _column(reference: str) -> int:
    number = 0
    for char in reference:
        if not "A" <= char <= "Z":
            break
        number = number * 26 + ord(char) - 64
        if number > _MAX_COLUMN:
            raise BadSheet(f"a cell is said to be in column {reference[:20]}, and sheets end at XFD")
    return number
