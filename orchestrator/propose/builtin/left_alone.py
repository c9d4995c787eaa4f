"""What the rules see and leave as it is, because only a person can know: rows that are no data, numbers that may mean
nothing, dates that can be read in two ways. Called by `notes`; a sentence each, the same for every chunk of a file.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from orchestrator.propose.builtin.function_names import listed
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.rules.blanks import is_outline
from orchestrator.propose.builtin.rules.dates import does_not_exist, looks_like_date, order_told
from orchestrator.propose.builtin.rules.decimal_marks import (
    has_doubtful_commas,
    has_doubtful_points,
    has_doubtful_points_of_three,
)
from orchestrator.propose.builtin.rules.exemptions.answers_of_nothing import answers_of_nothing
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_TOTAL = re.compile(
    r"(?i)(grand |sub-? ?)?totals?:?|sum:?|(gesamt|zwischen)?summe:?|gesamt:?|(sous-)?total( général)?:?"
    r"|(totale|totaal|suma|razem|łącznie|toplam):?"
)
_COUNTED = re.compile(
    r"(?i)(?:(?:grand |sub-? ?)?totals?(?: (?:number of )?(?:rows?|records?|entries|items|lines|count|amount|sum))?"
    r"|(?:number of |record |row )(?:rows|records|count)|sum|(?:gesamt|zwischen)?summe|gesamt|anzahl"
    r"|(?:sous-)?total(?: général)?) ?[:=] ?[-+$€£¥]{0,2} ?\d[\d.,' ]*[$€£¥%]?"
)  # the total with its number
_LONG = 80  # characters of a cell that is no total
_FEW = 0.1  # of the rows: where more say "total" it is data
_NINES = re.compile(r"-?9{2,}(\.0+)?|-?9+\.9+")
_MEASURED = re.compile(r"(-?\d{1,15}(?:\.\d{1,15})?) ?([%°]?[^\W\d_]{0,4}(?:/[^\W\d_]{1,3})?)")  # 18.1 °C
_PAIR = re.compile(r"\d{1,3} ?[-:/\u2013] ?\d{1,3}")
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_DAY_OF_MONTH = re.compile(rf"(?i)\d{{1,2}}[- ]{_MONTH}|{_MONTH}[- ]\d{{1,2}}")
_COUNTED_DAY = re.compile(r"[2-5]\d{4}")
_OFTEN = 3  # times the same number of nines
_SEVERAL, _FIRST_YEAR, _LAST_YEAR = 5, 1400, 2100

_ADVICE = (
    "missing value, declare it (`null_words` of --conventions).",
    "missing value, a function of your own or a model's can say so: no built-in rule changes a column of numbers.",
)


def left_alone(table: WorkingRows, preferences: Preferences, numbers: tuple[TextColumn, ...] = ()) -> Iterator[str]:
    """`numbers`: columns that hold numbers and no texts."""
    columns = [column for column in table.columns if column.name not in preferences.untouched]
    yield from _rows_that_are_no_data(table)
    for column in (*columns, *numbers):
        if nines := tuple(text for text in _stand_ins(column) if text not in preferences[column.name].null_words):
            verb = "stand" if nines[1:] else "stands"
            yield (
                f"{listed(nines)} {verb} in {column.name} again and again, far from its other numbers. If that means a "
                + _ADVICE[column in numbers]
            )
    for column in columns:
        if answers := answers_of_nothing(column, preferences[column.name]):
            yield (
                f"{listed(tuple(map(repr, answers[:3])))} in {column.name} may be an answer, and stays. If it means a"
                " missing value, declare it (`null_words` of --conventions)."
            )
    undecided = [c for c in columns if not preferences[c.name].numbers.decimal and has_doubtful_commas(c, table)]
    if undecided:
        yield (
            f"Commas in {listed(tuple(column.name for column in undecided))} may part thousands or decimals: nothing "
            "tells, and they stay. Declare the decimal mark (`numbers` of --conventions)."
        )
    if names := _names([c for c in columns if not preferences[c.name].numbers.decimal], has_doubtful_points):
        yield (
            f"Points in {names} may part thousands or decimals, beside others that part thousands: all numbers stay. "
            "Declare the decimal mark (`numbers` of --conventions)."
        )
    if names := _names([c for c in columns if not preferences[c.name].numbers.decimal], has_doubtful_points_of_three):
        yield (
            f"Points in {names} may part thousands: as decimals, all would have three. All numbers stay. Declare the "
            "decimal mark (`numbers` of --conventions)."
        )
    if names := _names(columns, is_outline):
        yield f"Blanks in front of texts in {names} look like an outline, whose levels they show: they stay."
    if names := _names(columns, _is_read_in_two_ways):
        yield f"Dates in {names} have the day first in some cells and the month first in others: nothing tells which."
    if names := _names(columns, _has_impossible_dates):
        yield f"Some dates in {names} are of days that do not exist: they stay."
    if names := _names(columns, _has_counted_days):
        yield f"Some numbers in {names}, of five digits among dates, may be days as spreadsheets count them: they stay."
    if names := _names(columns, _has_dates_made_of_pairs):
        yield f"Some cells in {names} may be dates that a spreadsheet made of two numbers (1-Feb of 1-2): they stay."


def _names(columns: list[TextColumn], has: Callable[[TextColumn], bool]) -> str:
    found = tuple(column.name for column in columns if column.learnt(has, has))
    return listed(found) if found else ""


def _rows_that_are_no_data(table: WorkingRows) -> Iterator[str]:
    """Rows in which each filled cell is the name of its column, and those of which a cell says that it is a total."""
    if len(table.columns) < 2:
        return
    repeated = set(range(table.rows))
    for column in table.columns:
        named = {row for text, rows in column.places.items() if text.strip() == column.name for row in rows}
        repeated &= named
    if repeated:
        yield "Some rows repeat the names of the columns. They are no data, and stay: no rule drops rows."
    texts = (one for column in table.columns for one in column.places.items())
    totals = {row: text for text, rows in texts if says_total(text) for row in rows}
    if 0 < len(totals) <= max(1, _FEW * table.rows):
        shown = repr(next(iter(totals.values())).strip())
        yield f"Some rows look like totals of others, such as that with {shown}. They stay: no rule drops rows."


def says_total(text: str) -> bool:
    """Whether a cell says that its row is a total of others, with or without the number."""
    text = text.strip()
    return _TOTAL.fullmatch(text) is not None or (len(text) < _LONG and _COUNTED.fullmatch(text) is not None)


def _stand_ins(column: TextColumn) -> list[str]:
    """Numbers of nines (-999, 9999) that occur often and lie far from the others, with the unit of most or none; and 0
    among years.
    """
    if not column.may_be(lambda text: _MEASURED.fullmatch(text) is not None):
        return []
    measured = {text: found for text in column.counts if (found := _MEASURED.fullmatch(text))}
    units = Counter[str]()
    for text, found in measured.items():
        units[found[2]] += column.counts[text]
    unit = max(units, key=units.__getitem__, default="")
    numbers = {text: float(found[1]) for text, found in measured.items() if found[2] in ("", unit)}
    nines = [text for text in numbers if _NINES.fullmatch(measured[text][1])]
    others = [number for text, number in numbers.items() if text not in nines]
    years = {number for number in others if number}
    if len(years) >= _SEVERAL and all(_FIRST_YEAR <= year <= _LAST_YEAR for year in years):
        zeros = [text for text, number in numbers.items() if not number]
        nines, others = [*nines, *zeros], [number for number in others if number]
    if len(others) < 2:
        return []
    low, high = min(others), max(others)
    reach = max(high - low, abs(high), abs(low))
    far = [text for text in nines if not numbers[text] or not low - reach <= numbers[text] <= high + reach]
    return far if sum(column.counts[text] for text in far) >= _OFTEN else []


def _is_read_in_two_ways(column: TextColumn) -> bool:
    texts = column.counts if column.may_be(looks_like_date) else []
    return any(len({order for text in texts if (order := order_told(text, mark))}) > 1 for mark in "-/.")


def _has_counted_days(column: TextColumn) -> bool:
    """45310 is 19 January 2024 there; from 1954 to 2064 the numbers have five digits and begin with 2 to 5."""
    if not column.may_be(lambda text: looks_like_date(text) or _COUNTED_DAY.fullmatch(text) is not None):
        return False
    dates = any(map(looks_like_date, column.counts))
    return dates and any(_COUNTED_DAY.fullmatch(text) for text in column.counts)


def _has_impossible_dates(column: TextColumn) -> bool:
    dated = column.may_be(lambda text: looks_like_date(text) or does_not_exist(text))
    return dated and any(does_not_exist(text) and set(text) & set("123456789") for text in column.counts)


def _has_dates_made_of_pairs(column: TextColumn) -> bool:
    """A day and a month where most cells are two numbers: the scores of matches, shares, sizes."""
    pairs = column.may_be(lambda text: _PAIR.fullmatch(text) is not None)
    return pairs and any(_DAY_OF_MONTH.fullmatch(text) for text in column.counts)
