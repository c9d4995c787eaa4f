"""The values inside the lists and objects of records, by their place. Called by the check `keeps-information`.

What holds for the cells of a table's column holds for what stands at one place of all records: a figure in
`lines[].price` is as much a figure as one in a column of its own.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple


class Leaf(NamedTuple):
    """One value before and after, and the row of the record that it stands in."""

    before: Any
    after: Any
    row: int


def by_place(before: list[Any], after: list[Any]) -> dict[str, list[Leaf]]:
    """The leaves of two equally long columns by place, such as `[].price`. Only where both sides have the place."""
    places: dict[str, list[Leaf]] = defaultdict(list)
    for row, (one, other) in enumerate(zip(before, after, strict=True)):
        for place, left, right in _leaves(one, other, ""):
            places[place].append(Leaf(left, right, row))
    places.pop("", None)  # a cell that holds no list and no object is looked at as it is
    return places


def _leaves(one: Any, other: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key, value in one.items():
            if key in other:
                yield from _leaves(value, other[key], f"{place}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) == len(other):
            for left, right in zip(one, other, strict=True):
                yield from _leaves(left, right, f"{place}[]")
    elif not isinstance(one, list | dict) and not isinstance(other, list | dict):
        yield place, one, _as_written(other) if isinstance(one, str) else other


def _as_written(value: Any) -> Any:
    """A number that was a text before, as a text again: its sign and its figures are those of the text."""
    return f"{value:.15g}" if isinstance(value, float) else str(value) if type(value) is int else value
