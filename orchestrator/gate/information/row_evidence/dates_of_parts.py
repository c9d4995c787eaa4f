"""Dates that are put together from columns of years, months and days. Called by filled.py.

Which column is the month shows where the numbers are too large for one: a date whose parts are exchanged is no date of
its row, also where its day is one of the first twelve.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.number_parsing import reading

MONTHS, DAYS, MOSTLY = 12, 31, 0.75  # of the numbers in a column are not too large
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def dates_of_rows(cells: Sequence[Change], filled: Iterable[int], others: Sequence[Sequence[Any]]) -> set[int]:
    """Those of the rows whose date is made of three columns, which are the same ones in all rows."""
    dates = {row: match.groups() for row in filled if (match := _ISO.fullmatch(str(cells[row][1])))}
    if not dates:
        return set()
    numbers = [[None if isinstance(cell, bool) else reading(cell) for cell in other] for other in others]
    parts = [_columns_of(part, dates, numbers) for part in range(3)]
    months = [column for column in parts[1] if _at_most(numbers[column], MONTHS)]
    days = [column for column in parts[2] if _at_most(numbers[column], DAYS)]
    return set(dates) if parts[0] and any(month != day for month in months for day in days) else set()


def _columns_of(part: int, dates: dict[int, tuple[str, ...]], numbers: Sequence[Sequence[Any]]) -> list[int]:
    """The columns that hold this part of the date in every row."""
    return [
        number
        for number, column in enumerate(numbers)
        if all(column[row] == int(date[part]) for row, date in dates.items())
    ]


def _at_most(column: Sequence[Any], largest: int) -> bool:
    known = [number for number in column if number is not None]
    return sum(1 for number in known if number <= largest) >= MOSTLY * len(known)
