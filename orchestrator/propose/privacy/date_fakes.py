"""Fakes of dates and times: a date that exists becomes another that exists, in the same format. Called by `masking`.

Day, month and year are replaced each by itself, one to one: what is 9 or less, 10 to 12, and more stays so, because
formats and the order of day and month are told by it. So a date has the same fake in every format, also without
separators. What only looks like a date (month 13) becomes something else that only looks like one. Months of a year,
hours, minutes and seconds likewise.
"""

import datetime as dt
from collections.abc import Callable
from typing import NamedTuple

from orchestrator.propose.privacy.keyed import Keyed, walked
from orchestrator.propose.privacy.run_fakes import RUN, RunMasker

_DAYS = ((1, 9), (10, 12), (13, 31))
_YEARS = ((1900, 2099), (1700, 1899), (2100, 2250), (1, 999), (1000, 1699), (2251, 9999))
_MONTHS = _DAYS[:2]
_HOURS = ((1, 9), (10, 12), (13, 23))
_MINUTES = ((1, 9), (10, 59))
_LEAP_CENTURY = 2000  # that of a year in two digits
_AFTER_TIMES = frozenset({"am", "pm", "z"})

DATED = (
    r"(?<![0-9])(?<![0-9][-/.])(?:[0-9]{4}(?P<s1>[-/.])[0-9]{1,2}(?P=s1)[0-9]{1,2}"
    r"|[0-9]{1,2}(?P<s2>[-/.])[0-9]{1,2}(?P=s2)(?:[0-9]{4}|[0-9]{2}))(?![-/.]?[0-9])"
)
NAMED = (
    r"(?<![^\W_])(?:[0-9]{1,2}\.?[ -][^\W\d_]{3,}|[^\W\d_]{3,}\.? [0-9]{1,2})\.?,?[ -](?:[0-9]{4}|[0-9]{2})(?![^\W_])"
)
MONTHED = r"(?<![0-9])(?<![0-9][-/.])(?:[0-9]{4}[-/][0-9]{2}|[0-9]{2}[-/][0-9]{4})(?![-/.]?[0-9])"
COMPACT = r"(?<![0-9])[0-9]{8}(?![0-9])"
TIMED = r"(?<![0-9:])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9:])(?: ?[A-Za-z]{1,2}(?![^\W_]))?"
BEFORE_TIME = r"(?<=[0-9])[A-Za-z](?=[0-9]{2}:[0-9]{2}(?![0-9]))"

_NAMES = tuple(
    tuple(names.split())
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    )
)


class MonthName(NamedTuple):
    """A month's name: which list it is in, and which month it is."""

    names: int
    month: int


class DateParts(NamedTuple):
    """A date in figures: the year, and day and month in the order in which they stand."""

    year: int
    one: int
    two: int

    @property
    def reality(self) -> tuple[bool, bool]:
        """Whether it is a date, read in either order."""
        return _exists(self.year, self.one, self.two), _exists(self.year, self.two, self.one)


class MonthOfYear(NamedTuple):
    """A month of a year in figures."""

    year: int
    month: int

    @property
    def reality(self) -> tuple[bool, bool]:
        """Whether there is such a month, and in a usual year: codes look like that, too."""
        there = 1 <= self.month <= 12
        return there, there and _is_usual(self.year)


