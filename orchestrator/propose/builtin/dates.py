"""Dates of one column written in several formats become ISO dates (yyyy-mm-dd).

A column with one format throughout is no error and stays, unless the instruction asks for ISO dates. Whether 04/05/2024
is April or May is learnt from days above 12; where the column does not tell, only such days are rewritten.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator

from orchestrator.propose.builtin.names import slug
from orchestrator.propose.builtin.profile import Column, Table
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.wishes import Wishes

_EVIDENCE = 3  # cells that must tell the order of day and month, all of them the same way

_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTHS = {
    written: str(number)
    for number, name in enumerate(_NAMES, 1)
    for written in dict.fromkeys((name, name[:3], *(["sept"] if name == "september" else [])))
}


def _read_date(value: str, orders: dict[str, str], months: dict[str, str]) -> dt.date | None:
    """The date in a text; `orders` says per separator whether month ("mdy") or day ("dmy") comes first."""
    value = re.sub(r"[ T]00:00(:00(\.0+)?)?Z?$", "", value)
    if match := re.fullmatch(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", value):
        year, month, day = match[1], match[3], match[4]
    elif match := re.fullmatch(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", value):
        first, second, year = match[1], match[3], match[4]
        order = "dmy" if int(first) > 12 else "mdy" if int(second) > 12 else orders.get(match[2], "")
        if not order or orders.get(match[2], order) != order:
            return None
        month, day = (first, second) if order == "mdy" else (second, first)
    elif match := re.fullmatch(r"([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", value):
        month, day, year = match.groups()
    elif match := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|\.)?[ -]([A-Za-z]{3,9})\.?,?[ -](\d{4})", value):
        day, month, year = match.groups()
    else:
        return None
    if month.isalpha():
        month = months.get(month.lower(), "0")
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None


def _iso_date(value: str, orders: dict[str, str], months: dict[str, str]) -> str:
    """The date as yyyy-mm-dd; a text that is no date, or no clear one, stays as it is."""
    found = _read_date(value, orders, months) if value.isascii() and len(value) < 40 else None
    return value if found is None else found.isoformat()


def looks_like_date(text: str) -> bool:
    return _form(text) is not None and any(
        _read_date(text, dict.fromkeys("-/.", order), _MONTHS) for order in ("mdy", "dmy")
    )


def _form(text: str) -> str | None:
    """The format of a date in signs: 9 for a run of digits, A for a word."""
    if not text.isascii() or not 8 <= len(text) < 40 or not re.search(r"\d{4}", text):
        return None
    return re.sub(r"[A-Za-z]+", "A", re.sub(r"\d{4}", "Y", re.sub(r"(?<!\d)\d{1,2}(?!\d)", "9", text)))


def find(table: Table, wishes: Wishes) -> Iterator[Remedy]:
    for column in table.columns:
        if not column.may_be(looks_like_date):
            continue
        dated = [text for text in column.counts if looks_like_date(text)]
        rows = sum(column.counts[text] for text in dated)
        if len(dated) < 2 or rows < 0.9 * column.filled:
            continue
        forms = Counter[str]()
        for text in dated:
            forms[_form(text) or ""] += column.counts[text]
        asked = column.name in wishes.iso_dates
        if len(forms) < 2 and not asked:
            continue
        orders = _orders(column, dated, wishes.date_order.get(column.name))
        yield Remedy(
            rule="dates",
            name=f"iso_dates_in_{slug(column.name)}",
            issue=f"Dates in {column.name} are written in {len(forms)} formats."
            if len(forms) > 1
            else f"Dates in {column.name} are not ISO dates.",
            doc="Write dates as yyyy-mm-dd; leave what is no clear date.",
            columns=(column.name,),
            fix=_iso_date,
            settings={"orders": orders, "months": _MONTHS},
            helpers=(_read_date,),
            imports=("datetime as dt", "re"),
        )


def _orders(column: Column, dated: list[str], asked: str | None) -> dict[str, str]:
    """Per separator the order of day and month that the cells prove, all of them the same way."""
    orders: dict[str, str] = {}
    for mark in "-/.":
        proof = Counter[str]()
        for text in dated:
            if match := re.match(rf"(\d{{1,2}})\{mark}(\d{{1,2}})\{mark}\d{{4}}", text):
                order = "dmy" if int(match[1]) > 12 else "mdy" if int(match[2]) > 12 else ""
                proof[order] += column.counts[text]
        del proof[""]
        if asked and proof.total() == proof[asked]:
            orders[mark] = asked
        elif len(proof) == 1 and proof.total() >= _EVIDENCE:
            orders[mark] = next(iter(proof))
    return orders
