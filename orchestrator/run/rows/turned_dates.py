"""Dates that a function reads in another order than this file writes them. Called while functions are applied.

`06/04/2013` may be of April or of June. A function that was proved on days first goes on reading the day first where
next month's file has the months first: no law fails, no form is new. What tells it is the file's own dates with a day
above 12, by the rules by which the gate judges the function (`gate.information.column_evidence.day_or_month`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import as_text
from orchestrator.gate.information.column_evidence.day_or_month import first_parts, read_date, usual_first

_OTHER = {"day": "month", "month": "day"}
_LIKE_DATES = r"^\s*\d{1,2}[/.-]\d{1,2}[/.-]\d"


class TurnedDates(NamedTuple):
    """How many there are, and the first one as it was and as it is. `usual`: what most dates of the file have first.

    `usual` is empty where too many have the one first and too many the other. `after` is empty where the dates were
    left: they have the other order than those that were read, and `usual` is what these have first.
    """

    cells: int
    before: str
    after: str
    usual: str

    @property
    def said(self) -> str:
        """One clause about them."""
        if not self.after:
            left = f"dates are left that have the {_OTHER[self.usual]} first, such as {self.before!r}"
            return f"{left}: of those that were read with the {self.usual} first some may have it second, too"
        order = f"most others have the {self.usual} first" if self.usual else "some others have the other order"
        return f"dates may be read in the wrong order, such as {self.before!r} as {self.after!r}: {order}"


def turned_dates(before: pa.ChunkedArray, after: pa.ChunkedArray, mask: Any) -> TurnedDates | None:
    """Those of one column and batch; None where there are none. `mask`: `bool[n_cells]`, the changed cells."""
    texts = as_text(before)
    like = pc.fill_null(pc.match_substring_regex(texts, _LIKE_DATES), False)
    changed = pc.and_(like, pa.array(mask))
    if not pc.any(changed).as_py():
        return None
    usual = {sign: usual_first(firsts) for sign, firsts in first_parts(texts.filter(like).to_pylist()).items()}
    pairs = zip(texts.filter(changed).to_pylist(), as_text(after).filter(changed).to_pylist(), strict=True)
    found: list[TurnedDates] = []
    orders: dict[str, set[str]] = {}
    for one, other in pairs:
        read = read_date(one, other or "")
        if read is None:
            continue
        first = "month" if read.month_first else "day"
        orders.setdefault(read.sign, set()).add(first)
        if read.sign in usual and usual[read.sign] != first:
            found.append(TurnedDates(0, one, other, usual[read.sign]))
    if found:
        return found[0]._replace(cells=len(found))
    return _left(texts.filter(pc.and_not(like, changed)).to_pylist(), orders)


def _left(texts: Sequence[str], orders: Mapping[str, set[str]]) -> TurnedDates | None:
    """The dates that were not changed and can only have the other order than the one in which all were read."""
    for sign, firsts in orders.items():
        if len(firsts) == 1:
            read = next(iter(firsts))
            other = [text for text in texts if first_parts([text]).get(sign, Counter())[_OTHER[read]]]
            if other:
                return TurnedDates(len(other), other[0], "", read)
    return None
