"""Dates with a year of two digits among dates with four: which century it is, and what comes first. Called by dates.py.

The other years of the column tell the century, where they lie close together; a date that stands for none, such as
1900-01-01, does not count among them. `3/15/11` has the month first where no other order makes a date of that time of
some texts, and this one does of all.
"""

import datetime as dt
import re

from orchestrator.propose.builtin.rules.date_forms import _read_date
from orchestrator.propose.builtin.working_rows import TextColumn

SHORT_YEAR = re.compile(r"\d{1,2}([-/.])\d{1,2}\1\d\d|\d{1,2}[- ][^\W\d_]{3,10}\.?[- ]'?\d\d")
_EVIDENCE = 3  # cells that must tell, all of them the same way
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_WIDEST = 90  # years in which a year of two digits stands for one
_NO_DATES = {
    dt.date(1800, 1, 1), dt.date(1899, 12, 30), dt.date(1899, 12, 31), dt.date(1900, 1, 1), dt.date(1901, 1, 1),
    dt.date(2099, 12, 31),
}  # fmt: skip
_ORDERS = ("mdy", "dmy", "ymd")


def with_short_years(
    column: TextColumn, dated: list[str], orders: dict[str, str], months: dict[str, str]
) -> tuple[dict[str, str], list[int] | None]:
    """The orders by separator, with those that years of two digits tell, and the first and the last year of the column.

    None for the years where those of two digits stay. `dated`: the dates with a year of four digits.
    """
    short = [text for text in column.counts if SHORT_YEAR.fullmatch(text)]
    span = _span(dated, short, months) if short else None
    if span is None:
        return orders, None
    told = {
        mark: order
        for mark in "-/."
        if mark not in orders
        and (order := _order([t for t in short if re.fullmatch(rf"[\d{re.escape(mark)}]+", t)], mark, span))
    }
    both = orders | told
    return (both, span) if _are_of(span, short, both, months) else (orders, None)


def _span(dated: list[str], short: list[str], months: dict[str, str]) -> list[int] | None:
    """The first and the last year, without what stands for no date; None where they are too few, or too far apart.

    Nor where such a date also stands with a year of two digits: `01-Jan-00` beside 1900-01-01.
    """
    none = {date for text in dated for date in _days(text, months) if date in _NO_DATES}
    centuries = [[date.year, date.year + 99] for date in none]
    if any(none & _days(text, months, century) for text in short for century in centuries):
        return None
    years = sorted(int(year) for text in dated if not none & _days(text, months) for year in _YEAR.findall(text))
    if len(years) < _EVIDENCE or years[-1] - years[0] > _WIDEST:
        return None
    return [years[0], years[-1]]


def _days(text: str, months: dict[str, str], years: list[int] | None = None) -> set[dt.date]:
    """The days that a text may mean, whether the day or the month comes first."""
    orders = (dict.fromkeys("-/.", order) for order in ("mdy", "dmy"))
    return {date for order in orders if (date := _read_date(text, order, months, False, years)) is not None}


def _order(short: list[str], mark: str, span: list[int]) -> str:
    """The order in which all of these are dates of that time; "" where some are none, or another one fits as well."""
    fits = {
        order: {text for text in short if _read_date(text, {mark: order}, {}, False, span) is not None}
        for order in _ORDERS
    }
    for order in ("mdy", "dmy"):
        others = (len(short) - len(fits[other]) for other in _ORDERS if other != order)
        if len(fits[order]) == len(short) and min(others) >= _EVIDENCE:
            return order
    return ""


def _are_of(span: list[int], short: list[str], orders: dict[str, str], months: dict[str, str]) -> bool:
    """Whether years of two digits are of the time of the others.

    Days above the last year, and months by name, tell that the year comes last, as it does in the other dates.
    """
    first = dict.fromkeys("-/.", "ymd")
    read = {text: _read_date(text, orders, months, False, span) is not None for text in short}
    turned = {text: _read_date(_year_first(text), first, months, False, span) is not None for text in short}
    told = sum(read[text] and not turned[text] for text in short)
    enough = 1 if all(re.search(r"[^\W\d_]", text) for text in short) else _EVIDENCE
    return told >= enough and not any(turned[text] and not read[text] for text in short)


def _year_first(text: str) -> str:
    """A date with a month by name, its year and day exchanged; digits as they are: their order is told apart."""
    return re.sub(r"^(\d+)(\W+[^\W\d_]+\W+)(\d+)$", r"\3\2\1", text)
