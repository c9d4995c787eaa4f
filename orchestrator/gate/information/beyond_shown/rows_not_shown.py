"""Rows that go and are not like those that an example shows to go. Called by the check on rows that are removed.

What they have in common must tell them from the rows that stay: the state `cancelled`, the word `test`, no number, a
price as low, an end before its beginning, or several of these together. That `test@test.com` goes says nothing of
`u7@a.com`.
"""

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.value_kinds.number_parsing import reading

ENOUGH = 5  # rows that stay and show what the others have not
MOST_COLUMNS = 12  # of which each two are compared
MOST_WORDS = 20  # of a cell
_WORD, _DAY = re.compile(r"[^\W_]+"), re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?")
_Row = Mapping[str, Any]
_Trait = tuple[str, ...]


def rows_not_shown(gone: Sequence[_Row], stay: Sequence[_Row], shown: Sequence[_Row]) -> list[int]:
    """The places of those of the rows that go for which no row of the examples speaks."""
    left = [*range(len(gone))]
    for one in shown:
        theirs = [_in_common(row, one) for row in stay] if left else []
        left = [at for at in left if not _is_spoken_for(gone[at], one, theirs)]
    return left


def _is_spoken_for(row: _Row, shown: _Row, stay: Sequence[frozenset[_Trait]]) -> bool:
    """Whether it is the row that is shown, or has something in common with it that no row has which stays."""
    if all(name in row and _said(row[name]) == _said(value) for name, value in shown.items()):
        return True
    common = _in_common(row, shown)
    enough = len(stay) >= ENOUGH or any(trait[0] == "has" for trait in common)
    return bool(common) and enough and not any(common <= theirs for theirs in stay)


def _in_common(row: _Row, shown: _Row) -> frozenset[_Trait]:
    """What a row and one that is shown have in common, in the columns that the example names."""
    names = [name for name in shown if name in row]
    found = {trait for name in names for trait in _of_cells(name, row[name], shown[name])}
    for one, other in combinations(names[:MOST_COLUMNS], 2):
        order = _order(row[one], row[other])
        if order and order == _order(shown[one], shown[other]):
            found.add(("beside", one, other, order))
    return frozenset(found)


def _of_cells(name: str, cell: Any, shown: Any) -> Iterator[_Trait]:
    """Words, the last word, the whole; that both hold nothing; that the one is as low, or as high, as the other."""
    ours, theirs = _said(cell), _said(shown)
    if ours == theirs:
        yield "has", name, "all"
    if ours and cell == shown:
        yield "has", name, "all in the same letters"
    size = _size(cell)
    if ours and theirs and size is None:
        yield from (("has", name, "word", word) for word in {*ours[:MOST_WORDS]} & {*theirs[:MOST_WORDS]})
        if ours[-1] == theirs[-1]:
            yield "has", name, "last word", ours[-1]
    order = _order(cell, shown)
    if order and size is not None:
        yield from (("than", name, way) for way in "<>" if order in (way, "="))


def _said(value: Any) -> list[str]:
    """The words and figures of a cell; none where it holds nothing."""
    if not holds_something(value):
        return []
    size = _size(value)
    if isinstance(size, Decimal):
        return [str(size.normalize())]  # 40 of an example is 40.0 of a column
    return _WORD.findall(str(value).casefold()) or [str(value)]


def _order(one: Any, other: Any) -> str:
    """How two cells stand to each other: numbers and days by their size, others where they say the same."""
    left, right = _size(one), _size(other)
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return "<" if left < right else ">" if left > right else "="
    if isinstance(left, str) and isinstance(right, str):
        return "<" if left < right else ">" if left > right else "="
    return "=" if (said := _said(one)) and said == _said(other) else ""


def _size(value: Any) -> Decimal | str | None:
    """A number, or a day with its time as ISO 8601 writes it; None for anything else."""
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, str) and _DAY.fullmatch(value.strip()):
        return value.strip().replace("T", " ")
    return None if isinstance(value, str) and any(map(str.isalpha, value)) else reading(value)
