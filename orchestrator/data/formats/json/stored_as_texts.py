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


class StoredAsTexts:
    """Counts the values of each key, line by line."""

    def __init__(self) -> None:
        self._real: dict[tuple[str, str], int] = {}
        self._values: dict[str, int] = {}
        self._inner: set[str] = set()  # places inside of lists and objects
        self._texts: dict[tuple[str, str], tuple[int, int]] = {}  # how many, and the line of the first

    def look(self, name: str, value: Any, line: int, level: int = 0) -> None:
        """Count this value; null says nothing."""
        if value is None or (level and name not in self._values and len(self._values) >= _PLACES):
            return
        if level:
            self._inner.add(name)
        if isinstance(value, dict | list) and level < _LEVELS:
            members = value.items() if isinstance(value, dict) else (("", item) for item in value[:_ITEMS])
            for key, inner in members:
                self.look(f"{name}.{key}" if key else f"{name}[]", inner, line, level + 1)
        self._values[name] = self._values.get(name, 0) + 1
        if isinstance(value, str):
            if value[:1] in _FIRST and len(value) <= _LONGEST and (kind := _kind_of(value)):
                count, first = self._texts.get((name, kind), (0, line))
                self._texts[name, kind] = count + 1, first
        elif isinstance(value, bool | int | float):
            kind = "truth value" if isinstance(value, bool) else "number"
            self._real[name, kind] = self._real.get((name, kind), 0) + 1

    def told(self) -> tuple[str, ...]:
        """A clause for each key with some of them among others that most values are."""
        clauses = []
        for (name, kind), (count, line) in self._texts.items():
            if 2 * self._real.get((name, kind), 0) > self._values[name]:
                told = f"{counted(count, kind)} stored as text among others that are not (first in line {line:,})"
                place = f"{'' if name in self._inner else 'column '}'{clean_text(name, 40)}'"
                clauses.append(f"{place}: {told}: programs that read it do not take them for {kind}s")
        return tuple(clauses[:_SHOWN])


def _kind_of(text: str) -> str:
    if text.strip().lower() in _TRUTHS:
        return "truth value"
    return "number" if _NUMBER.fullmatch(text) else ""
