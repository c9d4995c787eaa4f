"""Cells without a value that get one: whether the row says it. Called by filled_cells.py.

What the row does not say is made up, however likely it is: a zero, the most frequent country, a total that no other row
is made of. It is said where it is a part of another cell of the row, where all its words stand in others, where another
column tells this one, or where the formula that the numbers of other rows obey gives it.
"""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import (
    holds_something,
    is_empty_container,
    is_missing,
    says_nothing,
)
from orchestrator.gate.information.row_evidence.dates_of_parts import dates_of_rows
from orchestrator.gate.information.row_evidence.row_formulas import rows_of_formula
from orchestrator.gate.information.row_evidence.slips_beside import told
from orchestrator.gate.information.row_evidence.templates import end_of, end_of_others, template, template_of_others
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import kinds_of_words, tokens
from orchestrator.gate.information.value_kinds.number_parsing import reading

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_RUN = re.compile(r"\d+(?:[.,]\d+)*")
_HOUR = re.compile(r"(?<![\d:.])(\d):\d\d(?!\d)")
ROWS = 20  # that show whether two columns hold the same numbers
MOSTLY = 0.5  # of the rows have the same number in both, or it is chance
FEW = 4  # different values that show what a column holds
MANY, KINDS = 5, 2  # different values, built in so many ways at most, that show how a column is built
OFTEN = 5  # rows in which each of a few values stands, on average
_WORD = re.compile(r"\d+|[^\W\d_](?:[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z]))?")
SHORTEST = 2  # letters or figures of what is surely a part of another cell


def is_fill(before: Any, after: Any) -> bool:
    """Whether a cell without a value gets one."""
    return says_nothing(before) and not is_missing(after)


def without_value(cells: Sequence[Change], rows: Iterable[int]) -> list[int]:
    """Those of the rows whose cell was empty, or a word for nothing that becomes what others say.

    Not where it becomes its own short form, `U` of `Unknown`, which others may have as well.
    """
    said = {key(str(after)) for before, after in cells if not says_nothing(before)}
    return [row for row in rows if is_missing(cells[row][0]) or _becomes_a_value(*cells[row], said)]


def _becomes_a_value(before: Any, after: Any, said: set[str]) -> bool:
    new = key(str(after))
    return says_nothing(before) and new in said and not (new and key(str(before)).startswith(new))


def made_up(
    cells: Sequence[Change], rows: Iterable[int], others: Sequence[Sequence[Any]], *, as_shown: bool = False
) -> list[int]:
    """Those of the rows whose empty cell gets what nothing in them says. `others`: the other columns, as they were.

    Beside values, a word for nothing that the column did not have is made up, too. `as_shown`: how a value is built is
    no reason, because examples show how values are built.
    """
    rows = [row for row in rows if says_nothing(cells[row][0])]
    filled = [row for row in rows if holds_something(cells[row][1])]
    filled = [row for row in filled if not is_empty_container(cells[row][1])]
    if not filled:
        return []
    if words := _words_for_nothing(cells, rows):
        return words
    maps = [told(cells, other) for other in others]
    stay = {str(before) for before, after in cells if before == after and holds_something(before)}
    apart_from = [] if as_shown else others
    if exchanged := next((rows for other in apart_from if (rows := _exchanged(cells, filled, other, stay))), None):
        return exchanged
    every, apart = others, [_other_numbers(cells, other) for other in others]
    others = [other for other, is_apart in zip(others, apart, strict=True) if not is_apart]
    maps = [tells for tells, is_apart in zip(maps, apart, strict=True) if not is_apart]
    kept = [row for row, (before, after) in enumerate(cells) if before == after and holds_something(before)]
    way = template_of_others(kept, [before for before, _ in cells], others)
    column, end = end_of_others(kept, [before for before, _ in cells], others)
    one_of_few = _is_one_of_few(cells)
    dated = dates_of_rows(cells, filled, others)
    computed = rows_of_formula(cells, filled, every)
    undated = [row for row in filled if row not in dated or _is_no_day(cells[row][1])]
    undated = [row for row in undated if row not in computed]
    return [
        row
        for row in undated
        if _told_otherwise(
            cells[row][1], [tells.get(_plain(one[row])) for one, tells in zip(others, maps, strict=True)]
        )
        or _unlike(
            cells[row][1],
            stay,
            whole=any(one[row] == cells[row][1] for one in others),
            few=one_of_few,
            part=any(_is_part(cells[row][1], one[row]) for one in others),
            beside=[one[row] for one in others if isinstance(one[row], str)],
            as_shown=as_shown,
        )
        or _is_no_day(cells[row][1])
        or (way and template(cells[row][1], [one[row] for one in others]) != way)
        or (end and end_of(cells[row][1], others[column][row]) not in ("", end))
        or (one_of_few and str(cells[row][1]) not in stay and any(one[row] == cells[row][1] for one in others))
        or not (_said(cells[row][1], row, others, maps) or _put_together(cells[row][1], [one[row] for one in others]))
    ]


def _words_for_nothing(cells: Sequence[Change], rows: Iterable[int]) -> list[int]:
    """Those of the rows whose missing cell gets a word for nothing that no cell of the column has: `unknown`."""
    used = {key(before) for before, _ in cells if isinstance(before, str)}
    put = [row for row in rows if is_missing(cells[row][0]) and isinstance(cells[row][1], str)]
    return [row for row in put if not holds_something(cells[row][1]) and key(cells[row][1]) not in used]


def _is_no_day(value: Any) -> bool:
    """Whether it is written as a date, and no calendar has it."""
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        dt.date.fromisoformat(value)
    except ValueError:
        return True
    return False


