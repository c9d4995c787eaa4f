"""Days from one date of a row to another, counted although one of them is in no calendar. For added_concerns.py.

Which two dates they are counted between, the other rows say: nearly all of them obey it.
"""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.value_kinds.number_parsing import reading

ENOUGH, MOSTLY = 12, 0.8  # rows with both dates and a number, and how many of them obey it
MOST_DATES = 4  # columns of dates
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def counted_from_no_day(counts: Sequence[Any], columns: Mapping[str, Sequence[Any]]) -> tuple[int, str] | None:
    """The first row with a number of days though a date of it, of the column named, is none that the calendar has."""
    numbers = [None if is_missing(one) else reading(one) for one in counts]
    if sum(number is not None for number in numbers) < ENOUGH:
        return None
    dates = {name: [*map(_day, cells)] for name, cells in columns.items()}
    named = [name for name, days in dates.items() if sum(day is not None for day in days) >= ENOUGH][:MOST_DATES]
    for start, end in permutations(named, 2):
        rows = [row for row in range(len(counts)) if numbers[row] is not None and dates[start][row] and dates[end][row]]
        obeying = sum(_obeys(numbers[row], dates[start][row], dates[end][row]) for row in rows)
        if len(rows) < ENOUGH or obeying < MOSTLY * len(rows):
            continue
        for row, number in enumerate(numbers):
            name = next((one for one in (start, end) if _is_no_day(columns[one][row])), None)
            if name is not None and number is not None:
                return row, name
    return None


def is_counted_from_no_day(count: Any, cell: Any) -> bool:
    """Whether an example shows the like."""
    return not is_missing(count) and _is_no_day(cell)


def _obeys(number: Any, start: dt.date | None, end: dt.date | None) -> bool:
    """Whether it is the number of days between both, or none where the second is not later."""
    if start is None or end is None:
        return False
    days = (end - start).days
    return number is not None and (number == days or (number == 0 and days < 0))


def _day(cell: Any) -> dt.date | None:
    found = _ISO.fullmatch(cell) if isinstance(cell, str) else None
    try:
        return dt.date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def _is_no_day(cell: Any) -> bool:
    return isinstance(cell, str) and _ISO.fullmatch(cell) is not None and _day(cell) is None
