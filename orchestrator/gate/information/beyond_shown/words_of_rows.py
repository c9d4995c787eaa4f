"""Words and signs of the cells that an added column is made of, of which the examples do not speak. For added_rows.py.

Numbers have forms (shown_forms.py). What a word says nobody can compute: `none` is no item, `type: bug` is a bug, and
of `/Clarke/ Jr.` the last word stays where the examples keep all of theirs. An example of such a row settles it.
"""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from orchestrator.gate.information.null_tokens import holds_something, is_missing, speaks_of_nothing
from orchestrator.gate.information.similarity import NO, YES
from orchestrator.gate.information.value_kinds.moments import moments
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.spelled_numbers import spelled_number

LONGEST = 120  # characters of a cell that is looked at
DAY = 10  # characters of it, without a time
FEW = 15  # different cells of a column of words
SEVERAL = 2  # words of a cell of which one could be left out
_RUN = re.compile(r"[^\W\d_]+|\d+")
_WORD = re.compile(r"[^\W\d_]+")
_FIGURE = re.compile(r"\d")
_BARE = re.compile(r"\s*[+-]?\d[\d.,' ]*")
_FIGURE_OR_LIST = re.compile(r"[\d;,|/]")
_TIMES = re.compile(
    r"\d\s?(?:dozens?|scores?|hundreds?|thousands?|millions?|billions?|mn|mio|bn|tsd|dutzend|k)\b", re.IGNORECASE
)
Pairs = Sequence[tuple[Any, Any]]
"""Cells, and what becomes of their rows."""
_Law = Callable[[Pairs, Pairs], int | None]


def words_unshown(
    made: Sequence[Any], columns: Mapping[str, Sequence[Any]], shown: Sequence[tuple[Mapping[str, Any], Any]]
) -> Iterator[tuple[str, int, str]]:
    """The column, the first row of each kind, and what is unshown about it. `shown`: rows and their values."""
    for source, cells in columns.items():
        rows = list(zip(cells, made, strict=True))
        pairs = [(before.get(source), value) for before, value in shown]
        if (day := _day_of_missing(rows, pairs, columns.values())) is not None:
            yield source, day, "a day is counted though the row lacks what each example has"
        alone = len(columns) == 1 or _decides(rows)
        for reason, law in (*LAWS, *(LAWS_OF_ONE if alone else ())):
            if (row := law(rows, pairs)) is not None:
                yield source, row, reason
        for row in _looked_up(rows, pairs) if alone else ():
            yield source, row, "a number is looked up for a word that no example has"


def _decides(rows: Pairs) -> bool:
    """Whether the cells repeat, and equal ones get equal values: no other column of the row may do that."""
    values: dict[str, set[str]] = defaultdict(set)
    for cell, value in rows:
        values[str(cell)].add(str(value))
    return 2 * len(values) <= len(rows) and all(len(one) == 1 for one in values.values())


def _day_of_missing(rows: Pairs, shown: Pairs, columns: Iterable[Sequence[Any]]) -> int | None:
    """Only of days, and none that a cell says: for a number, what is missing is nothing, and may count so."""
    if any(is_missing(cell) for cell, _ in shown) or not all(_is_day(value) for _, value in shown):
        return None
    said = {str(cell)[:DAY] for cells in columns for cell in cells}
    days = (row for row, (cell, value) in enumerate(rows) if is_missing(cell) and _is_day(value))
    return next((row for row in days if str(rows[row][1])[:DAY] not in said), None)


def _is_day(value: Any) -> bool:
    return isinstance(value, dt.date) or (isinstance(value, str) and len(value) <= LONGEST and bool(moments(value)))


def _words(value: Any, pattern: re.Pattern[str] = _WORD) -> frozenset[str]:
    short = isinstance(value, str) and len(value) <= LONGEST
    return frozenset(pattern.findall(value.casefold())) if short else frozenset()


def _word_left_out(rows: Pairs, shown: Pairs) -> int | None:
    """`Eliza Clarke` of `Eliza /Clarke/ Jr.`, where the examples keep all words; not where another row says it."""
    kept = [(_words(cell), _words(value)) for cell, value in shown if holds_something(value)]
    if not all(one and one <= other for one, other in kept) or max((len(one) for one, _ in kept), default=0) < SEVERAL:
        return None
    cells = {str(cell) for cell, _ in rows}
    for row, (cell, value) in enumerate(rows):
        ours, theirs = _words(cell), _words(value)
        if ours & theirs and ours - theirs and str(value) not in cells:
            return row
    return None


