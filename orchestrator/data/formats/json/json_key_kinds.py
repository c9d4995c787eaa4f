"""Which texts are written as numbers or truth values: those that a function made in keys of which most values are such.

Used by the JSON writers, and copied into exported files by `registry.export`, so it imports nothing of this package.
As in spreadsheets: `549 kg` among numbers becomes 549, as the others are, and not "549"; `yes` among truth values
becomes true, and not "true"; `N/A` that is blank afterwards becomes null. A key of which a text is a code with zeros in
front keeps its texts: there figures are names.
"""

import re
from typing import Any

_WRITTEN = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?", re.ASCII)
_ZEROS_IN_FRONT = re.compile(r"\s*0[0-9]+\s*", re.ASCII)
_EXACT_DIGITS = 15  # of a number with decimals
_TRUTHS = {"true": True, "false": False}


class KeyKinds:
    """Counts what the values of each key are, in the first pass over a file."""

    def __init__(self) -> None:
        self._values: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._truths: dict[str, int] = {}
        self._codes: set[str] = set()

    def look(self, name: str, value: Any) -> None:
        """Count this value; null says nothing."""
        if value is None:
            return
        self._values[name] = self._values.get(name, 0) + 1
        if isinstance(value, bool):
            self._truths[name] = self._truths.get(name, 0) + 1
        elif isinstance(value, int | float):
            self._numbers[name] = self._numbers.get(name, 0) + 1
        elif isinstance(value, str) and _ZEROS_IN_FRONT.fullmatch(value):
            self._codes.add(name)

    def found(self) -> dict[str, type]:
        """float for keys of which most values are numbers and none is a code, bool for those of truth values."""
        numeric = {name: float for name in self._most(self._numbers) if name not in self._codes}
        return {**numeric, **dict.fromkeys(self._most(self._truths), bool)}

    def _most(self, counts: dict[str, int]) -> list[str]:
        return [name for name, count in counts.items() if 2 * count > self._values[name]]


def as_the_others(cell: Any, before: Any, kind: type | None) -> Any:
    """A changed cell of a key of that kind: a number or truth value where a text, or nothing, became one.

    Null where a text became blank: among numbers it stood for nothing.
    """
    if not isinstance(cell, str) or not (before is None or isinstance(before, str)):
        return cell
    if kind is not None and not cell and before is not None:
        return None
    if kind is bool:
        return _TRUTHS.get(cell, cell)
    if kind is not float or not _WRITTEN.fullmatch(cell):
        return cell
    if "." not in cell:
        return cell if cell == "-0" else int(cell)
    return float(cell) if sum(sign.isdigit() for sign in cell) <= _EXACT_DIGITS else cell
