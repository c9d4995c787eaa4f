"""Dates whose month is known and comes to stand where the dates that stay have the day. Called by character_laws.py.

`2003-05-19` and `14 avril 2021` say which part is the month; beside `28.02.1961` the day comes first.
"""

import datetime as dt
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column_evidence.day_or_month import DATE, first_parts, usual_first
from orchestrator.gate.information.value_kinds.moments import moments


def month_in_place_of_day(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A date that gets the sign of the dates that stay, and its parts in another order than they have."""
    made = [(change, date) for change in changed if (date := DATE.fullmatch(change[1])) and not DATE.match(change[0])]
    kept = first_parts(one for one, other in cells if one == other and isinstance(one, str)) if made else {}
    for change, date in made:
        first = usual_first(kept.get(date[2], Counter()))
        days = {day for kind, day, *_ in moments(change[0]) if kind == "day" and isinstance(day, dt.date)}
        parts = int(date[1]), int(date[3])
        wanted = [(day.day, day.month) if first == "day" else (day.month, day.day) for day in days]
        if first and len(wanted) == 1 and parts != wanted[0] and parts == wanted[0][::-1]:
            return "the month of a date comes to stand where the other dates have the day, or the day for it", change
    return None
