"""What hangs on cells of a sheet and would be wrong after an edit: comments, links, tables. Called by `excel_edit`.

Comments and links are kept by cell, so they would stand beside other rows where rows go. A table knows the names of its
columns: a spreadsheet program calls the workbook broken where a cell of its header is another one.
"""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from openpyxl.packaging.relationship import get_dependents, get_rels_path

from orchestrator.data.formats.excel.sheet_header import column_number

_PLACE = re.compile(rb"<(?:\w+:)?(?:comment|hyperlink)\s[^>]*?\bref=[\"'][A-Z]+(\d+)")
_TABLE = re.compile(rb"<(?:\w+:)?table\s[^>]*?\bref=[\"']([A-Z]+)(\d+)(?::([A-Z]+)\d+)?[\"'][^>]*>")
_TOTALS = re.compile(rb"\btotalsRowCount=[\"'][1-9]")
_NO_HEADER = re.compile(rb"\bheaderRowCount=[\"']0")


def in_the_way(archive: Any, path: str, gone: AbstractSet[int], header: AbstractSet[tuple[int, int]]) -> str:
    """What forbids the edit, as a clause; empty where nothing does. `header`: row and column of names that change."""
    if gone:
        first = min(gone)
        for data in (archive.read(path), *_parts(archive, path, "comments")):
            if any(int(found[1]) >= first for found in _PLACE.finditer(data)):
                return "has comments or links on cells, which would stand beside other rows where rows go"
    for data in _parts(archive, path, "table"):
        if (found := _TABLE.search(data)) is None:
            continue
        if gone and _TOTALS.search(found[0]):
            return "has a table with a row of totals, which would be in another place where rows go"
        first, last = column_number(found[1]), column_number(found[3] or found[1])
        named = not _NO_HEADER.search(found[0])
        if named and any(row == int(found[2]) and first <= column <= last for row, column in header):
            return "has a table, out of which no column can be taken"
    return ""


def _parts(archive: Any, path: str, kind: str) -> Iterator[bytes]:
    """The parts of that kind that belong to the sheet."""
    names = set(archive.namelist())
    if (relations := get_rels_path(path)) not in names:
        return
    for one in get_dependents(archive, relations):
        if one.Type.endswith(f"/{kind}") and one.target in names:
            yield archive.read(one.target)
