"""Whether rewritten dates, times and words mean what they meant. Called by the check on information.

`03/04/2021` alone may be March or April; the column's other cells (`03/25/2021`) show which. So these rules look at all
cells of a column, not only at those that changed.
"""

import datetime as dt
import html
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column_evidence.day_or_month import DATE, MONTHS, first_parts, usual_first
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.similarity import NO, SIMILAR, YES, YES_NO_OR_NOTHING, key, ratio, related
from orchestrator.gate.information.value_kinds.amounts import amounts, same_amount
from orchestrator.gate.information.value_kinds.moments import in_greenwich

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?")
_DASHED = re.compile(r"\d+-\d+-\d+")
_ISO_MONTH = re.compile(r"(\d{4})-(\d{2})")
_CLOCK = re.compile(r"(?:.*[T ])?(\d{1,2}):(\d{2})(?::\d{2})?Z?")
_OF_TIME = re.compile(  # no `1 + 95`
    r"(?i)\d[:.]\d\d|\d\s*(?:[ap]\.?m|h|hrs?|hours?|min\w*|sec\w*|uhr|o.clock)\b|^\d+$"
)
_DATE_INSIDE = re.compile(r"(?<![\d./-])\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)")
MOST_DATES = 50  # of one text that are looked at
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED = re.compile(  # and not Margaret
    r"\b(?=(?:jan(?:uary?|vier)?|feb(?:ruary?)?|mar(?:ch|s|zo)?|apr(?:ile?)?|mayo?|jun(?:[ei]|io)?|jul(?:[yi]|io)?"
    r"|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b)(" + "|".join(_MONTHS) + r")[a-z]*",
    re.IGNORECASE,
)
# Digits of a number that stands for a moment → where it counts from, and how many of it make a day.
_SINCE = {
    5: (dt.date(1899, 12, 30), 1),
    10: (dt.date(1970, 1, 1), 86_400),
    13: (dt.date(1970, 1, 1), 86_400_000),
}
_SECONDS = re.compile(r"\d:\d\d:(\d\d)(?:\.(\d+))?")
_ANSWERS = YES | NO
_FRACTION = re.compile(r"\d:\d\d:\d\d(?:[.,](\d+))?")
ENOUGH = 3  # dates that show where the year stands
SECONDS = 10  # figures of a number of seconds since 1970; more are thousandths
_WORD = re.compile(r"[^\W\d_]+")
_ALONE = re.compile(r"(?<![^\W_])[^\W\d_]+(?![^\W_])")  # not the letter of a code, `6E`
_OF_DATE = re.compile(r"(\d{1,5})([/.-])(\d{1,3})\2(\d{1,5})")
MAX_WORDS = 60  # different values of a column that is a list of names for a few things
LOOSE_ENDS = ",;:|&([{<"
SHORT_FORM = 3  # letters of a word's beginning that is a short form of it
MIN_LETTERS = 4  # of a beginning that tells which word it is of


def misread(cells: Sequence[Change]) -> Found | None:
    """A cell that came to mean something else, with what is wrong; None when there is none."""
    each = dict.fromkeys(cell for cell in cells if isinstance(cell[0], str) and isinstance(cell[1], str))
    texts = list(each)  # no law counts how often a change occurs
    changed = [cell for cell in texts if cell[0] != cell[1]]
    return (
        _impossible(texts, changed)
        or _other_day(changed)
        or _other_month(texts, changed)
        or _other_fraction(changed)
        or _other_word(texts, changed)
        or _nearly_a_word(texts, changed)
        or _yes_for_no(texts, changed)
        or _made_up_end(changed)
    )


def misread_date(cells: Sequence[Change], texts: Sequence[str]) -> Found | None:
    """What `misread` says of dates, of parts of texts in place of cells. `texts`: in which other dates stand."""
    dates = [(date[0], date[0]) for text in texts for date in islice(_DATE_INSIDE.finditer(text), MOST_DATES)]
    return _impossible(cells, cells) or _other_day(cells) or _other_month(dates, cells)


