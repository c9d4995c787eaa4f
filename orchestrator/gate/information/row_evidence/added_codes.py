"""Codes of an added column that are built as no shown one is: with fewer figures, or with figures at all.

For added_concerns.py. A zero in front shows that all are as long: `02108` that 3110 is no such code.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

SEVERAL = 2  # different cells that show how a column is built
LONGEST = 60  # characters of a cell that is looked at
_FIGURES = re.compile(r"(\d+)(?:\W.*)?")
_FIGURE = re.compile(r"\d")
NO_FIGURES, ALL_AS_LONG = (
    "figures stand in a cell, and in none that is shown",
    "a code has another length than those shown",
)


class ShownCodes:
    """How the cells of a column are built that examples show."""

    def __init__(self, shown: Iterable[Any]) -> None:
        texts = {one for one in shown if isinstance(one, str) and one.strip() and len(one) <= LONGEST}
        self._words = len(texts) >= SEVERAL and not any(map(_FIGURE.search, texts))
        found = [_FIGURES.fullmatch(one.strip()) for one in texts]
        fronts = {match[1] for match in found if match}
        as_long = len(fronts) >= SEVERAL and all(found) and len({*map(len, fronts)}) == 1
        self._length = (
            len(min(fronts)) if as_long and any(one.startswith("0") and len(one) > 1 for one in fronts) else 0
        )

    def first_other(self, made: Sequence[Any]) -> tuple[int, str] | None:
        """The first cell that is built otherwise, and how."""
        for row, cell in enumerate(made):
            text = cell.strip() if isinstance(cell, str) and len(cell) <= LONGEST else ""
            if self._words and _FIGURE.search(text):
                return row, NO_FIGURES
            front = _FIGURES.fullmatch(text) if self._length else None
            if front and len(front[1]) != self._length:
                return row, ALL_AS_LONG
        return None
