"""The rules in the order in which they speak: characters first, then what single cells mean, then what columns agree on.

A rule never undoes an earlier one: its right texts come from rows on which the earlier rules have nothing left to say.
"""

from collections.abc import Callable, Iterator

from orchestrator.propose.builtin import (
    blanks,
    booleans,
    casing,
    codes,
    dates,
    emails,
    encoding,
    entities,
    null_words,
    numbers,
    phones,
    places,
    spelling,
)
from orchestrator.propose.builtin.profile import Table
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.wishes import Wishes

Rule = Callable[[Table, Wishes], Iterator[Remedy]]

RULES: tuple[Rule, ...] = (
    encoding.find,
    blanks.find,
    null_words.find,
    numbers.find,
    dates.find,
    booleans.find,
    phones.find,
    codes.find,
    emails.find,
    places.find,
    casing.find,
    spelling.find,
    entities.find,
)


def find(table: Table, wishes: Wishes) -> Iterator[Remedy]:
    """Every remedy that a rule sees for the columns that may be touched."""
    free = Table(tuple(column for column in table.columns if column.name not in wishes.alone), table.rows)
    for rule in RULES:
        yield from rule(free, wishes)
