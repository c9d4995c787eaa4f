"""Which day, time or period a text names, in whatever form. Called by equivalence.py.

A text can name several: 03/04/2021 is one of two days. Sources: ISO 8601, and what spreadsheets and Unix count.
"""

import datetime as dt
import re
from collections.abc import Iterator

from orchestrator.data.writing.month_names import FOREIGN_MONTHS
from orchestrator.gate.information.remembered import remembered
from orchestrator.gate.information.value_kinds.known_words import things

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PART_OF_SECOND, _THOUSANDTHS = re.compile(r":\d\d[.,](\d{1,9})"), re.compile(r"\d{9,10}(\d{3})")
_CLOCK = re.compile(
    r"(?<![\d:.])([01]?\d[:.h]|2[0-4][:.h]|[01]\d|2[0-4]|\d(?=\d\d$))([0-5]\d)(?::?([0-5]\d)(?:\.\d+)?)?\s*([ap])?\.?(?:m\.?)?(?![\d:])",
    re.IGNORECASE,
)
_HOUR = re.compile(r"(1[0-2]|0?[1-9])\s*([ap])\.?m\.?", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?!\d)")
_PARTS = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?!\d)")
_ROMAN = re.compile(r"(\d{1,2})[-/. ]([IVX]{1,4})[-/. ](\d{4}|\d{2})(?!\d)", re.IGNORECASE)
_ROMAN_MONTHS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_SHORT = re.compile(r"(\d{1,2}(?!\.)|\d{2})[-/. ](\d{1,2})[-/. ](\d{1,2})(?!\d)")  # 1.2.03 begins with a day
_NAMED = re.compile(
    r"(?:(?:the )?(\d{1,2})(?:st|nd|rd|th|er|[º°])?[\s./-]*(?:de |of )?)?"
    r"(?<![^\W\d_])([^\W\d_]{3,12})\.?[\s,./-]*(?:de |year )?"
    r"(?:(\d{1,2})(?:st|nd|rd|th)?(?:,\s*|\s+))?'?(\d{4}|\d{2})(?!\d)",
    re.IGNORECASE,
)
_OCLOCK = re.compile(r"(?<=\d)\s*(?:uhr|o['’]clock|hrs)$", re.IGNORECASE)
_FULL_HOUR = re.compile(r"(\d{1,2})\s*(?:uhr|o['’]clock)", re.IGNORECASE)
_GREENWICH = re.compile(r"(?<=[\d ])\s*(?:Z|UTC|GMT)$")
_OF_DAY = {"noon": 12, "midday": 12, "12 noon": 12, "midnight": 0, "12 midnight": 0}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAYS_ELSEWHERE = (
    "montag lundi lunes lunedì maandag", "dienstag mardi martes martedì dinsdag",
    "mittwoch mercredi miércoles mercoledì woensdag", "donnerstag jeudi jueves giovedì donderdag",
    "freitag vendredi viernes venerdì vrijdag", "samstag sonnabend samedi sábado sabato zaterdag",
    "sonntag dimanche domingo domenica zondag",
)  # fmt: skip
_ELSEWHERE = {name: day for day, names in enumerate(_WEEKDAYS_ELSEWHERE) for name in names.split()} | {
    name: day for day, name in enumerate(("mo", "di", "mi", "do", "fr", "sa", "so"))
}
_WEEKDAY = re.compile(
    rf"({'|'.join(_WEEKDAYS)})[a-z]*\.?,?\s+"
    rf"|({'|'.join(name for name in _ELSEWHERE if len(name) > 2)})\.?,?\s+|(mo|di|mi|do|fr|sa|so)(?:\.,?|,)\s+",
    re.IGNORECASE,
)
_WEEK = re.compile(r"(\d{4})-?W(\d{2})-?([1-7])")
_OF_WEEK = re.compile(
    r"(?:KW|CW|WK|W|Week|Woche)\.?\s*(\d{1,2})[\s/.-]+(\d{4}|\d{2})|(\d{4})[\s/-]*(?:W|KW|CW)\.?\s?(\d{1,2})",
    re.IGNORECASE,
)
_ZONE = re.compile(r"\s?([+-])(\d\d):?([0-5]\d)")
_ORDINAL = re.compile(r"(\d{4})-?([0-3]\d{2})")
_QUARTER_WORD = re.compile(
    r"(?:([1-4])(?:st|nd|rd|th)|(first|second|third|fourth)|quarter ([1-4]))(?: quarter)?(?: of)?,? (\d{4})",
    re.IGNORECASE,
)
_WORDS = ("first", "second", "third", "fourth")
_YEAR_FIRST = re.compile(r"(\d{4})[\s/-]([^\W\d_]{3,12})\.?(?:[\s/-](\d{1,2})(?!\d))?")
_QUARTER = re.compile(
    r"(?:Q([1-4])[\s/-]*(\d{4}|'?\d{2})|(\d{4})[\s/-]*Q([1-4])|([1-4])Q\s*(\d{4}|\d{2}))", re.IGNORECASE
)
_MONTH = re.compile(r"(\d{4})[-/](\d{2})|(\d{1,2})[-/](\d{4})|(\d{1,2})\.((?:19|20)\d{2})")
_YEAR = re.compile(r"(?:FY\s?)?(?:'(\d{2})|(\d{4}))|FY\s?(\d{2})")
_FISCAL = re.compile(r"(?:FY\s?)?(\d{4})[/-](?:20)?(\d{2})")  # a fiscal year is named by the year in which it ends
_CLOCK_FIRST = re.compile(
    r"(\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?)(?:,\s*|\s+(?:on\s+)?)(?=[a-z0-9][^:]{3,20}$)(.*\d)", re.IGNORECASE
)
_EAST_ASIAN = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日일号])?(?!\d)")
_SPACED = re.compile(r"(?<=\d)\. (?=\d)")  # 16. 7. 1963
_OF_YEAR = re.compile(r"(?<=\d{4}) ?[rг]\.?$|(?<=^\d{4}\.\d\d\.\d\d)\.$")  # in Polish and Russian; 2024. 03. 05.
_HUNGARIAN = re.compile(r"^(\d{4})\. ([^\W\d_]{3,12}) (\d{1,2})\.?$")
_COMPACT = re.compile(  # 20210304153000+0100, as messages between machines have it: figures without signs
    r"((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])([01]\d|2[0-3])([0-5]\d)(?:([0-5]\d)(?:\.\d+)?)?(Z|[+-]\d{4})?"
)
_NEVER = re.compile(r"[$€£¥%@#&*?!=<>()|_\"]")  # in no form that is known: most texts need not be tried further
_PIVOT, WEEKS = 69, 53
_DECIMAL = re.compile(r"\d{1,2}[.,]\d\d")
EPOCH, SHEET = dt.datetime(1970, 1, 1), dt.date(1899, 12, 30)  # noqa: DTZ001 - cells carry no zone

