"""What the values of a sheet's columns are: numbers, dates, truth values, texts. Called by `excel_reader`.

A number or a date that is stored as text looks like the others, and sums and sorting leave it out: those are counted.
"""

import re
from collections import Counter
from typing import Any

from orchestrator.data.formats.excel.sheet_scan import letters
from orchestrator.data.formats.excel.sheet_values import is_decimal, is_number

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?", re.ASCII)
_CODE = re.compile(r"0\d+", re.ASCII)
_DIGIT = re.compile(r"-?\d", re.ASCII)


class ColumnKinds:
    """Counts them in one pass. `first`, `last`: the columns of the table, from 1."""

    def __init__(self, first: int, last: int) -> None:
        self._first = first
        self._kinds: list[Counter[str]] = [Counter() for _ in range(first, last + 1)]
        self._as_texts: dict[tuple[int, str], tuple[int, str]] = {}  # by place and kind: how many, and the first cell

    def look(self, row: int, place: int, kind: str, text: str) -> None:
        """Count this value (n, d, b or t) of the column at that place of the table."""
        self._kinds[place][kind] += 1
        if kind == "t" and (like := _kind_of(text.strip())):
            count, cell = self._as_texts.get((place, like), (0, f"{letters(self._first + place)}{row}"))
            self._as_texts[place, like] = count + 1, cell

    def said(self) -> dict[str, Any]:
        """For the summary. `as_texts`: by place, how many texts look like most values, and the cell of the first.

        Among numbers, texts with zeros in front are codes: then all texts may be meant as such.
        """
        mostly = [max(found, key=found.__getitem__, default="") for found in self._kinds]
        found = {
            str(place): [*said]
            for (place, kind), said in self._as_texts.items()
            if kind == mostly[place] and not (kind == "n" and (place, "code") in self._as_texts)
        }
        return {"kinds": ["".join(sorted(found)) for found in self._kinds], "mostly": mostly, "as_texts": found}


def _kind_of(text: str) -> str:
    """What a text would be as another value: n, d, b, or a code; empty for none of these."""
    if text in ("TRUE", "FALSE"):
        return "b"
    if not _DIGIT.match(text):
        return ""
    if _CODE.fullmatch(text):
        return "code"
    return "d" if _DATE.fullmatch(text) else "n" if is_number(text) or is_decimal(text) else ""
