"""Reads dates that people wrote. Called by cleaning functions, in the sandbox and in exported files.

Frozen: what was proved with version 1 must go on running with exactly this text. A change makes a version 2 beside it.
"""

import re
from datetime import date

__all__ = ["parse_date"]

_LONGEST = 64
_ORDERS = ("DMY", "MDY", "YMD")
# English, German, French, Spanish, Italian, Portuguese, Dutch, Polish (also inflected), Swedish, Danish. What means
# two months is left out: `listopad` is November in Polish and October in Croatian, `lip` July and June.
_NAMES = (
    "jan january januar jänner jaenner janvier janv enero ene gennaio gen janeiro januari styczeń stycznia sty",
    "feb february februar feber février fevrier févr fevr febrero febbraio fevereiro fev februari luty lutego lut",
    "mar march märz maerz mrz mär mars marzo março marco maart mrt marzec marca marts",
    "apr april avril avr abril abr aprile kwiecień kwietnia kwi",
    "may mai mayo maggio mag maio mei maj maja",
    "jun june juni juin junio giugno giu junho czerwiec czerwca cze",
    "jul july juli juillet juil julio luglio lug julho lipiec lipca",
    "aug august août aout agosto ago augustus augusti sierpień sierpnia sie",
    "sep sept september septembre septiembre setiembre settembre set setembro wrzesień września wrz",
    "oct okt october oktober octobre octubre ottobre ott outubro out październik października paź",
    "nov november novembre noviembre novembro",
    "dec dez december dezember décembre decembre déc diciembre dic dicembre dezembro grudzień grudnia gru",
)
_MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tues", "thur", "thurs")
_TIME = re.compile(
    r"(?P<gap>[Tt]|,? +)(?P<hour>[0-9]{1,2}):(?P<minute>[0-5][0-9])(?P<rest>:[0-5][0-9](?:[.,][0-9]{1,9})?)?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?(?P<zone> ?(?:Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?"
)
_NUMBERS = re.compile(r"([0-9]{1,4})(?P<sep>[./ -]|\. |- | - )([0-9]{1,2})(?P=sep)([0-9]{1,4})")
_COMPACT = re.compile(r"[0-9]{8}")
_PIECE = re.compile(r"[0-9]+|[^\W\d_]+")
_FILLERS = frozenset({"de", "del", "of", "the", "den", "di", "o"})
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "re", "º", "ª"})


def parse_date(value: object, orders: str, *, pivot: int | None = None) -> str | None:
    """("3.4.24", "DMY", pivot=69) is "2024-04-03".

    None: unreadable, impossible or ambiguous. A time behind the date is kept. `orders`: in what orders day, month and
    year may stand, as `DMY` or, where nothing says more, `DMY MDY YMD`; what two of them read as two dates is
    ambiguous. A year of four digits in front is always followed by month and day, so that a result reads as itself.
    `pivot`: years of two digits from it on are 19xx and those below it 20xx; without it they are not read.
    """
    if not isinstance(value, str) or not isinstance(orders, str) or len(value) > _LONGEST:
        return None
    text, time = _without_time(value.strip())
    if time is None:
        return None
    weekday, text = _without_weekday(text)
    allowed = [order for order in orders.upper().replace(",", " ").split() if order in _ORDERS]
    found = {day for parts in _readings(text, allowed) if (day := _date(*parts, pivot)) is not None}
    if len(found) != 1:
        return None
    day = found.pop()
    if weekday is not None and day.weekday() != weekday:
        return None
    return f"{day.isoformat()}{time}"


def _without_time(text: str) -> tuple[str, str | None]:
    """The text before its time, and the time with 24 hours as it is kept; None where it is none."""
    mark = text.find(":")
    if mark < 0:
        return text, ""
    start = mark
    while start and text[start - 1] in "0123456789":
        start -= 1
    gap = start
    while gap and text[gap - 1] in " ,":
        gap -= 1
    if gap == start and start and text[start - 1] in "Tt":
        gap -= 1
    match = _TIME.fullmatch(text, gap)
    if match is None:
        return text, None
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return text, None
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23:
        return text, None
    between = "T" if match["gap"] in "Tt" else " "
    return text[:gap], f"{between}{hour:02d}:{match['minute']}{match['rest'] or ''}{match['zone'] or ''}"


def _without_weekday(text: str) -> tuple[int | None, str]:
    """The English weekday in front of a date, from Monday as 0, and the date."""
    match = re.match(r"([A-Za-z]{3,9})(?:, ?|\. ?| )", text)
    name = match[1].lower() if match else ""
    if match is None or name not in (*_WEEKDAYS, *_FULL_WEEKDAYS):
        return None, text
    return _WEEKDAYS.index(name[:3]), text[match.end() :]


def _readings(text: str, orders: list[str]) -> list[tuple[str, str, str]]:
    """Year, month and day, as texts, in every order that the text can have."""
    if match := _NUMBERS.fullmatch(text):
        first, second, third = match[1], match[3], match[4]
        if len(first) > 2:
            return [(first, second, third)] if len(first) == 4 and len(third) <= 2 and match["sep"] != " " else []
        return [_placed(order, (first, second, third)) for order in orders if order != "YMD" or len(third) <= 2]
    if _COMPACT.fullmatch(text):
        cuts = {"YMD": (4, 6), "DMY": (2, 4), "MDY": (2, 4)}
        return [_placed(order, (text[:a], text[a:b], text[b:])) for order in orders for a, b in [cuts[order]]]
    return _with_month_name(text, orders)


def _with_month_name(text: str, orders: list[str]) -> list[tuple[str, str, str]]:
    """The same of a date such as `5. Mai 2024`, `May 5th, 2024` or `05-MAY-24`."""
    if re.search(r"[^\w .,/'-]", text.replace("º", "").replace("ª", "")):
        return []
    numbers: list[str] = []
    places: list[str] = []
    for piece in _PIECE.findall(text):
        word = piece.lower()
        if piece.isdecimal():
            numbers.append(piece)
            places.append("number")
        elif word in _MONTHS and "month" not in places:
            numbers.append(str(_MONTHS[word]))
            places.append("month")
        elif not (word in _FILLERS or (word in _ORDINALS and places[-1:] == ["number"])):
            return []
    if len(numbers) != 3 or "month" not in places or not all(piece.isascii() for piece in numbers):
        return []
    month = numbers.pop(places.index("month"))
    first, second = numbers
    if len(first) == 4 or len(second) == 4:
        year, day = (first, second) if len(first) == 4 else (second, first)
        return [(year, month, day)] if len(day) <= 2 else []
    return [(first, month, second) if order == "YMD" else (second, month, first) for order in orders]


def _placed(order: str, parts: tuple[str, str, str]) -> tuple[str, str, str]:
    at = dict(zip(order, parts, strict=True))
    return at["Y"], at["M"], at["D"]


def _date(year: str, month: str, day: str, pivot: int | None) -> date | None:
    """The date, if there is such a day."""
    if len(year) == 2 and isinstance(pivot, int):
        number = int(year) + (1900 if int(year) >= pivot else 2000)
    elif len(year) == 4 and len(month) <= 2 and len(day) <= 2:
        number = int(year)
    else:
        return None
    try:
        return date(number, int(month), int(day))
    except ValueError:
        return None
