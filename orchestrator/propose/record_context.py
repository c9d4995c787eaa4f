"""What a model is told of records: some of them as natural JSON, and a profile of every place in them. For `context`.

A place is written as a path: `address.city` is a key of an object, `tags[]` stands for the items of a list. What is
shown is bounded, however large or deep the records are.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from orchestrator.data.records import records_of
from orchestrator.propose.columns import BY_VALUE, PROFILED_ROWS, TRUE_TYPE, counted, plain
from orchestrator.propose.fencing import Json

if TYPE_CHECKING:
    import pyarrow as pa

_DEEPEST = 8  # levels that are shown
_MOST_ITEMS = 12  # of one list
_PROFILED_ITEMS = 100  # of one list
_KINDS = {str: "text", bool: "bool", int: "int", float: "float", list: "list", dict: "object", type(None): "null"}


def natural(rows: "pa.Table", chosen: Sequence[int], *, max_chars: int, most: int) -> list[Json]:
    """The chosen records as JSON values, about `most` of each; what is long, wide or deep is cut and says so."""
    return [_Cut(max_chars, most).value(record, 0) for row in chosen for record in records_of(rows.slice(row, 1))]


class _Cut:
    """Cuts one record down to what is shown of it."""

    def __init__(self, max_chars: int, most: int) -> None:
        self._max_chars = max_chars
        self._left = most

    def value(self, value: Any, depth: int) -> Json:
        self._left -= 1
        if not isinstance(value, list | dict):
            return plain(value, self._max_chars)
        if depth >= _DEEPEST or self._left <= 0:
            return plain(json.dumps(value, ensure_ascii=False), self._max_chars)
        if isinstance(value, list):
            items: list[Json] = [self.value(item, depth + 1) for item in value[: min(_MOST_ITEMS, self._left)]]
            return [*items, f"… [{len(value)} items in all]"] if len(items) < len(value) else items
        members = list(value.items())[: self._left]
        made: dict[str, Json] = {str(plain(k, self._max_chars)): self.value(item, depth + 1) for k, item in members}
        return {**made, "…": f"[{len(value)} keys in all]"} if len(made) < len(value) else made


@dataclass
class _Place:
    """All values that stand at one path. `within`: the path of the objects that have the key; None for items."""

    within: str | None
    kinds: Counter[str] = field(default_factory=Counter)
    scalars: list[Any] = field(default_factory=list)


def record_profile(rows: "pa.Table", *, max_chars: int, max_values: int, max_places: int, deep: bool) -> list[Json]:
    """Per place: the kinds of its values, in how many objects the key is missing, values and patterns as of a column.

    `deep`: also the places in lists and objects. The places that most records have come first.
    """
    places: dict[str, _Place] = {}
    objects: Counter[str] = Counter()
    for record in records_of(rows.slice(0, PROFILED_ROWS)):
        _walk(record, "", None, places, objects, _DEEPEST if deep else 1)
    hidden = any(f.metadata and TRUE_TYPE in f.metadata for f in rows.schema)  # patterns stand for the values
    known = sorted(places.items(), key=lambda item: -sum(item[1].kinds.values()))
    told: list[Json] = []
    for path, place in known[:max_places]:
        about: dict[str, Json] = {"place": plain(path, max_chars), "kinds": dict(place.kinds)}
        if place.within is not None and (lacking := objects[place.within] - sum(place.kinds.values())):
            about["missing"] = lacking
        if place.scalars:
            about |= counted(place.scalars, max_chars, max_values)
        if hidden:
            about["kinds"] = {kind: number for kind, number in place.kinds.items() if kind != "text"}
            about = {name: what for name, what in about.items() if name not in BY_VALUE}
        told.append(about)
    if len(known) > max_places:
        told.append({"places_not_shown": len(known) - max_places})
    return told


def _walk(
    value: Any, path: str, within: str | None, places: dict[str, _Place], objects: Counter[str], levels: int
) -> None:
    """Enter a value and what is in it. The record itself stands at the path ""."""
    if path:
        place = places.setdefault(path, _Place(within))
        place.kinds[_KINDS[type(value)]] += 1
        if value is not None and not isinstance(value, list | dict):
            place.scalars.append(value if isinstance(value, str) else json.dumps(value))
    if levels and isinstance(value, dict):
        objects[path] += 1
        for key, inner in value.items():
            _walk(inner, f"{path}.{key}" if path else key, path, places, objects, levels - 1)
    elif levels and isinstance(value, list):
        for inner in value[:_PROFILED_ITEMS]:
            _walk(inner, f"{path}[]", None, places, objects, levels - 1)
