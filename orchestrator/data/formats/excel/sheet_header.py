"""Which row of a sheet is its header: the first one with a value, or the one below a title. For `excel_reader`."""

from collections.abc import Mapping, Sequence

MAX_ROWS_ABOVE = 20

Row = tuple[int, Mapping[int, tuple[str, str]]]
"""The number of a row in the sheet, and its values: kind (n, t, d, b) and text by column."""


def beside(row: Row, first: Row) -> bool:
    """Whether the row has a value in a column where the first one has none: the first one is not its header."""
    return max(row[1]) > max(first[1]) or min(row[1]) < min(first[1])


def header_place(rows: Sequence[Row]) -> int:
    """Which of the first rows with a value is the header: 0, or the last one, which lies `beside` the first.

    It is the last one where it holds nothing but different words and what stands above is a title: fewer values, and a
    sentence or followed by a blank row. The sheet could not be read with the first row as its header.
    """
    *above, (number, names) = rows
    if not above or not beside(rows[-1], rows[0]):
        return 0
    texts = [text.strip() for kind, text in names.values() if kind == "t"]
    parted = number - above[-1][0] > 1 or all(" " in text.strip() for _, row in above for _, text in row.values())
    short = all(len(row) * 2 <= len(names) for _, row in above)
    return len(above) if short and parted and len(set(texts)) == len(names) else 0