Moment = tuple[object, ...]


@remembered
def moments(text: str) -> frozenset[Moment]:
    """All that the whole text can name: a day, a day with a time, a time of day, a month, a quarter or a year."""
    text = _CLOCK_FIRST.sub(r"\2 \1", text.strip().strip("[]"))
    if text[:1].isdigit() and not text.isascii():
        text = _EAST_ASIAN.sub(lambda found: "-".join(part.zfill(2) for part in found.groups() if part), text)
    text = _SPACED.sub(".", text if _FULL_HOUR.fullmatch(text) else _OCLOCK.sub("", text))
    text = _HUNGARIAN.sub(r"\1 \2 \3", _OF_YEAR.sub("", text))
    if text.casefold() in _OF_DAY:
        return frozenset({("time", _OF_DAY[text.casefold()], 0, 0)})
    can_be = 3 <= len(text) <= 40 and any(map(str.isdigit, text)) and not _NEVER.search(text)
    found = frozenset(_moments(text)) if can_be else frozenset[Moment]()
    if compact := _COMPACT.fullmatch(text):
        year, month, day, hour, minute, second, zone = compact.groups("")
        found |= frozenset(_moments(f"{year}-{month}-{day}T{hour}:{minute}{second and f':{second}'}{zone}"))
    return found


def other_fraction(before: str, after: str) -> bool:
    """Whether both say parts of a second, and other ones; thousandths since 1970 do, too."""
    ours, theirs = (_PART_OF_SECOND.search(text) or _THOUSANDTHS.fullmatch(text) for text in (before, after))
    if ours is None or theirs is None:
        return False
    places = min(len(ours[1]), len(theirs[1]))
    return ours[1][:places] != theirs[1][:places]


