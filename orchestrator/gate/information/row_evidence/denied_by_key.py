"""Filled cells that all other rows with the same key contradict, whatever an example of another key shows.

For filled_cells.py. `Berlin` at 20095, where each row of 20095 that has a city has `Hamburg`.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something

ROWS = 5  # with one key, or they say little
MOSTLY = 0.8  # of the rows that stay have such a key
_Fill = tuple[Mapping[str, Any], Mapping[str, Any]]


def denied_by_key(
    name: str,
    cells: Sequence[Change],
    rows: Sequence[int],
    others: Mapping[str, Sequence[Any]],
    shown: Sequence[_Fill],
) -> tuple[str, list[int]] | None:
    """The column that is the key, and the filled rows that get another value than all rows of theirs.

    `others`: the other columns before; `shown`: the examples that fill a cell of this one. One that fills a cell
    against its key shows that the column is none.
    """
    for other, column in others.items():
        known = _values_of_keys(cells, column)
        if not known or any(_denies(known, given.get(other), made[name]) for given, made in shown):
            continue
        denied = [row for row in rows if _denies(known, column[row], cells[row][1])]
        if denied:
            return other, denied
    return None


def _denies(known: Mapping[str, str], key: Any, value: Any) -> bool:
    return known.get(str(key), _folded(value)) != _folded(value)


def _folded(value: Any) -> str:
    """In one spelling: `MÜNCHEN` in some rows of a key is no second value of it."""
    return " ".join(str(value).split()).casefold()


def _values_of_keys(cells: Sequence[Change], column: Sequence[Any]) -> dict[str, str]:
    """The one value of each key that stands in many rows; empty where the column is no key of this one."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for (before, after), key in zip(cells, column, strict=True):
        if before == after and holds_something(before) and holds_something(key):
            groups[str(key)][_folded(before)] += 1
    many = {key: counts for key, counts in groups.items() if counts.total() >= ROWS}
    stay = sum(counts.total() for counts in groups.values())
    if sum(counts.total() for counts in many.values()) < MOSTLY * stay or any(len(one) > 1 for one in groups.values()):
        return {}
    known = {key: next(iter(counts)) for key, counts in many.items()}
    return known if len(set(known.values())) > 1 else {}
