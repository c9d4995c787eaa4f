"""Dates that are read in another order than witnesses show: `15/11/2022` with its day first, where 4/3 is April.

Called by character_laws.py. A date that can be of one month only is no proof that its parts stand in that order: the
next one like it can be of two.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column_evidence.day_or_month import DATE, MONTHS, first_parts, read_date, usual_first

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")


def other_order_than_shown(changed: Sequence[Change], cells: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """Where all witnesses of dates with one sign read them in one order, as most cells have it, one has the other.

    In a column of both orders the witnesses say only how those are read that can be of two months.
    """
    orders: dict[str, set[bool]] = defaultdict(set)
    for change in shown:
        if (found := _month_first(*change)) is not None:
            orders[found[0]].add(found[1])
    usual = first_parts(one for one, _ in cells if isinstance(one, str)) if orders else {}
    for before, after in changed if orders else ():
        read = _month_first(before, after)
        if read is None or orders.get(read[0]) != {not read[1]}:
            continue
        if usual_first(usual[read[0]]) == ("day" if read[1] else "month"):
            return "a date is read in another order of its parts than the examples show", (before, after)
    return None


def _month_first(before: str, after: str) -> tuple[str, bool] | None:
    """The sign between the parts of a date, and whether the first of them became the month."""
    if (read := read_date(before, after)) is not None:
        return read.sign, read.month_first
    date, made = DATE.fullmatch(before), _ISO.match(after)
    if date is None or made is None or not made[1].endswith(date[4]):
        return None
    parts, now = (int(date[1]), int(date[3])), (int(made[2]), int(made[3]))
    if parts[0] == parts[1] or sorted(parts) != sorted(now) or max(parts) <= MONTHS:
        return None
    return date[2], parts == now
