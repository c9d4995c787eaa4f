"""Numbers and truth values that stand as texts in a key of which most values are real ones. Called by the first pass.

No function can mend them: in a table of JSON rows `"37"` and `37` look alike. As in spreadsheets, they are counted;
also inside of lists and objects, where a place such as `items[].qty` is a key like others.
"""

import re
from typing import Any

from orchestrator.core.wording import counted
from orchestrator.data.text import clean_text

_NUMBER = re.compile(r"\s*-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?\s*", re.ASCII)
_TRUTHS = frozenset({"true", "false"})
_LONGEST, _FIRST = 26, frozenset("-0123456789tfTF ")
_SHOWN = 5  # keys
_PLACES, _LEVELS, _ITEMS = 500, 6, 100  # that are looked at: in the file, below a key, of one list


class _Place:
    """What stands under one key, or in the lists under it."""

    __slots__ = ("below", "label", "name", "numbers", "texts", "truths", "values")

    def __init__(self, name: str, label: str) -> None:
        self.name, self.label = name, label
        self.values = self.numbers = self.truths = 0
        self.texts: dict[str, tuple[int, int]] = {}  # by kind: how many, and the line of the first
        self.below: dict[str, _Place] = {}


class StoredAsTexts:
    """Counts the values of each key, line by line."""

    def __init__(self) -> None:
        self._places: list[_Place] = []
        self._top: dict[str, _Place] = {}

    def look(self, name: str, value: Any, line: int) -> None:
        """Count this value; null says nothing."""
        place = self._top.get(name) or self._made(name, name, "column ", self._top)
        if value is not None and place is not None:
            self._look(place, value, line, _LEVELS)

    def _made(self, key: str, name: str, label: str, among: dict[str, _Place]) -> _Place | None:
        if len(self._places) >= _PLACES and not label:
            return None
        self._places.append(place := _Place(name, label))
        among[key] = place
        return place

    def _look(self, place: _Place, value: Any, line: int, levels: int) -> None:
        place.values += 1
        if isinstance(value, str):
            if value[:1] in _FIRST and len(value) <= _LONGEST and (kind := _kind_of(value)):
                count, first = place.texts.get(kind, (0, line))
                place.texts[kind] = count + 1, first
        elif isinstance(value, bool):
            place.truths += 1
        elif isinstance(value, int | float):
            place.numbers += 1
        elif levels and isinstance(value, dict | list):
            pairs = value.items() if isinstance(value, dict) else (("", item) for item in value[:_ITEMS])
            for key, inner in pairs:
                if inner is None:
                    continue
                below = place.below.get(key)
                if below is None:
                    below = self._made(key, f"{place.name}.{key}" if key else f"{place.name}[]", "", place.below)
                if below is not None:
                    self._look(below, inner, line, levels - 1)

    def told(self) -> tuple[str, ...]:
        """A clause for each key with some of them among others that most values are."""
        clauses = []
        for place in self._places:
            for kind, (count, line) in place.texts.items():
                if 2 * (place.numbers if kind == "number" else place.truths) > place.values:
                    told = f"{counted(count, kind)} stored as text among others that are not (first in line {line:,})"
                    said = f"{place.label}'{clean_text(place.name, 40)}': {told}"
                    clauses.append(f"{said}: programs that read it do not take them for {kind}s")
        return tuple(clauses[:_SHOWN])


def _kind_of(text: str) -> str:
    if text.strip().lower() in _TRUTHS:
        return "truth value"
    return "number" if _NUMBER.fullmatch(text) else ""
