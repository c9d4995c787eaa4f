"""Rows that look like reports of one thing and are observations of their own. Called by `conflicting_sources`.

What several places saw on one day are several facts: a time alone names no thing. Where the numbers of a thing's rows
are no nearer to each other than any, each row was measured for itself. Where all sources agree but one, which comes
last or speaks of another time, the thing has changed since; so it has where all later reports say the same.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from orchestrator.propose.builtin.rules.number_parts import all_parts, looks_numeric
from orchestrator.propose.builtin.working_rows import Cell, TextColumn, WorkingRows

_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:[ap]\.?m\.?)?\s?(?:z|[+-]\d\d:?\d\d)?"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_TIME = re.compile(
    rf"(?i)(?:{_DAY}[.,]*\s*)?(?:\d{{4}}[-/.]\d{{1,2}}(?:[-/.]\d{{1,2}})?|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}"
    rf"|(?:19|20)\d{{6}}|\d{{1,2}}\.?[\s-]?{_MONTH}(?:[\s,-]*\d{{2,4}})?|{_MONTH}(?:\s?\d{{1,2}})?(?:[\s,-]+\d{{2,4}})?)"
    rf"(?:[\sT,]+{_CLOCK})?|{_CLOCK}|{_DAY}|(?:19|20)\d\d(?:\s?[/-]\s?\d\d(?:\d\d)?)?|\d{{4}}-?W\d\d|\d{{4}}[\s-]?Q[1-4]"
    r"|Q[1-4][\s/-]*(?:\d{4})?|(?:day|night|week|month|year|hour|quarter|season|wave|round|kw)[\s_-]?\d+"
    r"|(?:spring|summer|autumn|fall|winter)[\s,]*(?:\d{2,4})?"
)
_TIME_NAME = re.compile(
    r"(?i)(?:.*[\W_])?(?:date|day|night|week|month|year|hour|time|quarter)(?:[\W_]*(?:no|nr|number))?"
)
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?")
_DAY_FIRST = re.compile(r"(\d\d)\.(\d\d)\.(\d{4})")
_NEARLY = 0.9
_NEAR = 0.1  # of the middle half's width may lie between two numbers that are alike
_KNOWN_BY = 2.0  # times as often alike as any two: then a thing says something of the number
_MEASURED = 2  # columns of numbers
_FIRST = 30  # rows of a thing are compared with each other
_ONE = 0.8  # of what dissents comes from one source, where a thing has changed
_OTHERS = 0.05  # of what the other sources say may dissent
_DISSENT = 5  # reports
_THINGS = 3  # on which several reports dissent
_SEVERAL = 2  # reports that give one answer

ThingRows = Sequence[Sequence[int]]  # the rows about each thing


def is_time(column: TextColumn) -> bool:
    """Whether the column says when: dates, times, weeks, or numbers under such a name."""
    return column.learnt(is_time, _says_when)


def _says_when(column: TextColumn) -> bool:
    if column.share(lambda text: _TIME.fullmatch(text.strip()) is not None) > _NEARLY:
        return True
    return _TIME_NAME.fullmatch(column.name) is not None and column.share(looks_numeric) > _NEARLY


def are_measured(table: WorkingRows, source: TextColumn, by: Sequence[TextColumn], things: ThingRows) -> bool:
    """Whether there are several columns of numbers, and none of them has to do with the thing."""
    near = [
        _likeness(numbers, things) >= _KNOWN_BY
        for column in table.columns
        if column is not source and column not in by and (numbers := _measures(column, source)) is not None
    ]
    return len(near) >= _MEASURED and not any(near)


def _measures(column: TextColumn, source: TextColumn) -> list[float | None] | None:
    """The numbers of a column; None where it holds others, times, identifiers or what belongs to the source."""
    if column.share(looks_numeric) <= _NEARLY or is_time(column):
        return None
    if len(column.counts) == column.filled and column.share(str.isdecimal) > _NEARLY:
        return None
    if len(set(zip(source.cells, column.cells, strict=True))) <= 2 * len(source.counts):
        return None
    parts = all_parts(column)
    return [_number(parts[cell].digits) if cell in parts else None for cell in column.cells]


def _number(digits: str) -> float | None:
    try:
        return float(digits.replace(" ", "").replace(",", "."))
    except ValueError:
        return None


def _likeness(numbers: list[float | None], things: ThingRows) -> float:
    """How many times as often two numbers of a thing are alike as any two."""
    ordered = sorted(number for number in numbers if number is not None)
    near = _NEAR * (ordered[3 * len(ordered) // 4] - ordered[len(ordered) // 4]) if ordered else 0.0
    alike = sum(bisect_right(ordered, number + near) - place - 1 for place, number in enumerate(ordered))
    chance = alike / max(1, len(ordered) * (len(ordered) - 1) // 2)
    pairs = [pair for rows in things for pair in combinations([numbers[row] for row in rows[:_FIRST]], 2)]
    told = [abs(one - other) <= near for one, other in pairs if one is not None and other is not None]
    return sum(told) / len(told) / chance if told and chance else 0.0


def tell_of_changes(
    table: WorkingRows, source: TextColumn, by: Sequence[TextColumn], things: ThingRows, meaning: Callable[[str], str]
) -> bool:
    """Whether in most columns that are in dispute only one source dissents, and it is set apart."""
    disputed: list[tuple[TextColumn, Cell]] = []
    for column in table.columns:
        if column is not source and column not in by:
            dissent, told = _dissent(source, column, things, meaning)
            if dissent.total() >= _DISSENT:
                disputed.append((column, _dissenter(dissent, told)))
    for name in {odd for _, odd in disputed if odd is not None}:
        of_it = [rows for rows in things if name in {source.cells[row] for row in rows}]
        apart = {c.name for c, _ in disputed if is_time(c) and _sets_apart(c, name, source, of_it)}
        odd = [odd == name for column, odd in disputed if column.name not in apart]
        last = sum(source.cells[rows[-1]] == name for rows in of_it) > _NEARLY * len(of_it)
        if (apart or last) and 2 * sum(odd) > len(odd):
            return True
    return False


def has_changed(
    table: WorkingRows, column: TextColumn, by: Sequence[TextColumn], things: ThingRows, meaning: Callable[[str], str]
) -> bool:
    """Whether what several reports dissent on is what all the later ones say, by a column of dates: it is true now."""
    for times in table.columns:
        if times is column or times in by or not is_time(times):
            continue
        parted = [found for rows in things if (found := _parted(times, column, rows, meaning)) is not None]
        if len(parted) >= _THINGS and sum(parted) >= _ONE * len(parted):
            return True
    return False


def _parted(times: TextColumn, column: TextColumn, rows: Sequence[int], meaning: Callable[[str], str]) -> bool | None:
    """Whether the two most frequent answers are of times that do not overlap; None where one is given only once."""
    said: dict[str, list[str]] = {}
    for row in rows:
        cell, when = column.cells[row], _in_order(times.cells[row])
        if cell and cell.strip() and when:
            said.setdefault(meaning(cell), []).append(when)
    one, other = ([], [], *sorted(said.values(), key=len))[-2:]
    return None if min(len(one), len(other)) < _SEVERAL else max(one) < min(other) or max(other) < min(one)


def _in_order(text: Cell) -> str:
    """A date so that a later one comes later in the alphabet; empty where its parts do not say which is which."""
    if iso := _ISO.match(text or ""):
        return iso[0]
    parts = _DAY_FIRST.match(text or "")
    return f"{parts[3]}-{parts[2]}-{parts[1]}" if parts else ""


def _dissent(
    source: TextColumn, column: TextColumn, things: ThingRows, meaning: Callable[[str], str]
) -> tuple[Counter[Cell], Counter[Cell]]:
    """How many reports of each source do not say what most say of a thing, and how many it has, where most agree."""
    dissent: Counter[Cell] = Counter()
    told: Counter[Cell] = Counter()
    for rows in things:
        said = [(source.cells[row], meaning(cell)) for row in rows if (cell := column.cells[row]) and cell.strip()]
        (most, count), *_ = Counter(text for _, text in said).most_common(1) or [("", 0)]
        if 2 * count > len(said):
            told.update(name for name, _ in said)
            dissent.update(name for name, text in said if text != most)
    return dissent, told


def _dissenter(dissent: Counter[Cell], told: Counter[Cell]) -> Cell:
    """The one source that does not agree with the others, which do so among each other."""
    name, count = max(dissent.items(), key=lambda one: one[1])
    others = dissent.total() - count
    return name if others <= min(_OTHERS * (told.total() - told[name]), (1 - _ONE) * dissent.total()) else None


def _sets_apart(column: TextColumn, name: Cell, source: TextColumn, things: ThingRows) -> bool:
    """Whether the column says another time of what this source reports, and one time of all other reports."""
    apart = 0
    for rows in things:
        own = {column.cells[row] for row in rows if source.cells[row] == name}
        rest = {column.cells[row] for row in rows if source.cells[row] != name}
        apart += len(rest) == 1 and not own & rest
    return apart > _NEARLY * len(things)
