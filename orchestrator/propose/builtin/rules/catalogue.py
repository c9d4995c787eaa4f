"""The rules in their order: characters first, then what single cells mean, then what columns and rows agree on.

A rule never undoes an earlier one: its right texts come from rows on which the earlier rules have nothing left to say.
"""

from collections.abc import Callable, Iterator

from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.rules import (
    blanks,
    booleans,
    casing,
    codes,
    composites,
    dates,
    declared,
    dependencies,
    emails,
    encoding,
    null_words,
    numbers,
    phones,
    replaced_characters,
    shifted_codes,
    spelling,
    us_states,
    usual_words,
    variants,
)
from orchestrator.propose.builtin.working_rows import WorkingRows

Rule = Callable[[WorkingRows, Preferences], Iterator[Remedy]]

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
    shifted_codes.find,
    us_states.find,
    casing.find,
    declared.find,
    replaced_characters.find,
    spelling.find,
    variants.find,
    usual_words.find,
)
# What rows should agree on is asked only when single cells have nothing left to be said about.
LATE_RULES: tuple[Rule, ...] = (dependencies.find, composites.find)


def stages(table: WorkingRows, wishes: Preferences) -> Iterator[Iterator[Remedy]]:
    """What the rules would do, stage by stage, on the columns that may be touched. Nothing is looked for ahead."""
    free = WorkingRows(tuple(column for column in table.columns if column.name not in wishes.alone), table.rows)
    for rules in (RULES, LATE_RULES):
        yield (remedy for rule in rules for remedy in rule(free, wishes))