def in_greenwich(before: str, after: str) -> bool:
    """Whether a moment of a time zone becomes just what a clock in Greenwich showed then."""
    there = {one[1:] for one in moments(before) if one[0] == "instant"}
    return bool(there) and there == {one[1:] for one in moments(after) if one[0] == "moment"}


def only_point_differs(before: str, after: str) -> bool:
    """Whether a number may only have lost or got a decimal mark: 1.30 can be a time of day, and 130 as well."""
    longer, shorter = (before, after) if len(before) > len(after) else (after, before)
    return _DECIMAL.fullmatch(longer) is not None and shorter.isdecimal() and len(shorter) == len(longer) - 1


def _moments(text: str) -> Iterator[Moment]:
    if match := _QUARTER.fullmatch(text):
        year, quarter = (match[2] or match[3] or match[6]).strip("'"), match[1] or match[4] or match[5]
        yield "quarter", _century(year), int(quarter)
    if (match := _QUARTER_WORD.fullmatch(text)) and ("quarter" in text.casefold()):
        yield "quarter", int(match[4]), int(match[1] or match[3] or _WORDS.index(match[2].casefold()) + 1)
    if (match := _YEAR_FIRST.fullmatch(text)) and not match[3] and (month := month_of(match[2])):
        yield "month", int(match[1]), month
    if (match := _OF_WEEK.fullmatch(text)) and 1 <= int(match[1] or match[4]) <= WEEKS:
        yield "week", _century(match[2] or match[3]), int(match[1] or match[4])
    if (match := _MONTH.fullmatch(text)) and 1 <= int(match[2] or match[3] or match[5]) <= 12:
        yield "month", int(match[1] or match[4] or match[6]), int(match[2] or match[3] or match[5])
    if (match := _FISCAL.fullmatch(text)) and (int(match[1]) + 1) % 100 == int(match[2]):
        yield "year", int(match[1]) + 1
    if match := _NAMED.fullmatch(text):
        month = month_of(match[2])
        if month and not (match[1] or match[3]):
            yield "month", _century(match[4]), month
    if match := _YEAR.fullmatch(text):
        yield "year", _century(match[1] or match[2] or match[3])
    if match := _CLOCK.fullmatch(text):
        yield from (("time", *time) for time in _times(match))
    if (match := _FULL_HOUR.fullmatch(text)) and int(match[1]) < 24:
        yield "time", int(match[1]), 0, 0
    if match := _HOUR.fullmatch(text):
        yield "time", int(match[1]) % 12 + 12 * (match[2].casefold() == "p"), 0, 0
    yield from _counted(text)
    for day, left in _days(text):
        rest = left.strip(" T,:")
        zoned, rest = _GREENWICH.search(rest) is not None, _GREENWICH.sub("", rest)
        zone = _ZONE.search(rest) if len(rest) > len("+0000") else None
        rest, ahead = (rest, dt.timedelta()) if zone is None or zone.end() < len(rest) else _east(rest, zone)
        zoned = zoned or zone is not None
        clock = _CLOCK.fullmatch(rest.strip())
        if not rest:
            yield from (("day", day), ("date", day))
        for time in _times(clock) if clock else ():
            if zoned:  # the moment itself; without a zone it is only what a clock showed
                yield "instant", *_shifted(day, time, ahead)
            if not ahead:
                yield "moment", day, *time
            if time == (0, 0, 0) and not ahead:
                yield "day", day


def _east(rest: str, zone: re.Match[str]) -> tuple[str, dt.timedelta]:
    """The time of day in front of a time zone, and by how much that is ahead of the time in Greenwich."""
    ahead = dt.timedelta(hours=int(zone[2]), minutes=int(zone[3]))
    return rest[: zone.start()], -ahead if zone[1] == "-" else ahead


def _shifted(day: dt.date, time: tuple[int, int, int], ahead: dt.timedelta) -> tuple[object, ...]:
    try:
        at = dt.datetime(day.year, day.month, day.day, time[0] % 24, *time[1:]) - ahead  # noqa: DTZ001 - it is Greenwich's
    except (OverflowError, ValueError):
        return day, *time
    return at.date(), at.hour, at.minute, at.second


