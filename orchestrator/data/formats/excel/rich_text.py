"""Texts of a workbook of which parts are formatted by themselves: bold, coloured. Called by `excel_edit`.

The texts of most cells are kept once for the whole workbook, and a cell has the number of its text.
"""

import re
from pyexpat import ParserCreate
from typing import Any

from openpyxl.xml.constants import SHARED_STRINGS

from orchestrator.data.formats.excel.sheet_scan import SheetCell

_FORMAT, _TEXT = "rPr", "si"
_FORMATTED = re.compile(rb"<(?:\w+:)?rPr\b")


class RichTexts:
    """Tells which cells have such a text. The shared texts are read where the first cell with one is asked for."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self._shared: frozenset[int] | None = None

    def has(self, cell: SheetCell, element: bytes) -> bool:
        """Whether parts of the cell's text are formatted. `element`: the cell's, as it is stored."""
        if cell.kind == "inlineStr":
            return _FORMATTED.search(element) is not None
        if cell.kind != "s" or not cell.text.strip().isdecimal():
            return False
        if self._shared is None:
            self._shared = self._numbers()
        return int(cell.text) in self._shared

    def _numbers(self) -> frozenset[int]:
        part = self._reader.package.find(SHARED_STRINGS)
        return frozenset() if part is None else rich_numbers(self._reader.archive.read(part.PartName[1:]))


def rich_numbers(data: bytes) -> frozenset[int]:
    """The numbers of the shared texts of which parts are formatted."""
    found: set[int] = set()
    count = 0

    def opened(name: str, _: dict[str, str]) -> None:
        nonlocal count
        local = name.rpartition(":")[2]
        if local == _TEXT:
            count += 1
        elif local == _FORMAT:
            found.add(count - 1)

    parser = ParserCreate()
    parser.StartElementHandler = opened
    parser.Parse(data, True)
    return frozenset(found)
