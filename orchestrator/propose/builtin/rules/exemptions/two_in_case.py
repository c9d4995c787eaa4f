"""Texts that differ in case only and are two things: `turkey` beside "meat", and `Turkey` beside "country".

Called by the rule on spelling. Another column tells them apart where its values divide the rows of both as no chance
would. A source that writes all its texts in capitals divides them as well, and means the same things.
"""

from collections.abc import Collection, Mapping
from math import lgamma, log

from orchestrator.propose.builtin.distance import _fingerprint
from orchestrator.propose.builtin.working_rows import Cell, TextColumn, WorkingRows

_LEAST = 3  # rows of each
_BY_CHANCE = 0.001
_MOSTLY = 0.8  # of the codes in two cases
_HABIT = 2  # other texts of the same source that stand in another case elsewhere: at least, and half of all


def are_two_things(
    table: WorkingRows, column: TextColumn, text: str, other: str, spellings: Mapping[str, Collection[str]]
) -> bool:
    """Whether another column has other values in all rows of the one than in all rows of the other, and no habit.

    `spellings`: by fingerprint, all ways in which a text is written in the column.
    """
    ours, theirs = column.places.get(text, []), column.places.get(other, [])
    if min(len(ours), len(theirs)) < _LEAST:
        return False
    most_values = (_log_choices(len(ours) + len(theirs), len(theirs)) - log(len(table.columns) / _BY_CHANCE)) / log(2)
    if most_values < 2:  # one for each: no column could tell
        return False
    for beside in table.columns:
        if beside is column:
            continue
        here = {beside.cells[row] for row in ours}
        if any(beside.cells[row] in here for row in theirs):
            continue
        there = {beside.cells[row] for row in theirs}
        if None in here | there or len(here | there) > most_values:
            continue
        one_each = len(here) == len(there) == 1
        shared = one_each or len(beside.counts) <= len(spellings) or _goes_with_others(column, beside, here | there)
        if shared and not _is_habit(column, beside, other, there, spellings):
            return True
    return False


def are_named(table: WorkingRows, column: TextColumn, pairs: Collection[tuple[str, str]]) -> bool:
    """Whether another column has one name for each code, and another one for the same code in the other case."""
    pairs = [pair for pair in pairs if all(len(column.places[text]) > 1 for text in pair)]
    for beside in table.columns if len(pairs) >= _LEAST else ():
        if beside is column:
            continue
        names = [[{beside.cells[row] for row in column.places[text]} for text in pair] for pair in pairs]
        told = [here | there for here, there in names if len(here) == len(there) == 1 and here != there]
        if _MOSTLY * len(pairs) <= len(told) <= len({name for both in told for name in both}):
            return True
    return False


def _goes_with_others(column: TextColumn, beside: TextColumn, values: set[Cell]) -> bool:
    """Whether most of the values stand beside other texts, too: `meat` does, and the number of one customer does not,
    who writes the own town in the own way: of customers there are more than of towns.
    """
    shared = 0
    for value in values:
        texts = {column.cells[row] for row in beside.places.get(value or "", ())}
        shared += len({_fingerprint(text) for text in texts if text}) > 1
    return 2 * shared > len(values)


def _log_choices(rows: int, chosen: int) -> float:
    """The logarithm of the number of ways to choose so many of the rows."""
    return lgamma(rows + 1) - lgamma(chosen + 1) - lgamma(rows - chosen + 1)


def _is_habit(
    column: TextColumn,
    beside: TextColumn,
    other: str,
    values: set[Cell],
    spellings: Mapping[str, Collection[str]],
) -> bool:
    """Whether the values of the other column go with texts in another case throughout: a source that writes so."""
    texts = {column.cells[row] for value in values if value is not None for row in beside.places.get(value, ())}
    texts -= {None, other}
    twins = sum(len(spellings.get(_fingerprint(text), ())) > 1 for text in texts if text is not None)
    return twins >= _HABIT and 2 * twins >= len(texts)
