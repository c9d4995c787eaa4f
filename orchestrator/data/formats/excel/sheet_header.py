"""Which row of a sheet is its header: the first one with a value, or the one below a title or headings of groups.

Called by `excel_reader`. Headings of groups are merged over several columns each, above the row of names.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO

MAX_ROWS_ABOVE = 20

HeaderRow = tuple[int, Mapping[int, tuple[str, str]]]
"""The number of a row in the sheet, and its values: kind (n, t, d, b) and text by column."""
Wide = frozenset[tuple[int, int]]
"""Where cells begin that are merged over several columns: row and column."""

_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=[\"']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})\d{1,7}[\"']")
_BLOCK, _LONGEST = 2**20, 200
_NUMBER = re.compile(r"[\s\d.,:/+-]*")


def beside(row: HeaderRow, first: HeaderRow) -> bool:
    """Whether the row has a value in a column where the first one has none: the first one is not its header."""
    return max(row[1]) > max(first[1]) or min(row[1]) < min(first[1])


def header_place(rows: Sequence[HeaderRow], wide: Wide = frozenset()) -> int:
    """Which of the first rows with a value is the header: 0, or a later one, which lies `beside` the first.

    It is a later one where it holds nothing but different words and what stands above it are titles (few values, and
    a sentence or followed by a blank row) or headings of groups, in each of which the words differ. With the first row
    as header nothing could be read.
    """
    *above, (_, names) = rows
    if not above:
        return 0
    texts = {column: text.strip() for column, (kind, text) in names.items() if kind == "t"}
    if beside(rows[-1], rows[0]) and len(texts) == len(names):
        different = len(set(texts.values())) == len(names)
        titled = different and all(len(row) * 2 <= len(names) for _, row in above) and _parted(rows)
        if titled or (len(names) > 1 and _grouped(rows, wide, texts)):
            return len(above)
    return header_place(above, wide)


def _parted(rows: Sequence[HeaderRow]) -> bool:
    *above, (number, _) = rows
    return number - above[-1][0] > 1 or all(" " in text.strip() for _, row in above for _, text in row.values())


def _grouped(rows: Sequence[HeaderRow], wide: Wide, texts: Mapping[int, str]) -> bool:
    """Whether the last row has a name for each column, and all above it are headings, with titles above those.

    Two groups may have the same names (`sales` and `cost` of each year).
    """
    *above, (_, names) = rows
    named = {(max((begin for begin in above[-1][1] if begin <= at), default=0), text) for at, text in texts.items()}
    different = len(named) == len(names) == max(names) - min(names) + 1
    whole = different and not any(map(_NUMBER.fullmatch, texts.values()))
    others = [place for place, row in enumerate(above) if not is_heading(row, wide)]
    titles = others[-1] + 1 if others else 0  # a title may be merged over all columns, too
    if not whole or not all(is_heading(row, wide) and len(row[1]) < len(names) for row in above[titles:]):
        return False
    return titles < len(above) and (not titles or _parted(rows[: titles + 1]))


def is_heading(row: HeaderRow, wide: Wide) -> bool:
    """Whether all its cells are merged over several columns, so that they name none of them."""
    return all((row[0], column) in wide for column in row[1])


def wide_cells(ranges: Iterable[tuple[int, int, int]]) -> Wide:
    """Of merged cells, as row, first and last column, those that go over several columns."""
    return frozenset((row, first) for row, first, last in ranges if last > first)


def merged_in(sheet: BinaryIO) -> Wide:
    """The same, looked for in the XML of a sheet, where they stand behind all rows."""
    found: set[tuple[int, int, int]] = set()
    rest = b""
    while block := sheet.read(_BLOCK):
        data = rest + block
        found.update((int(m[2]), column_number(m[1]), column_number(m[3])) for m in _MERGED.finditer(data))
        rest = data[-_LONGEST:]
    return wide_cells(found)


def column_number(name: bytes) -> int:
    """The number of the column that has such letters: 27 of `AA`."""
    number = 0
    for letter in name:
        number = number * 26 + letter - 64
    return number
