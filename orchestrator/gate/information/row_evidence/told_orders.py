"""Dates whose order another column tells: months first in the rows of the US branch. Called by settled_cells.py.

Of one column, `5/8` beside `28/8` and `8/28` may be May or August. Where all dates of the same branch that show their
order have the month first, it is May.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from orchestrator.gate.information.changes import Change, both_text
from orchestrator.gate.information.column_evidence.day_or_month import DATE, first_parts

ENOUGH = 3  # dates beside a value that show their order, all the same
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


class ToldOrders:
    """The dates of one column: those that show their order, and the order in which those of `rows` were read.

    They are read once, and not again for each column beside them.
    """

    def __init__(self, cells: Sequence[Change], rows: Sequence[int]) -> None:
        self._shown: list[tuple[int, str, str]] = []
        for row, (before, _) in enumerate(cells):
            parts = first_parts([before]) if isinstance(before, str) else {}
            self._shown += [(row, sign, first) for sign, found in parts.items() for first in found]
        read = ((row, _read(cells[row])) for row in rows)
        self._asked = [(row, *found) for row, found in read if found is not None]

    def rows(self, other: Sequence[Any]) -> list[int]:
        """Those of the rows whose date was read in the order that the dates beside the same value of `other` have."""
        if len(self._shown) < ENOUGH or not self._asked:
            return []
        orders: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row, sign, first in self._shown:
            if isinstance(beside := other[row], str):
                orders[beside, sign].append(first)
        told = {key: found[0] for key, found in orders.items() if len(found) >= ENOUGH and len({*found}) == 1}
        if not told:
            return []
        return [
            row
            for row, sign, firsts in self._asked
            if isinstance(other[row], str) and told.get((other[row], sign)) in firsts
        ]


def is_date(change: Change) -> bool:
    """Whether a date in parts becomes one that begins with its year."""
    return both_text(change) and DATE.match(change[0]) is not None and _ISO.match(change[1]) is not None


def _read(change: Change) -> tuple[str, tuple[str, ...]] | None:
    """The sign between the parts of the date, and what stands first in it where it became this date."""
    before, after = DATE.match(change[0]), _ISO.match(change[1])
    if before is None or after is None or not after[1].endswith(before[4]):
        return None
    wanted = int(after[2]), int(after[3])
    orders = (("month", before[1], before[3]), ("day", before[3], before[1]))
    return before[2], tuple(first for first, month, day in orders if (int(month), int(day)) == wanted)
