"""The values inside the lists and objects of records, by their place. Called by the check `keeps-information`.

What holds for the cells of a table's column holds for what stands at one place of all records: a figure in
`lines[].price` is as much a figure as one in a column of its own.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from orchestrator.gate.information.changes import written
from orchestrator.gate.information.row_evidence.measures import same_measure
from orchestrator.gate.information.shown import alike, number_shown

LEVELS = 100  # of lists and objects in each other, as many as a record may have
_CODE = re.compile(r"0\d+")  # is no number, and becomes none
_KEY = re.compile(r'"\s*:')


class Leaf(NamedTuple):
    """One value before and after, and the row of the record that it stands in."""

    before: Any
    after: Any
    row: int


def read_inside(cells: Iterable[Any]) -> list[Any]:
    """The cells of a table's column with lists and objects where these stand as their JSON; all others as they are."""
    return [_read(cell) if is_bracketed(cell) else cell for cell in cells]


def read_pairs(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Cells before and after, as lists and objects where both are such: what is written as JSON is no prose."""
    return [read if _are_nested(read := tuple(read_inside(pair))) else pair for pair in pairs]


def no_json_any_more(before: Sequence[Any], after: Sequence[Any]) -> list[int]:
    """Rows of lists and objects that became a text with brackets or keys of JSON which is none: no program reads it.

    Both as `read_inside` gives them.
    """
    pairs = enumerate(zip(before, after, strict=True))
    texts = [
        (row, one, other) for row, (one, other) in pairs if isinstance(one, list | dict) and isinstance(other, str)
    ]
    return [row for row, one, other in texts if is_bracketed(other) or (isinstance(one, dict) and _KEY.search(other))]


def is_bracketed(cell: Any) -> bool:
    """Whether a cell is a text that begins and ends as a list or an object does in JSON."""
    return isinstance(cell, str) and cell[:1] + cell[-1:] in ("[]", "{}")


def _are_nested(pair: tuple[Any, Any]) -> bool:
    return all(isinstance(value, list | dict) for value in pair)


def _read(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=str, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return text
    level, levels = [value], 0
    while level and levels <= LEVELS:
        parts = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, list | dict)]
        level, levels = [item for part in parts for item in part], levels + 1
    return text if level else value


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of an object that has a key twice one value would not be looked at: then its text is."""
    made = dict(members)
    if len(made) < len(members):
        raise ValueError("a key occurs twice")
    return made


def by_place(before: list[Any], after: list[Any]) -> dict[str, list[Leaf]]:
    """The leaves of two equally long columns by place, such as `[].price`. Only where both sides have the place."""
    places: dict[str, list[Leaf]] = defaultdict(list)
    for row, (one, other) in enumerate(zip(before, after, strict=True)):
        for place, left, right in _leaves(one, other, ""):
            places[place].append(Leaf(left, right, row))
    places.pop("", None)  # a cell that holds no list and no object is looked at as it is
    return places


def shown_beside(place: str, leaves: Sequence[Leaf], shown: Mapping[str, Sequence[Leaf]]) -> list[tuple[Any, Any]]:
    """What witnesses show at this place, and under another key of the same object where they show such a change."""
    found = [(leaf.before, leaf.after) for leaf in shown.get(place, ())]
    changed = [(leaf.before, leaf.after) for leaf in leaves if leaf.before != leaf.after]
    parent = place.rpartition(".")[0]
    for other, ones in shown.items():
        if other != place and "." in other and other.rpartition(".")[0] == parent:
            pairs = [(leaf.before, leaf.after) for leaf in ones if leaf.before != leaf.after]
            found += [pair for pair in pairs if any(_such(pair, one) for one in changed)]
    return found


def _such(shown: tuple[Any, Any], change: tuple[Any, Any]) -> bool:
    texts, of_change = written(shown), written(change)
    if all(isinstance(value, str) for value in (*texts, *of_change)):
        return texts == of_change or alike(of_change, texts) or number_shown(of_change, [texts])
    return repr(shown) == repr(change)


def _leaves(one: Any, other: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        measured = same_measure(one, other)
        for key, value in one.items():
            if key in measured:
                yield f"{place}.{key}", value, value  # with the unit, or the number, under the other key it is the same
            elif key in other:
                yield from _leaves(value, other[key], f"{place}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) == len(other):
            for left, right in zip(one, other, strict=True):
                yield from _leaves(left, right, f"{place}[]")
    elif isinstance(one, str | int | float) and isinstance(other, list | dict):
        yield place, one, other  # what becomes of a text, or of a number, in parts is read together
    elif not isinstance(one, list | dict) and not isinstance(other, list | dict):
        written_before = isinstance(one, str) and not _CODE.fullmatch(one)
        yield place, one, _as_written(other) if written_before else other


def _as_written(value: Any) -> Any:
    """A number that was a text before, as a text again: its sign and its figures are those of the text."""
    return f"{value:.15g}" if isinstance(value, float) else str(value) if type(value) is int else value
