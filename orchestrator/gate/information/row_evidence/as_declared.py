"""Cells that became what the user's conventions say of their column. Called by settled_cells.py.

A date in the declared order, a number with the declared decimal mark, and a value that is not allowed as the only
allowed one that it is near to. What they say of one text (`spellings`, `null_words`) is an example, and no matter here.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.core.conventions import ColumnConvention
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.column_evidence.day_or_month import read_date
from orchestrator.gate.information.row_evidence.slips_beside import is_slip
from orchestrator.gate.information.similarity import key

LONGEST = 200  # characters of a cell that is looked at
_NUMBER = re.compile(r"\d[\d.,' \u00a0\u202f]*\d|\d")
_WITH_COMMA = re.compile(r"\d{1,3}(?:[. '\u00a0\u202f]\d{3})+(?:,\d+)?|\d+(?:,\d+)?")
_WITH_POINT = re.compile(r"\d{1,3}(?:[, '\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")


def as_declared(convention: ColumnConvention, cells: Sequence[Change], rows: Sequence[int]) -> list[int]:
    """Those of the rows whose cell became what is declared of it."""
    texts = {row: pair for row in rows if (pair := _texts(cells[row])) is not None}
    found = {pair for pair in set(texts.values()) if _is_declared(convention, *pair)}
    return [row for row, pair in texts.items() if pair in found]


def _texts(change: Change) -> tuple[str, str] | None:
    """A text and what it became, a number as it is written; None for anything else."""
    before, after = change
    number = isinstance(after, int | float | Decimal) and not isinstance(after, bool)
    if not isinstance(before, str) or len(before) > LONGEST or not (number or isinstance(after, str)):
        return None
    return before, str(after)


def _is_declared(convention: ColumnConvention, before: str, after: str) -> bool:
    order, mark, values = convention.dates.read, convention.numbers.decimal, convention.values
    return (
        (order in ("dmy", "mdy") and _in_order(before, after, month_first=order == "mdy"))
        or (mark is not None and _with_mark(before, after, mark))
        or (bool(values) and _allowed(before, after, values))
    )


def _in_order(before: str, after: str, *, month_first: bool) -> bool:
    read = read_date(before, after)
    return read is not None and read.month_first == month_first


def _with_mark(before: str, after: str, mark: str) -> bool:
    """Whether the same number stands there, read with the declared mark and written with a point, in the same text."""
    one, other = _NUMBER.findall(before), _NUMBER.findall(after)
    if len(one) != 1 or len(other) != 1 or before.replace(one[0], "", 1) != after.replace(other[0], "", 1):
        return False
    if (_WITH_COMMA if mark == "," else _WITH_POINT).fullmatch(one[0]) is None or not re.fullmatch(
        r"\d+(\.\d+)?", other[0]
    ):
        return False
    plain = re.sub(r"[^\d,]" if mark == "," else r"[^\d.]", "", one[0]).replace(",", ".")
    return Decimal(plain) == Decimal(other[0])


def _allowed(before: str, after: str, values: Sequence[str]) -> bool:
    if before in values or after not in values:
        return False
    near = [value for value in values if key(value) == key(before)]
    return (near or [value for value in values if is_slip(before.casefold(), value.casefold())]) == [after]
