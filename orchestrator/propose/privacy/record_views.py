"""Records with every value replaced and their structure kept. Called by `privacy_view`.

An object may be a table of something, with people's names or numbers for keys. So a key is shown only if it looks like
a name of a field, and not like one of many entries: of the records themselves, unless there are many rare ones; deeper
down, where many objects at the same path have it and their keys do not vary.
"""

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import pyarrow as pa

from orchestrator.data.profile.header_check import is_value
from orchestrator.data.record_tables import ABSENT, cell_of, table_of, value_of
from orchestrator.propose.privacy.masking import HIDDEN

_USUAL_OBJECTS = 5  # so many at least have a key that is shown,
_USUAL_SHARE = 0.05  # and this share of the objects at the same path
_MANY_KEYS = 12  # so many different keys at one path vary,
_MANY_TIMES = 3  # if an object has only one of so many of them
_DEEPEST = 30

KeyPath = tuple[str, ...]


def replace_values(
    table: pa.Table, scalar: Callable[[Any], Any], key: Callable[[str], str], made: Collection[str] = ()
) -> pa.Table:
    """The same record table with `scalar` of every value that is no list or object, and `key` of unusual keys.

    `made`: keys that functions added; nothing of their values is kept.
    """
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    there = {name: sum(cell != ABSENT for cell in cells) for name, cells in columns.items()}
    shown = _of_records(there, table.num_rows) | _usual({n: list(map(value_of, cells)) for n, cells in columns.items()})
    usual = frozenset(path for path in shown if not is_value(path[-1]))
    names = {name: name if name in made or (name,) in usual else key(name) for name in columns}
    rows: list[dict[str, str | None]] = [{} for _ in range(table.num_rows)]
    for name, cells in columns.items():
        for row, cell in zip(rows, cells, strict=True):
            if cell != ABSENT:
                value = HIDDEN if name in made else replace_value(value_of(cell), scalar, key, (name,), usual)
                row[names[name]] = cell_of(value)
    return table_of(rows, dict.fromkeys(names.values()))


def replace_value(
    value: Any,
    scalar: Callable[[Any], Any],
    key: Callable[[str], str],
    path: KeyPath = (),
    usual: frozenset[KeyPath] = frozenset(),
) -> Any:
    """The same value with `scalar` of all that is no list or object in it, and `key` of keys at no usual path."""
    if not isinstance(value, list | dict):
        return scalar(value)
    if len(path) > _DEEPEST:
        return "…"
    if isinstance(value, list):
        return [replace_value(inner, scalar, key, (*path, "[]"), usual) for inner in value]
    return {
        name if (*path, name) in usual else key(name): replace_value(inner, scalar, key, (*path, name), usual)
        for name, inner in value.items()
    }


def _usual(columns: dict[str, list[Any]]) -> frozenset[KeyPath]:
    """The paths of keys inside of objects that many objects have."""
    objects: Counter[KeyPath] = Counter()
    having: Counter[KeyPath] = Counter()
    for name, values in columns.items():
        waiting: list[tuple[KeyPath, Any]] = [((name,), value) for value in values]
        while waiting:
            path, value = waiting.pop()
            if isinstance(value, list):
                waiting += [((*path, "[]"), inner) for inner in value if len(path) <= _DEEPEST]
            elif isinstance(value, dict) and len(path) <= _DEEPEST:
                objects[path] += 1
                for key, inner in value.items():
                    having[(*path, key)] += 1
                    waiting.append(((*path, key), inner))
    varying = _varying(objects, having)
    least = {path: max(_USUAL_OBJECTS, _USUAL_SHARE * count) for path, count in objects.items()}
    return frozenset(p for p, count in having.items() if p[:-1] not in varying and count >= least[p[:-1]])


def _varying(objects: Counter[KeyPath], having: Counter[KeyPath]) -> frozenset[KeyPath]:
    """The paths of objects that are tables of something: all together have many keys, and each has few of them."""
    keys = Counter(path[:-1] for path in having)
    total: Counter[KeyPath] = Counter()
    for path, count in having.items():
        total[path[:-1]] += count
    return frozenset(
        path
        for path, count in keys.items()
        if count >= _MANY_KEYS and count * objects[path] >= _MANY_TIMES * total[path]
    )


def _of_records(there: dict[str, int], records: int) -> frozenset[KeyPath]:
    """The keys of the records themselves; where they vary, only those that most records have."""
    many = len(there) >= _MANY_KEYS and len(there) * records >= _MANY_TIMES * sum(there.values())
    return frozenset((name,) for name, count in there.items() if not many or count * 2 > records)