class DateMasker:
    """Fakes of dates and times by one key."""

    def __init__(self, keyed: Keyed, runs: RunMasker) -> None:
        self._keyed = keyed
        self._runs = runs

    def date(self, value: dt.date) -> dt.date:
        fake = self._other(DateParts(value.year, value.month, value.day))
        return dt.date(fake.year, fake.one, fake.two)

    def time(self, value: dt.time) -> dt.time:
        """Midnight stays: it is a date that is kept as a point in time."""
        small = self._runs.run(f"{value.microsecond:06}")
        return dt.time(self._hour(value.hour), self._minute(value.minute), self._minute(value.second), int(small))

    def seconds(self, value: int) -> int:
        """Another number of seconds of a day."""
        hours, rest = divmod(value, 3600)
        return 3600 * self._hour(hours) + 60 * self._minute(rest // 60) + self._minute(rest % 60)

    def dated(self, text: str) -> str:
        """A text of the form DATED."""
        parts = _parts_of(text)
        if not any(parts.reality):
            return walked(text, self._runs.runs, lambda fake: not any(_parts_of(fake).reality))
        numbers = RUN.findall(text)
        year = 0 if len(numbers[0]) == 4 else 2
        fake = self._other(parts, short=len(numbers[year]) == 2)
        days = iter((fake.one, fake.two))
        made = iter([fake.year if place == year else next(days) for place in range(3)])
        return RUN.sub(lambda match: f"{next(made):0{len(match.group())}}", text)

    def monthed(self, text: str) -> str:
        """A text of the form MONTHED, such as `2024-03`."""
        found = _month_of_year(text)
        if not all(found.reality):
            return walked(text, self._runs.runs, lambda fake: _month_of_year(fake).reality == found.reality)
        year, month = self._keyed.next_among(found.year, _YEARS), self._keyed.next_among(found.month, _MONTHS)
        return RUN.sub(lambda match: f"{year if len(match.group()) == 4 else month:02}", text)

    def compact(self, text: str) -> str:
        """A text of the form COMPACT, such as `20240305`."""
        wanted = _compact_reality(text)
        if not all(wanted):
            return walked(text, self._runs.run, lambda fake: _compact_reality(fake) == wanted)
        fake = self._other(_compact_parts(text))
        return f"{fake.year}{fake.one:02}{fake.two:02}"

    def named(self, text: str) -> str:
        """A text of the form NAMED, such as `5 March 2024`."""
        day, year, word = sorted(RUN.findall(text), key=_is_word)
        found = _month_name(word)
        parts = DateParts(_full_year(year), int(day), found.month if found else 0)
        if found is None or not parts.reality[1]:
            return walked(text, self._runs.runs, lambda fake: not _is_named_date(fake))

        def same_list(fake: DateParts) -> bool:
            return (name := _month_name(_NAMES[found.names][fake.two - 1])) is not None and name.names == found.names

        fake = self._other(parts, short=len(year) == 2, accepted=same_list)
        name = _cased_like(word, _NAMES[found.names][fake.two - 1])
        figures = iter((f"{fake.one:0{len(day)}}", f"{fake.year:0{len(year)}}"))
        return RUN.sub(lambda match: name if _is_word(match.group()) else next(figures), text)

    def timed(self, text: str) -> str:
        """A text of the form TIMED."""
        if not _is_time(text):
            return walked(text, self._runs.runs, lambda fake: not _is_time(fake))
        numbers = iter((self._hour, self._minute, self._minute))
        return RUN.sub(
            lambda m: m.group() if _is_word(m.group()) else f"{next(numbers)(int(m.group())):0{len(m.group())}}", text
        )

    def before_time(self, letter: str) -> str:
        """The letter between a date and a time: a T stays, nothing else becomes one."""
        return letter if letter in "Tt" else walked(letter, self._runs.run, lambda fake: fake not in "Tt")

    def _other(
        self, parts: DateParts, *, short: bool = False, accepted: Callable[[DateParts], bool] = lambda _: True
    ) -> DateParts:
        """Another date that exists, if this one does; `short`: the year has two digits."""
        if short:
            parts = parts._replace(year=parts.year % 100)

        def full(some: DateParts) -> DateParts:
            return some._replace(year=some.year + _LEAP_CENTURY) if short else some

        def step(some: DateParts) -> DateParts:
            year = int(self._runs.run(f"{some.year:02}")) if short else self._keyed.next_among(some.year, _YEARS)
            return DateParts(year, *(self._keyed.next_among(number, _DAYS) for number in some[1:]))

        wanted = full(parts).reality
        return walked(parts, step, lambda some: full(some).reality == wanted and accepted(some))

    def _hour(self, value: int) -> int:
        return self._keyed.next_among(value, _HOURS)

    def _minute(self, value: int) -> int:
        return self._keyed.next_among(value, _MINUTES)


def identity(text: str) -> str:
    """What a date, a time, a number or a word says, whatever its format and case."""
    runs = RUN.findall(text)
    if len(runs) == 1 and len(text) == 8 and text.isdecimal() and all(_compact_reality(text)):
        runs = [str(part) for part in _compact_parts(text)]
    if len(runs) < 2:
        return (runs[0].lstrip("0") or "0").lower() if runs else text.lower()
    said = [str(name.month) if (name := _month_name(run)) else run.lstrip("0").lower() for run in runs]
    return " ".join(sorted(said))


def _parts_of(text: str) -> DateParts:
    numbers = RUN.findall(text)
    if len(numbers[0]) == 4:
        return DateParts(int(numbers[0]), int(numbers[1]), int(numbers[2]))
    return DateParts(_full_year(numbers[2]), int(numbers[0]), int(numbers[1]))


def _month_of_year(text: str) -> MonthOfYear:
    """Year and month of a text of the form MONTHED."""
    return MonthOfYear(*map(int, sorted(RUN.findall(text), key=len, reverse=True)))


def _compact_parts(text: str) -> DateParts:
    """Year, month and day of a text of the form COMPACT."""
    return DateParts(int(text[:4]), int(text[4:6]), int(text[6:]))


def _compact_reality(text: str) -> tuple[bool, bool]:
    """Whether it is a date, and one of a usual year: other numbers have eight digits, too."""
    parts = _compact_parts(text)
    return parts.reality[0], parts.reality[0] and _is_usual(parts.year)


def _is_usual(year: int) -> bool:
    first, last = _YEARS[0]
    return first <= year <= last


def _full_year(digits: str) -> int:
    return int(digits) + (_LEAP_CENTURY if len(digits) == 2 else 0)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def _is_word(run: str) -> bool:
    return not run[0].isdecimal()


def _month_name(word: str) -> MonthName | None:
    """The month that the word names, in small letters, with a capital, or in capitals."""
    lower = word.lower()
    if word not in {lower, lower.capitalize(), lower.upper()}:
        return None
    return next((MonthName(i, names.index(lower) + 1) for i, names in enumerate(_NAMES) if lower in names), None)


def _is_named_date(text: str) -> bool:
    day, year, word = sorted(RUN.findall(text), key=_is_word)
    found = _month_name(word)
    return found is not None and _exists(_full_year(year), found.month, int(day))


def _is_time(text: str) -> bool:
    runs = RUN.findall(text)
    hour, minute, second = (0 if _is_word(run) else int(run) for run in (*runs, "0", "0")[:3])
    words = [run.lower() for run in runs if _is_word(run)]
    return hour <= 23 and minute <= 59 and second <= 59 and all(word in _AFTER_TIMES for word in words)


def _cased_like(word: str, name: str) -> str:
    if word.isupper():
        return name.upper()
    return name.capitalize() if word[0].isupper() else name
