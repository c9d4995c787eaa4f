"""The texts inside of lists and objects, which are cells like others: what is untidy in them is left, too.

Called by the run, which counts what is left, and by `record_tables`. In a table of JSON rows a list or an object is the
text of its JSON; in one of Parquet it is a value.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_MANY_KEYS = 12  # so many different keys of the objects at one place are entries, and no names of fields,
_MANY_TIMES = 3  # if an object has only one of so many of them
MARKS = _ITEM, _ENTRY = "[]", "*"

Place = tuple[str, ...]
"""The keys that lead to a value, the outermost first; `[]` stands for the items of a list, `*` for keys of entries."""


@dataclass
class _At:
    """What stands at one place, in all values."""

    texts: list[str] = field(default_factory=list)
    objects: int = 0
    members: int = 0  # of all these objects
    inner: "dict[str, _At]" = field(default_factory=dict)


def path_of(place: Place) -> str:
    """The place as people and models read it: `items[].note`."""
    first, *rest = place
    return first + "".join(key if key == _ITEM else f".{key}" for key in rest)


def texts_by_place(name: str, values: Iterable[Any]) -> dict[Place, list[str]]:
    """Every text among the values of the column `name`, by place, in the order in which the places are met."""
    top = _At()
    waiting = [(top, value) for value in values][::-1]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, str):
            at.texts.append(value)
        elif isinstance(value, list | tuple):
            items = at.inner.setdefault(_ITEM, _At())
            waiting += [(items, one) for one in reversed(value)]
        elif isinstance(value, dict):
            at.objects, at.members = at.objects + 1, at.members + len(value)
            members = [(at.inner.setdefault(key, _At()), one) for key, one in value.items()]
            waiting += reversed(members)
    return {place: texts for place, texts in _flat((name,), [top]) if texts}


def _flat(place: Place, alike: list[_At]) -> Iterator[tuple[Place, list[str]]]:
    """The texts of what stands at one place, and of all places inside of it."""
    yield place, [text for at in alike for text in at.texts]
    keys: dict[str, list[_At]] = {}
    for at in alike:
        for key, inner in at.inner.items():
            keys.setdefault(key, []).append(inner)
    items = keys.pop(_ITEM, [])
    objects, members = sum(at.objects for at in alike), sum(at.members for at in alike)
    if len(keys) >= _MANY_KEYS and len(keys) * objects >= _MANY_TIMES * members:
        keys = {_ENTRY: [at for group in keys.values() for at in group]}
    if items:
        keys[_ITEM] = items
    for key, group in keys.items():
        yield from _flat((*place, key), group)


def texts_within(values: Iterable[Any]) -> list[str]:
    """Every text among the values, also those in lists and objects."""
    found: list[str] = []
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list | tuple | dict):
            waiting.extend(value.values() if isinstance(value, dict) else value)
    return found


def own_texts(column: pa.ChunkedArray) -> Any:
    """The column with the texts inside of its lists and objects in their place; as it is where it has none of these."""
    if pa.types.is_nested(column.type):
        return pa.chunked_array([leaf for chunk in column.chunks for leaf in _leaves(chunk)], pa.string())
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        return column
    nested = pc.fill_null(pc.match_substring_regex(column, r"\A(?s:\[.*\]|\{.*\})\z"), False)
    if not pc.any(nested).as_py():
        return column
    values = [_read(text) for text in column.filter(nested).to_pylist()]
    return pa.array([*column.filter(pc.invert(nested)).to_pylist(), *texts_within(values)], pa.string())


def _leaves(array: pa.Array) -> Iterator[pa.Array]:
    """The texts inside of an Arrow array, without a look at its other values: Python has not all of Arrow's moments."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        yield from _leaves(array.dictionary_decode())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        yield array.cast(pa.string())
    elif pa.types.is_struct(kind):
        for part in array.flatten():
            yield from _leaves(part)
    elif pa.types.is_map(kind):
        yield from _leaves(array.items)
    elif pa.types.is_nested(kind) and not pa.types.is_union(kind):
        yield from _leaves(array.flatten())


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
