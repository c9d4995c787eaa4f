"""Conventions in words, for the instruction of a language model. Called by `prompt_context`; built-in rules use the
values.

The words are the user's, like the instruction. Names and values are quoted as JSON, each convention on one line.
"""

import json
from collections.abc import Iterator

from orchestrator.core.conventions import ColumnConvention, Conventions

_MOST_VALUES = 100
_ORDERS = {"dmy": "day, month, year", "mdy": "month, day, year", "ymd": "year, month, day"}


def in_words(conventions: Conventions | None) -> str:
    """One line per column that has a convention; "" where there is none."""
    if conventions is None:
        return ""
    spoken = [("Every column that is not named below", conventions.all)] if conventions.all.model_fields_set else []
    spoken += [(f"Column {_quoted(name)}", conventions.of(name)) for name in conventions.columns]
    lines = [f"- {who}: {'; '.join(clauses)}." for who, convention in spoken if (clauses := list(_clauses(convention)))]
    return "\n".join(["Conventions of this data set, which are binding:", *lines]) if lines else ""


def _clauses(convention: ColumnConvention) -> Iterator[str]:
    if convention.leave:
        yield "leave it alone"
    if convention.case:
        yield f"{convention.case} case"
    if convention.dates.read:
        yield f"dates in digits are read as {_ORDERS[convention.dates.read]}"
    if convention.dates.write:
        yield f"dates are written as {convention.dates.write}"
    if convention.numbers.decimal:
        yield f"the decimal mark of the data is {_quoted(convention.numbers.decimal)}"
    if convention.numbers.whole:
        yield 'whole numbers are written without ".0"'
    if convention.phones:
        yield "telephone numbers are written in E.164"
    if convention.null is not None:
        yield f"a missing value is written as {_quoted(convention.null) if convention.null else 'a blank cell'}"
    if convention.null_words:
        yield f"these words stand for a missing value: {_listed(convention.null_words)}"
    if convention.values:
        yield f"only these values are allowed: {_listed(convention.values)}"
    if convention.spellings:
        pairs = [f"{_quoted(wrong)} is {_quoted(right)}" for wrong, right in convention.spellings.items()]
        yield f"known other spellings: {_cut(pairs)}"
    if convention.settled_by:
        yield f"rows that agree in {_listed(convention.settled_by)} agree in this column too"


def _listed(words: tuple[str, ...]) -> str:
    return _cut([_quoted(word) for word in words])


def _cut(parts: list[str]) -> str:
    rest = len(parts) - _MOST_VALUES
    return ", ".join(parts[:_MOST_VALUES]) + (f" and {rest} more" if rest > 0 else "")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
