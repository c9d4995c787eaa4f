"""Records with every value replaced and their structure kept. Called by `privacy.views`.

Keys of the records themselves are shown, as column names are. Deeper down an object may be a table of something, with
people's addresses for keys: there a key is shown only where many objects at the same path have it, else replaced.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from orchestrator.data.records import ABSENT, cell_of, table_of, value_of

_USUAL_OBJECTS = 5  # so many at least have a key that is shown,
_USUAL_SHARE = 0.05  # and this share of the objects at the same path
_DEEPEST = 30

KeyPath = tuple[str, ...]


def replace_values(table: pa.Table, scalar: Callable[[Any], Any], key: Callable[[str], str]) -> pa.Table:
    """The same record table with `scalar` of every value that is no list or object, and `key` of unusual keys."""
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    usual = _usual({name: [value_of(cell) for cell in cells] for name, cells in columns.items()})
    rows: list[dict[str, str | None]] = [{} for _ in range(table.num_rows)]
    for name, cells in columns.items():
        for row, cell in zip(rows, cells, strict=True):
            if cell != ABSENT:
                row[name] = cell_of(replace_value(value_of(cell), scalar, key, (name,), usual))
    return table_of(rows, table.column_names)


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
    """The paths of keys that many objects have."""
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
    least = {path: max(_USUAL_OBJECTS, _USUAL_SHARE * count) for path, count in objects.items()}
    return frozenset(path for path, count in having.items() if count >= least[path[:-1]])
