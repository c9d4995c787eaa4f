"""How a text is read as a date and written in one format: what a repair of dates consists of. Called by dates.py."""

import datetime as dt
import re


def _read_date(
    value: str, orders: dict[str, str], months: dict[str, str], short: bool = True, years: list[int] | None = None
) -> dt.date | None:
    """The date in a text; `orders` says per separator what comes first: "mdy", "dmy" or "ymd"; "" is for 20240305.

    `short`: years of two digits are read, too; `years`: the first and the last one, between which these lie.
    """
    value = re.sub(r"[ T]00:00(:00(\.0+)?)?Z?$", "", value)
    value = re.sub(r"(?<=\d{4}) ?[rг]\.?$", "", value)  # of the year, in Polish and Russian
    value = re.sub(r"^(\d{1,2})\. (\d{1,2})\. (?=\d{4}$)", r"\1.\2.", value)
    weekday = re.match(r"(mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,? (?=\w)", value.lower())
    value = value[weekday.end() :] if weekday else value
    if match := re.fullmatch(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", value):
        year, month, day = match[1], match[3], match[4]
    elif orders.get("") and (match := re.fullmatch(r"((?:19|20)\d\d)(\d\d)(\d\d)", value)):
        year, month, day = match.groups()
    elif match := re.fullmatch(r"(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})", value):
        first, second, year = match[1], match[3], match[4]
        order = orders.get(match[2], "")
        if len(year) == 4:
            alike = int(first) == int(second)  # 04/04 is the same day in both orders
            told = "dmy" if int(first) > 12 else "mdy" if int(second) > 12 else order or ("dmy" if alike else "")
            if told not in ("dmy", "mdy") or (order and told != order):
                return None
            order = told
        if not order:
            return None
        given = dict(zip(order, (first, second, year)))  # noqa: B905 - same length
        year, month, day = given["y"], given["m"], given["d"]
    elif match := re.fullmatch(r"(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]", value) or re.fullmatch(
        r"(\d{4})\. (\d{1,2}|[^\W\d_]{3,12})\.? (\d{1,2})\.?",
        value,  # Hungarian and Korean
    ):
        year, month, day = match.groups()
    elif match := re.fullmatch(r"([^\W\d_]{3,12})\.? ?(\d{1,2})(?:st|nd|rd|th)?(?:,| |, )(\d{4})", value):
        month, day, year = match.groups()
    elif match := re.fullmatch(
        r"(?:[Tt]he )?(\d{1,2})(?:st|nd|rd|th|er|[.º°])?[ -]?(?:of |de )?"
        r"([^\W\d_]{3,12})\.?,?[ -]?(?:de |year )?(\d{4})",
        value,
    ):
        day, month, year = match.groups()
    elif match := re.fullmatch(r"(\d{4})[ -]([^\W\d_]{3,12})\.?[ -](\d{1,2})", value):
        year, month, day = match.groups()
    elif match := re.fullmatch(r"(\d{1,2})[ -]([^\W\d_]{3,12})\.?[ -]'?(\d\d)", value):
        day, month, year = match.groups()
    else:
        return None
    if len(year) < 4:
        if not (short or years):
            return None
        year = str(years[0] + (int(year) - years[0]) % 100 if years else int(year) + (2000 if int(year) < 69 else 1900))
        if years and int(year) > years[1]:
            return None
    if month.isalpha():
        month = months.get(month.lower(), "0")
    try:
        date = dt.date(int(year), int(month), int(day))
    except ValueError:
        return None
    return None if weekday and "montuewedthufrisatsun"[3 * date.weekday() :][:3] != weekday[1] else date


def _write_date(date: dt.date, form: str, months: dict[str, str], case: str = "title") -> str:
    """The date in a format such as yyyy-mm-dd, d.m.yy or "mmmm d, yyyy"; `case` of a month's name: or upper, lower."""
    names = [name for name in months if months[name] == str(date.month)]
    names = [name.upper() if case == "upper" else name if case == "lower" else name.title() for name in names]
    parts = {
        "yyyy": f"{date.year:04}", "yy": f"{date.year % 100:02}", "mmmm": names[0], "mmm": names[0][:3],
        "mm": f"{date.month:02}", "m": str(date.month), "dd": f"{date.day:02}", "d": str(date.day),
    }  # fmt: skip
    return re.sub("y+|m+|d+", lambda token: parts[token[0]], form)


def _before_time(value: str) -> str:
    """The text in front of a time of day (" 9:05", "T09:05:00Z", ", 9:05 pm"); all of it where there is none."""
    time = r"(?:,? |T)\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?$"
    return re.sub(time, "", value)


def _same_dates(
    value: str,
    orders: dict[str, str],
    months: dict[str, str],
    short: bool,
    form: str,
    old: list[str],
    timed: bool = False,
    case: str = "title",
    years: list[int] | None = None,
) -> str:
    """The date in the one format; a text that is no date, or no clear one, or has the format already, as it is."""
    if len(value) >= 40 or any(sign.isdigit() and not sign.isascii() for sign in value):
        return value
    if timed:
        date = _before_time(value)
        return _same_dates(date, orders, months, short, form, old, False, case, years) + value[len(date) :].lstrip(",")
    if value not in old:
        mark = re.sub("[ymd]", "", form)[:1]
        known = _read_date(value, {mark: re.sub(r"(.)\1*", r"\1", re.sub("[^ymd]", "", form))}, months)
        if known is not None and _write_date(known, form, months, case) == value:
            return value
    found = _read_date(value, orders, months, short, years)
    written = value if found is None else _write_date(found, form, months, case)
    return value if written in old else written
