"""Which texts are written as numbers: those that a function made in keys of which most values are numbers.

Used by the JSON writers, and copied into exported files by `registry.export`, so it imports nothing of this package.
As in spreadsheets: `549 kg` among numbers becomes 549, as the others are, and not "549". A key of which a text is a
code with zeros in front keeps its texts: there figures are names.
"""

import re
from typing import Any

_WRITTEN = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?", re.ASCII)
_ZEROS_IN_FRONT = re.compile(r"\s*0[0-9]+\s*", re.ASCII)
_EXACT_DIGITS = 15  # of a number with decimals


class NumericKeys:
    """Counts what the values of each key are, in the first pass over a file."""

    def __init__(self) -> None:
        self._more_numbers: dict[str, int] = {}
        self._codes: set[str] = set()

    def look(self, name: str, value: Any) -> None:
        """Count this value; null says nothing."""
        if value is None:
            return
        number = isinstance(value, int | float) and not isinstance(value, bool)
        self._more_numbers[name] = self._more_numbers.get(name, 0) + (1 if number else -1)
        if isinstance(value, str) and _ZEROS_IN_FRONT.fullmatch(value):
            self._codes.add(name)

    def names(self) -> frozenset[str]:
        """The keys of which most values are numbers, and none is a code."""
        return frozenset(name for name, more in self._more_numbers.items() if more > 0) - self._codes


def number_or_text(cell: Any, before: Any) -> Any:
    """A changed cell of such a key: a number where a text, or nothing, became one that is written plainly."""
    if not isinstance(cell, str) or not (before is None or isinstance(before, str)) or not _WRITTEN.fullmatch(cell):
        return cell
    if "." not in cell:
        return cell if cell == "-0" else int(cell)
    return float(cell) if sum(sign.isdigit() for sign in cell) <= _EXACT_DIGITS else cell
