"""Which day, time or period a text names, in whatever form. Called by equivalence.py.

A text can name several: 03/04/2021 is one of two days. Sources: ISO 8601, and what spreadsheets and Unix count.
"""

import datetime as dt
import re
from collections.abc import Iterator

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = re.compile(
    r"(?<![\d:.])([01]?\d[:.]|2[0-4][:.]|[01]\d|2[0-4])([0-5]\d)(?::?([0-5]\d)(?:\.\d+)?)?\s*([ap])?\.?(?:m\.?)?(?![\d:])",
    re.IGNORECASE,
)
_HOUR = re.compile(r"(1[0-2]|0?[1-9])\s*([ap])\.?m\.?", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?!\d)")
_PARTS = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?!\d)")
_SHORT = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{1,2})(?!\d)")
_NAMED = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th)?[\s./-]*)?\b([a-z]{3,9})\.?[\s,./-]*(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?'?(\d{4}|\d{2})(?!\d)",
    re.IGNORECASE,
)
_OF_DAY = {"noon": 12, "midday": 12, "12 noon": 12, "midnight": 0, "12 midnight": 0}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(rf"({'|'.join(_WEEKDAYS)})[a-z]*\.?,?\s+", re.IGNORECASE)
_WEEK = re.compile(r"(\d{4})-?W(\d{2})-?([1-7])")
_ORDINAL = re.compile(r"(\d{4})-?([0-3]\d{2})")
_QUARTER = re.compile(r"(?:Q([1-4])[\s/-]*(\d{4})|(\d{4})[\s/-]*Q([1-4])|([1-4])Q\s*(\d{4}|\d{2}))", re.IGNORECASE)
_MONTH = re.compile(r"(\d{4})[-/](\d{2})|(\d{1,2})[-/](\d{4})")
_YEAR = re.compile(r"(?:FY\s?)?(?:'(\d{2})|(\d{4}))|FY\s?(\d{2})")
_FISCAL = re.compile(r"(\d{4})[/-](\d{2})")  # a fiscal year is named by the year in which it ends
_PIVOT = 69
EPOCH, SHEET = dt.datetime(1970, 1, 1), dt.date(1899, 12, 30)  # noqa: DTZ001 - cells carry no zone

Moment = tuple[object, ...]


def moments(text: str) -> frozenset[Moment]:
    """All that the whole text can name: a day, a day with a time, a time of day, a month, a quarter or a year."""
    text = text.strip()
    if text.casefold() in _OF_DAY:
        return frozenset({("time", _OF_DAY[text.casefold()], 0, 0)})
    return frozenset(_moments(text)) if 3 <= len(text) <= 40 and any(map(str.isdigit, text)) else frozenset()


def _moments(text: str) -> Iterator[Moment]:
    if match := _QUARTER.fullmatch(text):
        year, quarter = match[2] or match[3] or match[6], match[1] or match[4] or match[5]
        yield "quarter", _century(year), int(quarter)
    if (match := _MONTH.fullmatch(text)) and 1 <= int(match[2] or match[3]) <= 12:
        yield "month", int(match[1] or match[4]), int(match[2] or match[3])
    if (match := _FISCAL.fullmatch(text)) and (int(match[1]) + 1) % 100 == int(match[2]):
        yield "year", int(match[1]) + 1
    if match := _NAMED.fullmatch(text):
        month = match[2][:3].casefold()
        if month in _NAMES and not (match[1] or match[3]):
            yield "month", _century(match[4]), _NAMES.index(month) + 1
    if match := _YEAR.fullmatch(text):
        yield "year", _century(match[1] or match[2] or match[3])
    if match := _CLOCK.fullmatch(text):
        yield from (("time", *time) for time in _times(match))
    if match := _HOUR.fullmatch(text):
        yield "time", int(match[1]) % 12 + 12 * (match[2].casefold() == "p"), 0, 0
    yield from _counted(text)
    for day, left in _days(text):
        rest = left.strip(" T,:").removesuffix("+0000").removesuffix("+00:00").strip().removesuffix("Z")
        clock = _CLOCK.fullmatch(rest.strip())
        if not rest:
            yield from (("day", day), ("date", day))
        for time in _times(clock) if clock else ():
            yield "moment", day, *time
            if time == (0, 0, 0):
                yield "day", day


def _counted(text: str) -> Iterator[Moment]:
    """Days since 1900 as spreadsheets count them, seconds and thousandths since 1970."""
    if not re.fullmatch(r"\d{5}|\d{9,10}|\d{12,13}", text):
        return
    if len(text) == 5:
        yield "day", SHEET + dt.timedelta(days=int(text))
        return
    at = EPOCH + dt.timedelta(seconds=int(text) // (1000 if len(text) > 10 else 1))
    yield from (("moment", at.date(), at.hour, at.minute, at.second), ("date", at.date()))
    yield "seconds", int((at - EPOCH).total_seconds())


def _days(text: str) -> Iterator[tuple[dt.date, str]]:
    """The days that the front of the text can name, and what follows. A weekday before it must be the right one."""
    weekday = _WEEKDAY.match(text)
    for day, rest in _dates(text[weekday.end() :] if weekday else text):
        if weekday is None or _WEEKDAYS[day.weekday()] == weekday[1].casefold():
            yield day, rest


def _dates(text: str) -> Iterator[tuple[dt.date, str]]:
    for pattern, order in ((_ISO, (1, 2, 3)), (_PARTS, (3, 2, 1)), (_PARTS, (3, 1, 2)), (_SHORT, (1, 2, 3))):
        if match := pattern.match(text):
            year, month, day = (match[part] for part in order)
            yield from _valid(year, month, day, text[match.end() :])
    if match := _NAMED.match(text):
        name, number = match[2][:3].casefold(), match[1] or match[3]
        if name in _NAMES and number:
            yield from _valid(match[4], str(_NAMES.index(name) + 1), number, text[match.end() :])
    if (match := _WEEK.fullmatch(text)) and 1 <= int(match[2]) <= 53:
        try:
            yield dt.date.fromisocalendar(int(match[1]), int(match[2]), int(match[3])), ""
        except ValueError:
            return
    if (match := _ORDINAL.fullmatch(text)) and 1 <= int(match[2]) <= 366 and int(match[1]) > 0:
        yield dt.date(int(match[1]), 1, 1) + dt.timedelta(days=int(match[2]) - 1), ""


def _valid(year: str, month: str, day: str, rest: str) -> Iterator[tuple[dt.date, str]]:
    try:
        yield dt.date(_century(year), int(month), int(day)), rest
    except ValueError:
        return


def _century(year: str) -> int:
    return int(year) if len(year) == 4 else int(year) + (2000 if int(year) < _PIVOT else 1900)


def _times(clock: re.Match[str]) -> Iterator[tuple[int, int, int]]:
    hour, half = int(clock[1].rstrip(":.")), (clock[4] or "").casefold()
    if half and not 1 <= hour <= 12:
        return
    yield (hour % 12 + 12 * (half == "p") if half else hour), int(clock[2]), int(clock[3] or 0)
