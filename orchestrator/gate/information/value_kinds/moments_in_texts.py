"""Times of day inside a text, and spans from one date or hour to another: whether they stay what they were.

A cell that is one date or one time is moments.py's. Called by equivalence.py.
"""

import datetime as dt
import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.moments import moments
from orchestrator.gate.information.value_kinds.units import in_base_unit

MAX_LENGTH = 2_000
_CLOCK = re.compile(
    r"(?<![\d:.,])(?:(2[0-4]|[01]?\d)[:.]([0-5]\d)(?![\d:.,]\d)(?:\s*([ap])\.?m\b\.?)?|(1[0-2]|0?[1-9])\s*([ap])\.?m\b\.?)",
    re.IGNORECASE,
)
_HALF = re.compile(r"\d\s*[ap]\.?m\b", re.IGNORECASE)
_HOURS = re.compile(
    r"([01]?\d|2[0-4])(?:[:.h]([0-5]\d))?\s*(?:[-\u2013]|to|bis)\s*([01]?\d|2[0-4])(?:[:.h]([0-5]\d))?(?:\s*uhr)?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"between\s+(\S{1,8})\s+and\s+(\S{1,8})", re.IGNORECASE)
_TIMES = re.compile(r"(\d\d):(\d\d)\s*[-\u2013]\s*(\d\d):(\d\d)")
_BOTH_HALVES = re.compile(
    r"(1[0-2]|[1-9])(?:[:.]([0-5]\d))?\s*[-\u2013]\s*(1[0-2]|[1-9])(?:[:.]([0-5]\d))?\s*([ap])\.?m\.?", re.IGNORECASE
)
_FRACTION = re.compile(r"0?\.\d{2,20}")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
_SECONDS = re.compile(r"\d\s?(?:s(?:ec(?:onds?)?)?\b|[\"\u2033])", re.IGNORECASE)
_CODED = re.compile(r"PT(?=\d)(?:(\d{1,3})H)?(?:(\d{1,3})M)?(?:(\d{1,3})S)?")  # ISO 8601
_LONG = re.compile(r"(\d{2,3}):([0-5]\d)")
_LETTERED = re.compile(r"(?:(\d{1,3})\s?h)?\s?(?:(\d{1,2})\s?m(?:in)?)?\s?(?:(\d{1,2})\s?s(?:ec)?)?", re.IGNORECASE)
_COUNTED = re.compile(r"(\d{1,5})\s?(?:s|secs?|seconds?|min|mins|minutes?)\.?", re.IGNORECASE)
_TWO_PARTS = re.compile(r"(\d{1,3}):([0-5]\d)")
_WITH_HOURS = re.compile(r"0?(\d{1,2}):([0-5]\d):([0-5]\d)")
HOUR = 60  # minutes
_PARTS = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_SPANS = (
    re.compile(r"\s+(?:to|until|till|through|thru|bis|au|al)\s+", re.IGNORECASE),
    re.compile(r"\s+[-\u2013\u2014]\s+"),
    re.compile(r"\s*[\u2013\u2014]\s*"),
    re.compile(r"\s*\.\.\s*"),
    re.compile(r"/"),
)


def same_clocks(before: str, after: str) -> bool | None:
    """Whether times with am or pm among words are the same ones in 24 hours; None if more than times changed."""
    if len(before) > MAX_LENGTH or not _HALF.search(before) or _CLOCK.fullmatch(before.strip()):
        return None
    (ours, rest), (theirs, left) = _read(before), _read(after)
    return None if rest != left or len(ours) != len(theirs) else ours == theirs


def _read(text: str) -> tuple[list[tuple[int, int]], str]:
    """The times in the order in which they stand, and the text around them."""
    times = []
    for match in _CLOCK.finditer(text):
        hour, half = int(match[1] or match[4]), (match[3] or match[5] or "").casefold()
        hour = hour % 12 + 12 * (half == "p") if half and hour <= 12 else hour
        times.append((hour, int(match[2] or 0)))
    return times, " ".join(_CLOCK.sub("\0", text).casefold().split())


def same_hours(before: str, after: str) -> bool:
    """Whether hours of one day, from and to, are written as the times that they are: `9 to 18` as `09:00-18:00`.

    Of `4-5 pm` both are in the afternoon.
    """
    if half := _BOTH_HALVES.fullmatch(before.strip()):
        afternoon = 12 * (half[5].casefold() == "p")
        start, end = ((int(half[n]) % 12 + afternoon, int(half[n + 1] or 0)) for n in (1, 3))
        if start > end and afternoon:
            start = start[0] - 12, start[1]  # 11-2pm begins in the morning
        theirs = _TIMES.fullmatch(after.strip())
        return theirs is not None and start < end and _minutes(theirs) == [*start, *end]
    ours, theirs = _HOURS.fullmatch(_BETWEEN.sub(r"\1-\2", before.strip())), _TIMES.fullmatch(after.strip())
    return bool(ours and theirs) and _minutes(ours) == _minutes(theirs)


def same_day_fraction(before: str, after: str) -> bool:
    """Whether the part of a day, as a spreadsheet stores it, is the time: `0.3125` and `07:30`."""
    part, time = _FRACTION.fullmatch(before.strip()), _TIME.fullmatch(after.strip())
    if not part or not time:
        return False
    seconds = 3600 * int(time[1]) + HOUR * int(time[2]) + int(time[3] or 0)
    return abs(float(part[0]) * 24 * 3600 - seconds) <= (HOUR if time[3] is None else 1) / 2


def same_duration(before: str, after: str) -> bool:
    """Whether minutes beyond an hour get their hours: `263:51` as `4:23:51`; `59m12s` as `0:59:12`; `73 min`.

    And seconds their minutes: `82 s` as `1:22`, as `82 min` is `1:22` of hours. `PT45M` is `0:45`.
    """
    if before.startswith("PT") and (coded := _CODED.fullmatch(before.strip())):
        return _same_as_coded(coded, after.strip())
    counted, parts = _COUNTED.fullmatch(before.strip()), _TWO_PARTS.fullmatch(after.strip())
    if counted and parts:
        return int(counted[1]) == HOUR * int(parts[1]) + int(parts[2])
    lettered, clock = _LETTERED.fullmatch(before.strip()), _WITH_HOURS.fullmatch(after.strip())
    if clock and (size := in_base_unit(before.strip())) is not None and size == in_base_unit(after.strip()):
        return True
    if lettered and clock and any(lettered.groups()):
        return [int(part or 0) for part in lettered.groups()] == [int(part) for part in clock.groups()]
    ours, theirs = _LONG.fullmatch(before.strip()), _WITH_HOURS.fullmatch(after.strip())
    if not ours or not theirs or int(ours[1]) < HOUR:
        return False
    return int(ours[1]) == HOUR * int(theirs[1]) + int(theirs[2]) and ours[2] == theirs[3]


def _same_as_coded(coded: re.Match[str], after: str) -> bool:
    """Whether a clock shows the hours, minutes and seconds; of two parts the larger ones that are there."""
    hours, minutes, seconds = (int(part or 0) for part in coded.groups())
    if clock := _WITH_HOURS.fullmatch(after):
        return _minutes(clock) == [hours, minutes, seconds]
    parts = _minutes(_TWO_PARTS.fullmatch(after))
    return parts == ([hours, minutes] if coded[3] is None else [minutes, seconds] if not hours else None)


def minutes_as_shown(change: Change, shown: Sequence[Change]) -> bool:
    """Whether minutes and seconds get hours, where a witness shows minutes beyond an hour: `4:48` as `00:04:48`.

    Or lose hours that are none, where one shows that seconds are the last part: `00:02:59` as `2:59` beside `225 s`.
    """
    clock, parts = _WITH_HOURS.fullmatch(change[0].strip()), _TWO_PARTS.fullmatch(change[1].strip())
    if clock and parts:
        seconds = any(_SECONDS.search(one) and _TWO_PARTS.fullmatch(other) for one, other in shown)
        return seconds and [HOUR * int(clock[1]) + int(clock[2]), int(clock[3])] == _minutes(parts)
    ours, theirs = _TWO_PARTS.fullmatch(change[0].strip()), _WITH_HOURS.fullmatch(change[1].strip())
    if not ours or not theirs or not any(_LONG.fullmatch(one[0].strip()) and same_duration(*one) for one in shown):
        return False
    return _minutes(ours) == [HOUR * int(theirs[1]) + int(theirs[2]), int(theirs[3])]


def _minutes(match: re.Match[str] | None) -> list[int]:
    return [] if match is None else [int(part or 0) for part in match.groups()]


def same_span(before: str, after: str) -> bool | None:
    """Whether a span of two dates is the same one; None if one of both is none, or if a date can be two."""
    ours, theirs = _span(before), _span(after)
    return None if ours is None or theirs is None else ours == theirs


def _span(text: str) -> tuple[dt.date, dt.date] | None:
    for pattern in _SPANS if len(text) <= MAX_LENGTH else ():
        parts = pattern.split(text.strip().removeprefix("from "))
        if len(parts) != 2:
            continue
        if (first := _day(parts[0])) and (last := _day(parts[1])):
            return first, last
        written = [_PARTS.fullmatch(part.strip()) for part in parts]
        if all(written):
            found = [span for order in ((1, 2), (2, 1)) if (span := _in_order(written, order))]
            return found[0] if len(found) == 1 else None
    return None


def _in_order(written: Sequence[re.Match[str] | None], order: tuple[int, int]) -> tuple[dt.date, dt.date] | None:
    """Both dates with the month at this place: 11/28/2015 says how 11/01/2015 before it is read."""
    month, day = order
    try:
        first, last = (dt.date(int(one[3]), int(one[month]), int(one[day])) for one in written if one)
    except ValueError:
        return None
    return first, last


def _day(text: str) -> dt.date | None:
    """The one date that a text can name."""
    found = {moment[1] for moment in moments(text.strip()) if moment[0] == "date"}
    day = found.pop() if len(found) == 1 else None
    return day if isinstance(day, dt.date) else None