def _impossible(texts: Sequence[Change], changed: Sequence[Change]) -> Found | None:
    """A month is at most 12, a day 31, an hour 23; and dates are not written now with, now without a zero.

    Where most cells with two dashes are longer or shorter, they are numbers of another kind: 7732-18-5 beside 64-17-5.
    """
    dashed = {after for _, after in texts if _DASHED.fullmatch(after)}
    dates = 2 * sum(1 for after in dashed if _ISO.fullmatch(after)) >= len(dashed)
    padded = sum(1 for _, after in changed if re.fullmatch(r"\d{4}-\d{2}-\d{2}", after))
    for change in changed:
        date, clock = _ISO.fullmatch(change[1]), _CLOCK.fullmatch(change[1])
        if date and dates and not _ISO.fullmatch(change[0]):
            if _day(date) is None:
                return "a date becomes one that no calendar has", change
            if len(date[2]) + len(date[3]) < 4 and padded:
                return "some dates are written without a zero, others with one", change
        known = date or DATE.fullmatch(change[1]) or _ISO.fullmatch(re.sub(r"[/.]", "-", change[1]))
        if _date_before(change[0]) and _OF_DATE.fullmatch(change[1]) and not known:
            return "a date becomes one that no calendar has", change
        if date and change[0].strip() in _without_zeros(date):
            return "a number becomes a date, and nothing tells where its month ends", change
        of_a_time = _OF_TIME.search(change[0]) and not _CLOCK.fullmatch(change[0].replace("/", ":"))
        if clock and of_a_time and (int(clock[1]) > 23 or int(clock[2]) > 59):
            return "a time becomes one that no clock shows", change
    return None


def _date_before(text: str) -> bool:
    return bool(DATE.fullmatch(text) or _NAMED.search(text))


def _without_zeros(date: re.Match[str]) -> set[str]:
    """The figures of a date whose month has one figure that does not need to be there: 2021311 of 2021-03-11."""
    year, month, day = date[1], int(date[2]), int(date[3])
    return {f"{year}{month}{day}", f"{year}{month}{date[3]}"} - {f"{year}{date[2]}{date[3]}"}


def _day(written: re.Match[str]) -> dt.date | None:
    try:
        return dt.date(int(written[1]), int(written[2]), int(written[3]))
    except ValueError:
        return None


def _other_day(changed: Sequence[Change]) -> Found | None:
    """Seconds since 1970 and a spreadsheet's day numbers stand for one day each, give or take a time zone."""
    for change in changed:
        written, number = _ISO.fullmatch(change[1]), change[0].strip()
        after = None if written is None else _day(written)
        if after is None or not number.isdecimal() or len(number) not in _SINCE:
            continue
        start, per_day = _SINCE[len(number)]
        if abs(int(number) / per_day - (after - start).days) > (0 if per_day == 1 else 2):
            return "a number of days or seconds becomes another date than the one that it stands for", change
        if per_day > 1 and not _same_second(int(number), 1000 if len(number) > SECONDS else 1, change[1]):
            return "a number of seconds becomes a time with other seconds", change
    return None


def _same_second(number: int, per_second: int, after: str) -> bool:
    """Whether the seconds, and their decimals, are those of the number. Time zones differ by whole minutes."""
    clock = _SECONDS.search(after)
    if clock is None:
        return True
    if int(clock[1]) != number // per_second % 60:
        return False
    return not clock[2] or int(clock[2][:3].ljust(3, "0")) == number % per_second * 1000 // per_second


def fractions_lost(changed: Sequence[Change]) -> Found | None:
    """Parts of a second stay: 10:00:00.123 is not 10:00:00."""
    for change in changed:
        one, other = map(_fraction, change)
        if one and other == "":
            return "a time loses parts of a second", change
    return None


def _other_fraction(changed: Sequence[Change]) -> Found | None:
    """Parts of a second are what they were: 10:00:00.123 is not 10:00:00.456."""
    for change in changed:
        one, other = map(_fraction, change)
        if one is not None and other and one != other:
            return "a time gets other parts of a second", change
    return None


def _fraction(text: str) -> str | None:
    """The decimals of the seconds; None without seconds."""
    found = _FRACTION.search(text)
    return None if found is None else (found[1] or "").rstrip("0")


