"""Dates whose order another column tells: months first in the rows of the US branch. Called by settled_cells.py.

Of one column, `5/8` beside `28/8` and `8/28` may be May or August. Where all dates of the same branch that show their
order have the month first, it is May.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from orchestrator.gate.information.changes import Change, both_text
from orchestrator.gate.information.column_evidence.day_or_month import DATE, first_parts

ENOUGH = 3  # dates beside a value that show their order, all the same
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def rows_of_told_orders(cells: Sequence[Change], other: Sequence[Any], rows: Sequence[int]) -> list[int]:
    """Those of the rows whose date was read in the order that the dates beside the same value of `other` have."""
    orders: dict[tuple[Any, str], Counter[str]] = defaultdict(Counter)
    for (before, _), beside in zip(cells, other, strict=True):
        if isinstance(before, str) and isinstance(beside, str):
            for sign, found in first_parts([before]).items():
                orders[beside, sign] += found
    return [row for row in rows if _read(cells[row], other[row], orders)]


def is_date(change: Change) -> bool:
    """Whether a date in parts becomes one that begins with its year."""
    return both_text(change) and DATE.match(change[0]) is not None and _ISO.match(change[1]) is not None


def _read(change: Change, beside: Any, orders: dict[tuple[Any, str], Counter[str]]) -> bool:
    before, after = DATE.match(change[0]), _ISO.match(change[1])
    if before is None or after is None:
        return False
    found = orders.get((beside, before[2]), Counter())
    if len(found) != 1 or found.total() < ENOUGH:
        return False
    month, day = (before[1], before[3]) if "month" in found else (before[3], before[1])
    return (int(month), int(day)) == (int(after[2]), int(after[3])) and after[1].endswith(before[4])
