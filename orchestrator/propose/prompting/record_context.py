"""What a model is told of records: some of them as natural JSON, and a profile of every place in them. For
`prompt_context`.

A place is written as a path: `address.city` is a key of an object, `tags[]` stands for the items of a list. What is
shown is bounded, however large or deep the records are.
"""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from orchestrator.data.record_tables import records_of
from orchestrator.propose.prompting.column_profile import (
    PROFILED_ROWS,
    TRUE_TYPE,
    counted,
    in_a_line,
    of_patterns,
    plain,
)
from orchestrator.propose.prompting.fencing import Json

if TYPE_CHECKING:
    import pyarrow as pa

_DEEPEST = 8  # levels that are shown
_MOST_ITEMS = 12  # of one list
_PROFILED_ITEMS = 100  # of one list
_KINDS = {str: "text", bool: "bool", int: "int", float: "float", list: "list", dict: "object", type(None): "null"}


def natural(rows: "pa.Table", chosen: Sequence[int], *, max_chars: int, most: int) -> list[Json]:
    """The chosen records as JSON values, about `most` of each; what is long, wide or deep is cut and says so."""
    return [_Cut(max_chars, most).value(record, 0) for row in chosen for record in records_of(rows.slice(row, 1))]


def as_json(value: Any, *, max_chars: int, most: int = 60) -> Json:
    """A value with all that is in it as JSON, about `most` of it; what is long, wide or deep is cut and says so."""
    return _Cut(max_chars, most).value(value, 0)


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
    """All values that stand at one path. `within`: the path of the objects that could have the key.

    The record itself has the path None. `item`: the values are items of lists, and nothing can be missing.
    """

    within: str | None
    outermost: str
    item: bool = False
    kinds: Counter[str] = field(default_factory=Counter)
    scalars: list[Any] = field(default_factory=list)


def record_profile(
    rows: "pa.Table",
    *,
    max_chars: int,
    max_values: int,
    max_places: int,
    deep: bool,
    full: Collection[str],
) -> list[Json]:
    """Per place: the kinds of its values, in how many objects the key is missing, values and patterns as of a column.

    `deep`: also the places in lists and objects. The places that most records have come first. `full`: the outermost
    keys of which all is told; the places of the others get a line.
    """
    places: dict[str, _Place] = {}
    objects: Counter[str | None] = Counter()
    for record in records_of(rows.slice(0, PROFILED_ROWS)):
        _walk(record, places, objects, _DEEPEST if deep else 1)
    hidden = any(f.metadata and TRUE_TYPE in f.metadata for f in rows.schema)  # patterns stand for the values
    known = sorted(places.items(), key=lambda item: -sum(item[1].kinds.values()))
    described: list[Json] = []
    for path, place in known[:max_places]:
        about: dict[str, Json] = {"place": plain(path, max_chars), "kinds": dict(place.kinds)}
        if not place.item and (lacking := objects[place.within] - sum(place.kinds.values())) > 0:
            about["missing"] = lacking
        matters = place.outermost in full
        if hidden:
            about["kinds"] = {kind: number for kind, number in place.kinds.items() if kind != "text"}
            about |= of_patterns(place.scalars, full=matters) if place.scalars else {}
        elif place.scalars and matters:
            about |= counted(place.scalars, max_chars, max_values)
        elif place.scalars:
            about |= in_a_line(place.scalars, max_chars, max_values)
        described.append(about)
    if len(known) > max_places:
        described.append({"places_not_shown": len(known) - max_places})
    return described


def _walk(record: dict[str, Any], places: dict[str, _Place], objects: Counter[str | None], levels: int) -> None:
    """Enter everything in a record, down to so many levels."""
    waiting: list[tuple[str | None, str, Any, int]] = [(None, "", record, levels)]
    while waiting:
        path, outermost, value, left = waiting.pop()
        if left and isinstance(value, dict):
            objects[path] += 1
            inner = [(name if path is None else f"{path}.{name}", one) for name, one in value.items()]
        elif left and isinstance(value, list):
            inner = [(f"{path}[]", one) for one in value[:_PROFILED_ITEMS]]
        else:
            continue
        for place, one in inner:
            within = _Place(path, place if path is None else outermost, item=isinstance(value, list))
            _enter(places.setdefault(place, within), one)
        waiting += [(place, place if path is None else outermost, one, left - 1) for place, one in reversed(inner)]


def _enter(place: _Place, value: Any) -> None:
    place.kinds[_KINDS[type(value)]] += 1
    if value is not None and not isinstance(value, list | dict):
        place.scalars.append(value if isinstance(value, str) else json.dumps(value))
