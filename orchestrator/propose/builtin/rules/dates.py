"""Dates in several formats become the format that most of them have: "March 5, 2024" among ISO dates → "2024-03-05".

Where no format has a clear majority, dates become ISO dates. Whether 04/05/2024 is April or May is learnt from days
above 12, or declared; 04.05.2024 has the day first where it would lie outside of the ISO dates' time otherwise. Eight
digits (20240305) are a date only where most of the column is dates with separators, and all such numbers in it are
days. Left alone: a column with one format throughout, unless another is asked for, days and months whose order nothing
tells, years of two digits unless an order is declared or the column's other years tell the century
(`short_years`), dates that do not exist, and the time of day behind a date.

Where a declared format looks like the old one (4/2/15 to 2/15/04), a text may be an old date and a new one: then only
the texts of these rows are rewritten, and only so that no result is a text to be rewritten itself.
"""

import re
from collections import Counter
from functools import lru_cache

from orchestrator.core.conventions import ColumnConvention
from orchestrator.data.writing.month_names import ENGLISH_MONTHS, FOREIGN_MONTHS, months_like
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.date_forms import _before_time, _read_date, _same_dates, _write_date
from orchestrator.propose.builtin.rules.short_years import SHORT_YEAR, with_short_years
from orchestrator.propose.builtin.working_rows import REMEMBERED, TextColumn, WorkingRows

_EVIDENCE = 3  # cells that must tell the order of day and month, all of them the same way
_MAJORITY = 0.6
_COMPACT = re.compile(r"(?:19|20)\d{6}")
_DAY_SECOND = re.compile(r"\d{4}([-/.])(?:1[3-9]|2\d|3[01])\1(?:0?[1-9]|1[0-2])")
_YEAR_FIRST = re.compile(r"\d{4}([-/.])(?:0?[1-9]|1[0-2])\1(?:1[3-9]|2\d|3[01])")  # and certainly the day last
_DAYS_SECOND = 2  # dates of year, day and month: more than one slip
_FEW = 0.05  # of the dates with the day last: so many months that do not exist are slips
_DATE_LIKE = re.compile(r"\d{1,2}([-/.])\d{1,2}\1(?:\d\d|\d{4})|\d{4}([-/.])\d{1,2}\2\d{1,2}")  # also impossible ones
_OTHER_MARKS = re.compile(r"\d{1,2}[-/. ]\d{1,2}[-/. ]\d{4}")  # 07/02-1950
_WITH_POINTS = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_SHORTEST, _LONGEST = 8, 40  # characters of a date: the shortest, and the shortest text that is too long
_ISO = "yyyy-mm-dd"

_MONTHS = {
    written: str(number)
    for number, name in enumerate(ENGLISH_MONTHS, 1)
    for written in dict.fromkeys((name, name[:3], *(["sept"] if name == "september" else [])))
}

_ALL_MONTHS = FOREIGN_MONTHS | _MONTHS


def looks_like_date(text: str) -> bool:
    return _SHORTEST <= len(text) < _LONGEST and _is_read_as_date(text)


@lru_cache(REMEMBERED)
def _is_read_as_date(text: str) -> bool:
    return _shape(text) is not None and any(
        _read_date(text, dict.fromkeys("-/.", order), _ALL_MONTHS) for order in ("mdy", "dmy")
    )


def order_told(text: str, mark: str) -> str:
    """What a day above 12 tells of the order of day and month in digits with such marks between: "dmy", "mdy" or ""."""
    match = re.match(rf"(\d{{1,2}}){re.escape(mark)} ?(\d{{1,2}}){re.escape(mark)} ?\d{{4}}", text)
    if match is None:
        return ""
    return "dmy" if int(match[1]) > 12 else "mdy" if int(match[2]) > 12 else ""


def does_not_exist(text: str) -> bool:
    """Whether a text is written as a date with a year of four digits, but there is no such day."""
    return _DATE_LIKE.fullmatch(text) is not None and _shape(text) is not None and not looks_like_date(text)


def _is_nearly(text: str) -> bool:
    """Whether a text has the form of a date, also with a time: its day need not exist, nor its century be known."""
    date = _before_time(text)
    return any(form.fullmatch(date) for form in (_DATE_LIKE, SHORT_YEAR, _OTHER_MARKS))


def _shape(text: str) -> str | None:
    """The format of a date in signs: 9 for a run of digits, Y for a year, A for a word."""
    if not _SHORTEST <= len(text) < _LONGEST or not re.search(r"\d{4}", text):
        return None
    if any(sign.isdigit() and not sign.isascii() for sign in text):
        return None
    text = re.sub(r"(?<!\d)\d{1,2}(?!\d)", "9", re.sub(r"[^\W\d_]+", "A", text))
    return re.sub(r"\d{4}", "Y", text)