def _other_month(texts: Sequence[Change], changed: Sequence[Change]) -> Found | None:
    """What is written first, day or month, is the same in a column; a named month and a year at the end stay."""
    firsts = first_parts(before for before, _ in texts)
    dates = [date for before, _ in texts if (date := DATE.match(before))]
    wide = Counter(date[2] for date in dates if len(date[4]) > 2 and usual_first(firsts[date[2]]))
    years = {sign for sign, count in wide.items() if count >= ENOUGH}  # whose dates end in their year
    for change in changed:
        parts, named = DATE.match(change[0]), _NAMED.search(change[0])
        written = _ISO.fullmatch(change[1]) or _ISO_MONTH.fullmatch(change[1])
        name = None if written or not parts else _NAMED.search(change[1])
        if not written and not name:
            continue
        now = int(written[2]) if written else _month(name)
        month = None
        if parts and (first := usual_first(firsts[parts[2]])):
            either = int(parts[1]), int(parts[3])
            month = min(either) if max(either) > MONTHS else either[first == "day"]
        elif named:
            month = _month(named)
        if month is not None and month != now and not in_greenwich(*change):
            return "a date comes to lie in another month", change
        if parts and written and parts[2] in years and not written[1].endswith(parts[4][-2:]):
            return "a date comes to lie in another year than its last part says", change
    return None


def _month(name: re.Match[str] | None) -> int:
    return _MONTHS.index(name[1].casefold()) + 1 if name else 0


def _other_word(texts: Sequence[Change], changed: Sequence[Change]) -> Found | None:
    """A spelling of one of a column's words does not become another of them."""
    words = {after for _, after in texts}
    if len(words) > MAX_WORDS:
        return None
    for change in dict.fromkeys(changed):
        before, after = change
        if (
            not holds_something(after)
            or related(before, after)
            or re.search(r"\d", before)
            or _parts(before) & _parts(after)
            or _initials(before) == key(after)
            or same_amount(amounts(before), amounts(after), after)
            or (len(key(after)) >= SHORT_FORM and key(before).startswith(key(after)))
        ):
            continue
        if any(_surely(before, word) and not _parts(before) < _parts(word) for word in words - {before, after}):
            return "a word becomes another word than the one that it spells", change
    return None


def _nearly_a_word(texts: Sequence[Change], changed: Sequence[Change]) -> Found | None:
    """A new word is not one of the words of clean cells without its last letter."""
    clean = {word for before, after in texts if before == after for word in _WORD.findall(after)}
    known = {word.casefold() for before, _ in texts for word in _WORD.findall(before)}
    cut = {word[:-1] for word in clean if len(word) > 1} - clean - _ANSWERS  # no is an answer beside `not asked`
    for change in changed:
        if re.search(r"(?<!\d)1 [^\W\d_]+", change[1]):
            continue  # 1 month beside 2 months
        if any(word in cut and word.casefold() not in known for word in _ALONE.findall(change[1])):
            return "a word loses its last letter", change
    return None


def _yes_for_no(texts: Sequence[Change], changed: Sequence[Change]) -> Found | None:
    """In a column of yes and no, in whatever spelling, none becomes the other."""
    words = {after for _, after in texts} | {before for before, _ in texts if holds_something(before)}
    if not all(key(text) in YES_NO_OR_NOTHING for text in words):
        return None
    for change in changed:
        before, after = key(change[0]), key(change[1])
        if (before in YES and after in NO) or (before in NO and after in YES):
            return "a word that means yes becomes one that means no, or the other way round", change
    return None


def _made_up_end(changed: Sequence[Change]) -> Found | None:
    """A sign that only stands between things, or before one, does not come to stand at the end."""
    for change in changed:
        last = change[1].rstrip()[-1:]
        if not change[0].strip():
            continue  # an empty cell is filled
        if last and last in LOOSE_ENDS and last not in unicodedata.normalize("NFKC", html.unescape(change[0])):
            return "a cell ends in a sign that was not in it", change
    return None


def _initials(text: str) -> str:
    return "".join(word[0] for word in re.findall(r"\w+", text.casefold()))


def _parts(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _surely(value: str, word: str) -> bool:
    one, other = key(value), key(word)
    if not one or not other:
        return False
    if one == other:
        return True
    if min(len(one), len(other)) < MIN_LETTERS:
        return False
    return other.startswith(one) or ratio(one, other) >= SIMILAR
