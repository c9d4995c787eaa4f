"""Dates in day are written in 2 formats."""

import datetime as dt
import functools
import re

import pandas as pd

CONTRACT = {
    'shape': 'table',
    'modifies': ['day'],
    'examples': [
        {'input': {'day': '13/02/2024'}, 'output': {'day': '2024-02-13'}},
        {'input': {'day': '16/08/2024'}, 'output': {'day': '2024-08-16'}},
        {'input': {'day': '17/03/2024'}, 'output': {'day': '2024-03-17'}},
    ],
}

_COLUMNS = ['day']
_ORDERS = {'/': 'dmy'}
_MONTHS = {
    'january': '1',
    'jan': '1',
    'february': '2',
    'feb': '2',
    'march': '3',
    'mar': '3',
    'april': '4',
    'apr': '4',
    'may': '5',
    'june': '6',
    'jun': '6',
    'july': '7',
    'jul': '7',
    'august': '8',
    'aug': '8',
    'september': '9',
    'sep': '9',
    'sept': '9',
    'october': '10',
    'oct': '10',
    'november': '11',
    'nov': '11',
    'december': '12',
    'dec': '12',
}
_FORM = 'yyyy-mm-dd'
_OLD = []


def _read_date(value: str, orders: dict[str, str], months: dict[str, str]) -> dt.date | None:
    """The date in a text; `orders` says per separator what comes first: "mdy", "dmy" or "ymd"; "" is for 20240305."""
    value = re.sub(r"[ T]00:00(:00(\.0+)?)?Z?$", "", value)
    if match := re.fullmatch(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", value):
        year, month, day = match[1], match[3], match[4]
    elif orders.get("") and (match := re.fullmatch(r"((?:19|20)\d\d)(\d\d)(\d\d)", value)):
        year, month, day = match.groups()
    elif match := re.fullmatch(r"(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})", value):
        first, second, year = match[1], match[3], match[4]
        order = orders.get(match[2], "")
        if len(year) == 4:
            told = "dmy" if int(first) > 12 else "mdy" if int(second) > 12 else order
            if told not in ("dmy", "mdy") or (order and told != order):
                return None
            order = told
        if not order:
            return None
        given = dict(zip(order, (first, second, year)))
        year, month, day = given["y"], given["m"], given["d"]
        if len(year) < 4:
            year = str(int(year) + (2000 if int(year) < 69 else 1900))
    elif match := re.fullmatch(r"(\d{4})年(\d{1,2})月(\d{1,2})日", value):
        year, month, day = match.groups()
    elif match := re.fullmatch(r"([^\W\d_]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", value):
        month, day, year = match.groups()
    elif match := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|\.)?[ -]([^\W\d_]{3,10})\.?,?[ -](\d{4})", value):
        day, month, year = match.groups()
    else:
        return None
    if month.isalpha():
        month = months.get(month.lower(), "0")
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None


def _write_date(date: dt.date, form: str, months: dict[str, str]) -> str:
    """The date in a format such as yyyy-mm-dd, d.m.yy or "mmmm d, yyyy"."""
    names = [name.title() for name in months if months[name] == str(date.month)]
    parts = {
        "yyyy": f"{date.year:04}", "yy": f"{date.year % 100:02}", "mmmm": names[0], "mmm": names[0][:3],
        "mm": f"{date.month:02}", "m": str(date.month), "dd": f"{date.day:02}", "d": str(date.day),
    }  # fmt: skip
    return re.sub("y+|m+|d+", lambda token: parts[token[0]], form)


def _same_dates(value: str, orders: dict[str, str], months: dict[str, str], form: str, old: list[str]) -> str:
    """The date in the one format; a text that is no date, or no clear one, or has the format already, as it is."""
    if len(value) >= 40 or any(sign.isdigit() and not sign.isascii() for sign in value):
        return value
    if value not in old:
        mark = re.sub("[ymd]", "", form)[:1]
        known = _read_date(value, {mark: re.sub(r"(.)\1*", r"\1", re.sub("[^ymd]", "", form))}, months)
        if known is not None and _write_date(known, form, months) == value:
            return value
    found = _read_date(value, orders, months)
    written = value if found is None else _write_date(found, form, months)
    return value if written in old else written


def _repair(column):
    """The repair of the texts of a column, which remembers what it has seen."""
    return functools.cache(lambda value: _same_dates(value, orders=_ORDERS, months=_MONTHS, form=_FORM, old=_OLD))


def detect(df):
    """True where a row still has the issue."""
    flagged = pd.Series(False, index=df.index)
    for name in _COLUMNS:
        fix = _repair(name)
        wrong = [isinstance(cell, str) and fix(cell) != cell for cell in df[name].tolist()]
        flagged = flagged | pd.Series(wrong, index=df.index, dtype=bool)
    return flagged


def iso_dates_in_day(df):
    """Write dates as yyyy-mm-dd; leave what is no clear date."""
    out = df.copy()
    for name in _COLUMNS:
        fix = _repair(name)
        cells = [fix(cell) if isinstance(cell, str) else cell for cell in df[name].tolist()]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