def _told_otherwise(value: Any, told: Sequence[str | None]) -> bool:
    """Whether columns that tell this one in the other rows tell another value: `BE` beside Berlin, which has DE."""
    return any(text is not None for text in told) and value not in told


def _is_one_of_few(cells: Sequence[Change]) -> bool:
    """Whether all cells that stay hold one of a few words, each of them many times."""
    stay = [before for before, after in cells if before == after and holds_something(before)]
    few = set(map(str, stay))
    return len(few) > 1 and len(stay) >= OFTEN * len(few) and not any(any(map(str.isdigit, one)) for one in few)


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else None


def _other_numbers(cells: Sequence[Change], other: Sequence[Any]) -> bool:
    """Whether another column of numbers mostly holds other ones: a price is no total, but for one piece."""
    both = [
        before == beside
        for (before, after), beside in zip(cells, other, strict=True)
        if before == after and _is_number(before) and _is_number(beside)
    ]
    return len(both) >= ROWS and sum(both) <= MOSTLY * len(both)


def _is_number(value: Any) -> bool:
    """Whether a cell is one number and nothing else."""
    return not is_missing(value) and _RUN.fullmatch(str(value).lstrip("-")) is not None


def _exchanged(cells: Sequence[Change], filled: Sequence[int], other: Sequence[Any], stay: set[str]) -> list[int]:
    """The rows that get values of another column, which their rows do not have there, and none of this one.

    Where the two columns have values in common, that says something only if all rows get such values.
    """
    values = {text for text in other if isinstance(text, str) and holds_something(text)}
    rows = [row for row in filled if str(cells[row][1]) in values - stay and other[row] != cells[row][1]]
    apart = not values & stay or not {str(cells[row][1]) for row in filled} & stay
    few = min(len(stay), len(values), len({cells[row][1] for row in rows}))
    return rows if apart and few >= FEW else []


def _unlike(
    value: Any, stay: set[str], *, whole: bool, part: bool, beside: Sequence[str], few: bool, as_shown: bool
) -> bool:
    """Whether what stays shows that it is no value of the column.

    It has no figures where all have some, or another sign than all their numbers have. Or, if it is not the whole of
    another cell: it is a part of one, made of other kinds of words (`17. Juni 69` beside `12a`), has figures where none
    has any, or is a part of what others and its row say: `York`, where they say `New York` and none says `York`.
    """
    text = str(value)
    if len(stay) < FEW and not few:
        return False
    if (number := reading(text)) and all(other and other * number < 0 for other in map(reading, stay)):
        return True
    if as_shown:
        return _is_part_of_others(text, stay, beside, whole=whole)
    having = sum(1 for one in stay if any(map(str.isdigit, one)))
    built = {kinds_of_words(one) for one in stay}
    if part and len(stay) >= MANY and len(built) <= KINDS and kinds_of_words(text) not in built:
        return True
    if any(map(str.isdigit, text)):
        return not having and not whole
    return having == len(stay) or _is_part_of_others(text, stay, beside, whole=whole)


def _is_part_of_others(text: str, stay: set[str], beside: Sequence[str], *, whole: bool) -> bool:
    if whole or text in stay:
        return False
    longer = [one for one in stay if one.endswith(f" {text}") or one.startswith(f"{text} ")]
    return any(one in cell for one in longer for cell in beside)


def _is_part(value: Any, cell: Any) -> bool:
    """Whether the value is written inside another cell, which holds more."""
    return isinstance(cell, str) and str(value) != cell and str(value) in cell


def says_it(value: Any, beside: Sequence[Any]) -> bool:
    """Whether one of the cells holds the value, or it is put together of them."""
    return _said(value, 0, [[cell] for cell in beside], [{}] * len(beside)) or _put_together(value, beside)


def _put_together(value: Any, beside: Sequence[Any]) -> bool:
    """Whether each of its words is one of the row's; a sign of a currency is its code. A number is a whole one."""
    if _RUN.fullmatch(str(value)):
        return str(value) in {run for cell in beside if not is_missing(cell) for run in _RUN.findall(str(cell))}
    words = _words(value)
    return bool(words) and words <= {word for cell in beside if not is_missing(cell) for word in _words_of_row(cell)}


def _words_of_row(cell: Any) -> set[str]:
    """With the hour as it may be written, too: `07` of `7:23`."""
    return _words(cell) | {f"0{hour[1]}" for hour in _HOUR.finditer(str(cell))}


def _words(value: Any) -> set[str]:
    return set(re.findall(r"[^\W_]+", str(value).casefold())) | set(tokens(str(value)))


def _cut_from(value: str, beside: str) -> bool:
    """Whether it is a number, and no whole one of the cell: 2138 of 02138, 100 of 1001, 100.2 of 10020.0."""
    return _RUN.fullmatch(value) is not None and value not in _RUN.findall(beside)


def _of_whole_words(mine: str, beside: str) -> bool:
    """Whether it begins and ends where a word or number of the cell does: `DE` of `DE123`, not of `Den`."""
    words = [one for one in map(key, _WORD.findall(beside)) if one]
    ends = [0, *accumulate(map(len, words))]
    joined, known = "".join(words), set(ends)
    return any((start := end - len(mine)) in known and joined.startswith(mine, start) for end in ends)


def _said(value: Any, row: int, others: Sequence[Sequence[Any]], maps: Sequence[Any]) -> bool:
    mine = key(str(value))
    for other, told_by in zip(others, maps, strict=True):
        beside = other[row]
        if is_missing(beside):
            continue
        inside = len(mine) >= SHORTEST and mine in key(str(beside)) and not _cut_from(str(value), str(beside))
        if inside and _of_whole_words(mine, str(beside)):
            return True
        if isinstance(beside, str) and told_by.get(beside) == value:
            return True
    return False
