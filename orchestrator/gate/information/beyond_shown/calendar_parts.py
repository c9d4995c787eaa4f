"""Parts of a date as a witness shows them: its quarter, week, weekday, the end of its month.

Called by otherwise_than_shown.py. A witness shows which part of the calendar is wanted; what other dates become must be
the same part of theirs: one part for each number of the text, for all dates.
"""

import calendar
import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.moments import moments, month_of, weekday_of

Part = Callable[[dt.date], int]
MONTHS = 12
LONGEST = 40  # characters of a text that names a date or a part of one
_TOKEN = re.compile(r"\d+|[^\W\d_]+")


def _fiscal_year(first: int, named: int) -> Part:
    """Of a year that begins in another month, by the year in which it begins (0) or ends (1)."""
    return lambda day: day.year + (day.month >= first) - 1 + named


def _fiscal_quarter(first: int) -> Part:
    return lambda day: (day.month - first) % MONTHS // 3 + 1


def _iso_week(day: dt.date) -> int:
    return day.isocalendar().week


def _iso_year(day: dt.date) -> int:
    return day.isocalendar().year


def _always(number: int, _: dt.date) -> int:
    return number


def _year(day: dt.date) -> int:
    return day.year


_NUMBERS: Sequence[Part] = (
    _year,
    _iso_year,
    *(_fiscal_year(first, named) for first in range(2, MONTHS + 1) for named in (0, 1)),
    lambda day: day.year // 10 * 10,
    lambda day: (day.year - 1) // 100 + 1,
    lambda day: day.month,
    lambda day: day.day,
    lambda day: calendar.monthrange(day.year, day.month)[1],
    lambda day: day.month % MONTHS + 1,
    lambda day: day.year + day.month // MONTHS,
    *(_fiscal_quarter(first) for first in range(1, MONTHS + 1)),
    lambda day: (day.month - 1) // 6 + 1,
    _iso_week,
    lambda day: int(day.strftime("%U")),
    lambda day: int(day.strftime("%W")),
    lambda day: int(day.strftime("%U")) + 1,
    lambda day: (day.timetuple().tm_yday - 1) // 7 + 1,
    lambda day: (day.day - 1) // 7 + 1,
    lambda day: day.timetuple().tm_yday,
    lambda day: day.weekday(),
    lambda day: day.isoweekday(),
    lambda day: day.isoweekday() % 7,
    lambda day: day.isoweekday() % 7 + 1,
)
_KINDS: dict[str, Sequence[Part]] = {"month": [lambda day: day.month], "weekday": [lambda day: day.weekday()]}
_WHOLE_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")  # not what leaves its century, and counts of days, to be guessed
Slot = tuple[str, int]  # what kind of word or number stands there, and which


class CalendarParts:
    """Which parts of their dates the witnesses of one column show, by the form of the text afterwards."""

    def __init__(self, shown: Sequence[Change]) -> None:
        self._shown = _by_form(shown)

    def judged(self, changes: Sequence[Change]) -> tuple[list[Change], list[Change]]:
        """The changes that are the same parts of their dates as the witnesses show of theirs, and those that are not.

        Where one of a form is not, none of the form is among the former.
        """
        same, otherwise = list[Change](), list[Change]()
        for form, pairs in _by_form(changes).items() if self._shown else ():
            parts = self._parts(form, pairs)
            unlike = [pair for pair in pairs if not pair.fits(parts)] if parts else []
            if len(parts) == 1 and form == "0" and 2 * len(unlike) > len(pairs):
                continue  # a number alone may be anything
            otherwise += [pair.change for pair in unlike]
            same += [pair.change for pair in pairs] if parts and not unlike else []
        return same, otherwise

    def _parts(self, form: str, pairs: Sequence["_Pair"]) -> list[Part]:
        """For each number and name the part that fits all witnesses and most of the others; empty without such ones."""
        chosen: list[Part] = []
        witnesses = self._shown.get(form, [])
        for at, (kind, number) in enumerate(witnesses[0].slots if witnesses else ()):
            if all(one.slots[at] == (kind, number) for one in [*witnesses, *pairs]):
                chosen.append(partial(_always, number))
                continue
            parts = [part for part in _KINDS.get(kind, _NUMBERS) if all(one.has(part, at) for one in witnesses)]
            if not parts:
                return []
            fitting = [sum(pair.has(part, at) for pair in pairs) for part in parts]
            chosen.append(parts[fitting.index(max(fitting))])
        return [_iso_year if part is _year else part for part in chosen] if _iso_week in chosen else chosen


class _Pair:
    """A date, and the numbers and names of the calendar in what it becomes."""

    def __init__(self, change: Change, day: dt.date, slots: list[Slot]) -> None:
        self.change, self.slots, self._day = change, slots, day

    def fits(self, parts: Sequence[Part]) -> bool:
        return all(self.has(part, at) for at, part in enumerate(parts))

    def has(self, part: Part, at: int) -> bool:
        kind, number = self.slots[at]
        made = part(self._day)
        return made == number or (kind == "00" and made % 100 == number and made > 1000)


def _by_form(changes: Sequence[Change]) -> dict[str, list[_Pair]]:
    found: dict[str, list[_Pair]] = defaultdict(list)
    for before, after in changes:
        if max(len(before), len(after)) > LONGEST or not _WHOLE_YEAR.search(before):
            continue
        days = {moment[1] for moment in moments(before) if moment[0] in ("day", "moment")}
        day = days.pop() if len(days) == 1 else None
        if isinstance(day, dt.date) and (slots := _slots(after)):
            found[_form(after)].append(_Pair((before, after), day, slots))
    return found


def _slots(text: str) -> list[Slot]:
    return [slot for token in _TOKEN.findall(text) if (slot := _slot(token)) is not None]


def _slot(token: str) -> Slot | None:
    if token.isdecimal():
        return "0" * len(token), int(token)
    if (weekday := weekday_of(token)) is not None:
        return "weekday", weekday
    return ("month", month) if len(token) > 2 and (month := month_of(token)) else None


def _form(text: str) -> str:
    """The text with one sign for each number and each name of the calendar."""

    def written(token: re.Match[str]) -> str:
        slot = _slot(token[0])
        return token[0].casefold() if slot is None else slot[0] if slot[0][0] != "0" else "0"

    return _TOKEN.sub(written, text.strip())