def _look(column: TextColumn, convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    wanted = convention.dates
    if timed := _has_times(column):
        column = TextColumn(column.name, [cell and _before_time(cell) for cell in column.cells])
    declared: dict[str, str] = dict.fromkeys("-/. ", wanted.read) if wanted.read else {}

    def is_date(text: str) -> bool:
        return looks_like_date(text) or (len(text) < _LONGEST and _read_date(text, declared, _ALL_MONTHS) is not None)

    if not column.may_be(is_date):
        return None
    if not wanted.read and _may_have_days_second(column):
        return None  # of the third of May, or the fifth of March: 2024-05-03
    dated = [text for text in column.counts if is_date(text)]
    compact = _compact(column, dated)
    dated += compact
    shapes = Counter[str]()
    for text in dated:
        shapes[_shape(text) or re.sub(r"\d+", "9", text)] += column.counts[text]
    if len(dated) < (1 if wanted.write else 2):
        return None
    rest = column.counts.keys() - {*dated}
    nearly = sum(column.counts[text] for text in rest if _is_nearly(text))
    known = shapes.total() >= _MAJORITY * column.filled and shapes.total() + nearly >= 0.9 * column.filled
    orders = _orders(column, dated, wanted.read) | ({"": "ymd"} if compact else {})
    years = None
    if not wanted.read:
        orders, years = with_short_years(column, dated, orders, _ALL_MONTHS)
    if not wanted.write and ((len(shapes) < 2 and not years) or not known):
        return None
    form = wanted.write or _usual_form(shapes, {text: column.counts[text] for text in dated}, orders)
    if form is None:
        return None
    formats = len(shapes) + bool(years)
    old = _old(column, dated, orders, form) if wanted.write and wanted.read else []
    return RuleFinding(
        {
            "orders": orders,
            "months": _MONTHS | _foreign(dated),
            "short": wanted.read is not None,
            "form": form,
            "old": old,
        }
        | ({"timed": True} if timed else {})
        | ({"years": years} if years else {})
        | ({"case": case} if "mmm" in form and not wanted.write and (case := _usual_case(column, dated)) else {}),
        words={
            "kind": "iso_dates" if form == _ISO else "same_dates",
            "wrong": f"written in {formats} formats" if formats > 1 else f"not written as {form}",
        },
        once=bool(old),
    )


def _may_have_days_second(column: TextColumn) -> bool:
    """Whether several dates have the day between year and month, and are no few slips among dates that stay so."""
    second = column.rows(lambda text: _DAY_SECOND.fullmatch(text) is not None)
    last = column.rows(lambda text: _YEAR_FIRST.fullmatch(text) is not None) if second >= _DAYS_SECOND else 0
    usual = 2 * last >= _MAJORITY * column.filled  # as many again have a day that may be a month, too
    return second >= max(_DAYS_SECOND, _FEW * last if usual else 0)


def _has_times(column: TextColumn) -> bool:
    """Whether nearly all cells have a time of day, and not midnight throughout: then it stays as it is."""
    timed = [text for text in column.counts if len(text) < 40 and ":" in text and _before_time(text) != text]
    midnight = re.compile(r"00:00(?::00(?:\.0+)?)?Z?$")
    real = any(midnight.search(text) is None for text in timed)
    return real and sum(column.counts[text] for text in timed) >= 0.9 * column.filled


def _compact(column: TextColumn, dated: list[str]) -> list[str]:
    """The texts of eight digits that are dates, too: where most cells are dates, and each such number is a day."""
    found = [text for text in column.counts if len(text) == 8 and text.isascii() and text.isdigit()]
    days = all(_COMPACT.fullmatch(text) and _read_date(text, {"": "ymd"}, {}) for text in found)
    most = 2 * sum(column.counts[text] for text in dated) > column.filled
    return found if days and most else []


def _orders(column: TextColumn, dated: list[str], asked: str | None) -> dict[str, str]:
    """Per separator the order of day and month: the declared one, or what the cells prove, all of them the same way."""
    orders: dict[str, str] = {}
    for mark in "-/. ":
        proof = Counter[str]()
        for text in dated:
            proof[order_told(text, mark)] += column.counts[text]
        del proof[""]
        if asked and proof.total() == proof[asked]:
            orders[mark] = asked
        elif len(proof) == 1 and proof.total() >= _EVIDENCE:
            orders[mark] = next(iter(proof))
    if not asked and "." not in orders and _has_days_first(column, dated):
        orders["."] = "dmy"
    return orders


def _has_days_first(column: TextColumn, dated: list[str]) -> bool:
    """Whether 01.03.2024 has the day first, as dates with points have, since else it would lie outside of the others.

    All such dates must lie within the time of the ISO dates, and some not if the month came first.
    """
    pointed = [text for text in dated if _WITH_POINTS.fullmatch(text)]
    iso = [date for text in dated if _ISO_DATE.fullmatch(text) and (date := _read_date(text, {}, {}))]
    days, months = ([_read_date(text, {".": order}, {}) for text in pointed] for order in ("dmy", "mdy"))
    if not pointed or len(iso) < _EVIDENCE or any(date is None for date in days):
        return False
    first, last = min(iso), max(iso)
    outside = sum(
        column.counts[text]
        for text, date in zip(pointed, months, strict=True)
        if date is None or not first <= date <= last
    )
    return outside >= _EVIDENCE and all(date is not None and first <= date <= last for date in days)


def _foreign(texts: list[str]) -> dict[str, str]:
    """The months of the languages, other than English, in which some of these texts are written."""
    words = {word.lower() for text in texts for word in re.findall(r"[^\W\d_]{3,}", text)}
    return months_like({word for word in words if word not in _MONTHS})


def _usual_form(shapes: Counter[str], dated: dict[str, int], orders: dict[str, str]) -> str | None:
    """The format of most dates; ISO where there is no clear majority, None where the majority cannot be written."""
    shape, rows = shapes.most_common(1)[0]
    if rows < _MAJORITY * shapes.total():
        return _ISO
    texts = {text: count for text, count in dated.items() if _shape(text) == shape}
    if _foreign([*texts]):
        return None
    padded = _rows(texts, r"(?<!\d)0\d(?!\d)") >= max(1, _rows(texts, r"(?<!\d)\d(?!\d)"))
    day, month = ("dd", "mm") if padded else ("d", "m")
    if match := re.fullmatch(r"Y([-/.])9(?:\1)9", shape):
        return f"yyyy{match[1]}{month}{match[1]}{day}"
    if match := re.fullmatch(r"9([-/. ])9\1Y", shape):
        order = orders.get(match[1])
        first, second = (month, day) if order == "mdy" else (day, month)
        return f"{first}{match[1]}{second}{match[1]}yyyy" if order else None
    if shape == "9. 9. Y" and orders.get(".") == "dmy":
        return f"{day}. {month}. yyyy"
    full, brief = _rows(texts, r"(?i)[a-z]{4}(?<!sept)"), _rows(texts, r"(?i)(?<![a-z])(?!may)[a-z]{3}(?![a-z])")
    long = "mmmm" if full >= max(1, brief) else "mmm"
    written = {"A 9, Y": f"{long} {day}, yyyy", "A 9 Y": f"{long} {day} yyyy", "9 A Y": f"{day} {long} yyyy",
               "9-A-Y": f"{day}-{long}-yyyy", "9AY": f"{day}{long}yyyy",
               "YA9A9A": f"yyyy年{month}月{day}日"}  # fmt: skip
    return written.get(shape)


def _rows(texts: dict[str, int], pattern: str) -> int:
    """How many rows have a text in which the pattern is found."""
    return sum(count for text, count in texts.items() if re.search(pattern, text))


def _usual_case(column: TextColumn, dated: list[str]) -> str:
    """How most dates write a month's name, where it is all in capitals or all small: "upper", "lower" or ""."""
    cases = Counter[str]()
    for text in dated:
        word = "".join(re.findall(r"[^\W\d_]{3,}", text))
        cases["upper" if word.isupper() else "lower" if word.islower() else ""] += column.counts[text] if word else 0
    return cases.most_common(1)[0][0] if cases else ""


def _old(column: TextColumn, dated: list[str], orders: dict[str, str], form: str) -> list[str]:
    """The texts that look as if they had the format already and are to be rewritten all the same; frequent ones win."""
    old: dict[str, str] = {}
    for text in sorted(dated, key=lambda text: (-column.counts[text], text)):
        if _same_dates(text, {}, _MONTHS, True, form, []) != text:
            continue
        date = _read_date(text, orders, _MONTHS)
        new = _write_date(date, form, _MONTHS) if date else text
        reads = _same_dates(text, orders, _MONTHS, True, form, [text])
        if new != text and reads == new and new not in old and text not in old.values():
            old[text] = new
    return sorted(old)


RULE = RepairRule(
    name="{kind}_in_{columns}",
    issue="Dates in {columns} are {wrong}.",
    doc="Write dates as {form}; leave what is no clear date.",
    fix=_same_dates,
    look=_look,
    helpers=(_read_date, _write_date, _before_time),
    imports=("datetime as dt", "re"),
)
