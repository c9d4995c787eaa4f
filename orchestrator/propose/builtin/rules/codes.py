"""Codes of a fixed number of digits that lost their leading zeros, as spreadsheets do it: ZIP code "2134" → "02134".

Needed as proof: codes that kept their zeros, or a column named after postal codes in which several are short.
Left alone: every other column of digits, for there a short number is a small number.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_POSTAL = re.compile(r"(?i)(?:^|[^a-z])(?:zip|postal|postcode|plz)|zip_?code")


def _padded(value: str, width: int) -> str:
    """Short digits with zeros in front; any other text as it is."""
    return value.zfill(width) if value.isascii() and value.isdecimal() and width - 2 <= len(value) < width else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    width = next((width for width in (5, 4, 6, 8) if _lost_zeros(column, width)), None)
    return None if width is None else RuleFinding({"width": width})


def _lost_zeros(column: TextColumn, width: int) -> bool:
    """Whether the column holds codes of that many digits, and some lost their zeros: all that they had, or none."""
    full = column.rows(lambda text: len(text) == width and text.isdecimal())
    short = column.rows(lambda text: _padded(text, width) != text)
    if column.rows(lambda text: text[0] == "0" and _padded(text, width) != text):
        return False  # a short code with a zero in front is a code of another country
    zeros = column.rows(lambda text: len(text) == width and text.isdecimal() and text[0] == "0")
    postal = width == 5 and bool(_POSTAL.search(column.name))
    enough = full >= (0.7 if postal else 0.8) * column.filled and full + short >= 0.95 * column.filled
    return short > 0 and enough and (zeros >= 3 or (postal and short >= 0.03 * column.filled))


RULE = RepairRule(
    name="restore_zeros_in_{columns}",
    issue="Codes in {columns} have {width} digits, but some lost their leading zeros.",
    doc="Fill codes with leading zeros to {width} digits.",
    fix=_padded,
    look=_look,
)