def _counted(text: str) -> Iterator[Moment]:
    """Days since 1900 as spreadsheets count them, seconds and thousandths since 1970."""
    text = re.sub(r"\.0+$", "", text)
    if not re.fullmatch(r"\d{5}|\d{9,10}|\d{12,13}", text):
        return
    if len(text) == 5:
        yield "day", SHEET + dt.timedelta(days=int(text))
        return
    at = EPOCH + dt.timedelta(seconds=int(text) // (1000 if len(text) > 10 else 1))
    yield "moment", at.date(), at.hour, at.minute, at.second
    if not (at - EPOCH).seconds:  # else a date has lost the time
        yield "date", at.date()
    yield "seconds", int((at - EPOCH).total_seconds())


def _days(text: str) -> Iterator[tuple[dt.date, str]]:
    """The days that the front of the text can name, and what follows. A weekday before it must be the right one."""
    weekday = _WEEKDAY.match(text)
    for day, rest in _dates(text[weekday.end() :] if weekday else text):
        if weekday is None or _number_of(weekday) == day.weekday():
            yield day, rest


def _number_of(weekday: re.Match[str]) -> int:
    name = next(filter(None, weekday.groups())).casefold()
    return _WEEKDAYS.index(name) if weekday[1] else _ELSEWHERE[name]


def _dates(text: str) -> Iterator[tuple[dt.date, str]]:
    for pattern, order in ((_ISO, (1, 2, 3)), (_PARTS, (3, 2, 1)), (_PARTS, (3, 1, 2)), (_SHORT, (1, 2, 3))):
        if match := pattern.match(text):
            year, month, day = (match[part] for part in order)
            yield from _valid(year, month, day, text[match.end() :])
    if (match := _ROMAN.match(text)) and match[2].upper() in _ROMAN_MONTHS:
        yield from _valid(match[3], str(_ROMAN_MONTHS.index(match[2].upper()) + 1), match[1], text[match.end() :])
    if match := _NAMED.match(text):
        month, number = month_of(match[2]), match[1] or match[3]
        if month and number:
            yield from _valid(match[4], str(month), number, text[match.end() :])
    if (match := _YEAR_FIRST.match(text)) and match[3]:
        yield from _valid(match[1], str(month_of(match[2])), match[3], text[match.end() :])
    if (match := _WEEK.fullmatch(text)) and 1 <= int(match[2]) <= WEEKS:
        try:
            yield dt.date.fromisocalendar(int(match[1]), int(match[2]), int(match[3])), ""
        except ValueError:
            return
    if (match := _ORDINAL.fullmatch(text)) and 1 <= int(match[2]) <= 366 and int(match[1]) > 0:
        yield dt.date(int(match[1]), 1, 1) + dt.timedelta(days=int(match[2]) - 1), ""


def month_of(name: str) -> int:
    """The number of a month by its name in one of the languages that are known; 0 where it is no month."""
    short, known = name[:3].casefold(), int(FOREIGN_MONTHS.get(name.lower(), 0))
    if known or short in _NAMES:  # the Finnish November begins as March does
        return known or _NAMES.index(short) + 1
    return next(iter(things("month", name)), -1) + 1


def weekday_of(name: str) -> int | None:
    """The number of a day of the week by its name, from Monday; None where it is none."""
    folded = name.casefold()
    if len(folded) > 2 and folded[:3] in _WEEKDAYS and (len(folded) == 3 or folded.endswith("day")):
        return _WEEKDAYS.index(folded[:3])
    return _ELSEWHERE.get(folded) if len(folded) > 2 else None


def _valid(year: str, month: str, day: str, rest: str) -> Iterator[tuple[dt.date, str]]:
    try:
        yield dt.date(_century(year), int(month), int(day)), rest
    except ValueError:
        return


def _century(year: str) -> int:
    return int(year) if len(year) == 4 else int(year) + (2000 if int(year) < _PIVOT else 1900)


def _times(clock: re.Match[str]) -> Iterator[tuple[int, int, int]]:
    hour, half = int(clock[1].rstrip(":.hH")), (clock[4] or "").casefold()
    if half and not 1 <= hour <= 12:
        return
    yield (hour % 12 + 12 * (half == "p") if half else hour), int(clock[2]), int(clock[3] or 0)