def _word_as_number(rows: Pairs, shown: Pairs) -> int | None:
    """A day counted from `on receipt`, where each example counts from a number; `four` says itself."""
    if not all(isinstance(cell, str) and _FIGURE.search(cell) for cell, _ in shown):
        return None
    for row, (cell, value) in enumerate(rows):
        is_word = isinstance(cell, str) and holds_something(cell) and not _FIGURE.search(cell)
        if is_word and holds_something(value) and _FIGURE.search(str(value)) and spelled_number(cell) is None:
            return row
    return None


def _times_left_out(rows: Pairs, shown: Pairs) -> int | None:
    """`1 dozen` as 1, `4k` as 4."""
    if any(_TIMES.search(str(cell)) for cell, _ in shown):
        return None
    for row, (cell, value) in enumerate(rows):
        if isinstance(cell, str) and _TIMES.search(cell) and str(value) in _RUN.findall(cell):
            return row
    return None


def _answer(value: Any) -> bool | None:
    text = str(value).strip().casefold()
    return True if text in YES else False if text in NO else None


def _are_answers(rows: Pairs) -> bool:
    return {_answer(value) for _, value in rows if not is_missing(value)} == {True, False}


def _no_to_shown_word(rows: Pairs, shown: Pairs) -> int | None:
    """`type: bug` and `Bug` as no where `bug` is yes; not where the cell denies it, or an example with it is no."""
    yes, no = (
        [found for cell, one in shown if _answer(one) is said and (found := _words(cell))] for said in (True, False)
    )
    known = [one for one in yes if not any(one <= other for other in no)] if _are_answers(rows) else []
    for row, (cell, value) in enumerate(rows):
        if _answer(value) is False and any(one <= _words(cell) for one in known) and not speaks_of_nothing(cell):
            return row
    return None


def _other_answer(rows: Pairs, shown: Pairs) -> int | None:
    """A yes to words where all examples are a no, or the reverse."""
    shown_answers = {_answer(value) for _, value in shown}
    if len(shown_answers) > 1 or not _are_answers(rows) or len({str(cell) for cell, _ in rows}) > FEW:
        return None
    answers = (
        (row, _answer(value)) for row, (cell, value) in enumerate(rows) if _words(cell) and not _FIGURE.search(cell)
    )
    return next((row for row, one in answers if one is not None and one not in shown_answers), None)


def _nothing_counted(rows: Pairs, shown: Pairs) -> int | None:
    """`none` as 1."""
    if any(map(_is_word_for_nothing, (cell for cell, _ in shown))):
        return None
    return next((row for row, (cell, value) in enumerate(rows) if _is_word_for_nothing(cell) and _number(value)), None)


def _is_word_for_nothing(cell: Any) -> bool:
    return isinstance(cell, str) and not is_missing(cell) and not holds_something(cell)


def _number(value: Any) -> Decimal | None:
    return None if isinstance(value, bool) else reading(value)


def _word_of_bare_number(rows: Pairs, shown: Pairs) -> int | None:
    """`USD` of 99, where each example has a word or sign at its number, and one of them says so."""
    numbers = all(isinstance(cell, str) and _FIGURE.search(cell) and not _BARE.fullmatch(cell) for cell, _ in shown)
    if not numbers or not any(_words(value) and _words(value) <= _words(cell) for cell, value in shown):
        return None
    for row, (cell, value) in enumerate(rows):
        if isinstance(cell, str) and _BARE.fullmatch(cell) and _words(value) and not _FIGURE.search(value):
            return row
    return None


def _looked_up(rows: Pairs, shown: Pairs) -> list[int]:
    """A number for one of few words, which no example has: nothing says that F is 0. Items of a list are counted."""
    known = {_folded(cell) for cell, _ in shown}
    words: dict[str, int] = {}
    for row, (cell, value) in enumerate(rows):
        if _words(cell) and holds_something(value):
            words.setdefault(_folded(cell), row)
    if len(words) > FEW or any(map(_FIGURE_OR_LIST.search, known)) or _are_answers(rows):
        return []
    if any(_number(value) is None for _, value in shown):
        return []
    alone = [one for one in words if not _FIGURE_OR_LIST.search(one) and spelled_number(one) is None]
    return [words[one] for one in alone if one not in known]


def _folded(cell: Any) -> str:
    return str(cell).strip().casefold()


LAWS: Sequence[tuple[str, _Law]] = (
    ("a row loses a word, and the examples keep all of theirs", _word_left_out),
    ("a word stands where each example has a number", _word_as_number),
    ("a number is read without the word that says how many times it counts", _times_left_out),
)
LAWS_OF_ONE: Sequence[tuple[str, _Law]] = (
    ("a row with the words that an example says yes to gets a no", _no_to_shown_word),
    ("a row gets the answer that no example has", _other_answer),
    ("a word for nothing is counted", _nothing_counted),
    ("a number alone gets a word", _word_of_bare_number),
)
"""Of a column that alone decides what its row gets."""
