"""Cells of a column as texts by which equal ones are found, and cells put together. For `changed_column`."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import is_missing

_TEXT = {str, type(None)}


def counted(before: Sequence[Any], after: Sequence[Any]) -> list[tuple[Any, Any, int, int]]:
    """The pairs of cells, the first row of each and how many rows hold it; each row alone where not all are text."""
    pairs = list(zip(before, after, strict=True))
    if not {*map(type, before), *map(type, after)} <= _TEXT:
        return [(*pair, row, 1) for row, pair in enumerate(pairs)]
    first = dict(zip(reversed(pairs), range(len(pairs) - 1, -1, -1), strict=True))
    return [(*pair, first[pair], count) for pair, count in Counter(pairs).items()]


def joined(cells: Sequence[Any]) -> Any:
    """A cell with those that were added beside it; on its own when there are none, or when it is empty."""
    beside = [cell for cell in cells[1:] if not is_missing(cell)]
    return cells[0] if is_missing(cells[0]) or not beside else " ".join(map(str, (cells[0], *beside)))


def pair_key(pair: Change) -> tuple[str, str]:
    return plain_key(pair[0]), plain_key(pair[1])


def plain_key(value: Any) -> str:
    """A value as a text by which equal values are found."""
    return value if isinstance(value, str) else repr(value)
