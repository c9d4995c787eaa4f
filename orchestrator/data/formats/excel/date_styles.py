"""Styles for texts that become dates: a date is a number in the format of a date. Called by `excel_edit`.

A text among dates need not have such a style. It gets its own with the number format that most dates of the column
have, so that colours and borders stay. Styles are only added: those that cells have keep their numbers.
"""

import io
import re
from collections import Counter

from orchestrator.data.formats.excel.sheet_scan import SheetScan
from orchestrator.data.formats.excel.sheet_values import SheetDates

_STYLES = re.compile(rb"(?s)(<(?:\w+:)?cellXfs\b[^>]*>)(.*?)(?=</(?:\w+:)?cellXfs>)")
_STYLE = re.compile(rb"(?s)<(?:\w+:)?xf\b(?:[^>]*/>|.*?</(?:\w+:)?xf>)")
_NAME = re.compile(rb"<[\w:]+")
_FORMAT = re.compile(rb"\snumFmtId=[\"'](\d+)[\"']")
_APPLIED = re.compile(rb"\s(?:numFmtId|applyNumberFormat)=[\"']\w*[\"']")
_COUNT = re.compile(rb"(\scount=[\"'])\d+")


class DateStyles:
    """`styles`: the workbook's part with all styles; `sheet`: the XML of the sheet, `dates`: which styles are dates."""

    def __init__(self, styles: bytes, sheet: bytes, dates: SheetDates) -> None:
        self._data, self._sheet, self._dates = styles, sheet, dates
        found = _STYLES.search(styles)
        self._styles = _STYLE.findall(found[2]) if found else []
        self._before = len(self._styles)
        self._usual: dict[int, int] | None = None

    def usual(self, column: int) -> int:
        """The style that most dates of the column have; -1 where there is none."""
        if self._usual is None:
            self._usual = self._counted()
        return self._usual.get(column, -1)

    def like(self, style: int, model: int) -> int:
        """The number of that style with the number format of the model; -1 where the styles are not known."""
        if not 0 <= style < self._before or not 0 <= model < self._before:
            return -1
        number = _FORMAT.search(self._styles[model])
        if number is None:
            return -1
        tag, end, rest = self._styles[style].partition(b">")
        wanted = b'\\g<0> numFmtId="' + number[1] + b'" applyNumberFormat="1"'
        made = _NAME.sub(wanted, _APPLIED.sub(b"", tag), count=1) + end + rest
        if made not in self._styles[self._before :]:
            self._styles.append(made)
        return self._styles.index(made, self._before)

    def made(self) -> bytes:
        """The part with the styles that were added."""
        new = b"".join(self._styles[self._before :])
        if not new:
            return self._data
        count = b"%d" % len(self._styles)
        return _STYLES.sub(lambda one: _COUNT.sub(rb"\g<1>" + count, one[1]) + one[2] + new, self._data, count=1)

    def _counted(self) -> dict[int, int]:
        found: dict[int, Counter[int]] = {}
        for row in SheetScan().rows(io.BytesIO(self._sheet)):
            for cell in row.cells:
                if cell.kind == "n" and cell.stored and self._dates.is_date(cell.style):
                    found.setdefault(cell.column, Counter())[cell.style] += 1
        return {column: max(counts, key=counts.__getitem__) for column, counts in found.items()}
