"""Days that no calendar has: `2024-04-03` as `2024-04-31`. Called by laws.py."""

import calendar
import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found

_DATE = re.compile(r"(\d{4})-(0[1-9]|1[0-2])-(29|30|31)(?!\d)")
_GROUP = re.compile(r"\d+")


def no_such_day(changed: Sequence[Change]) -> Found | None:
    """A date that a function makes up beyond the end of its month. One that stood there wrong stays as it was."""
    for before, after in changed:
        found = _DATE.match(after.strip())
        if found is None or int(found[1]) == 0:
            continue
        last = calendar.monthrange(int(found[1]), int(found[2]))[1]
        if int(found[3]) > last and found[3] not in _GROUP.findall(before) and found[0] not in before:
            return "a date becomes a day that its month does not have", (before, after)
    return None
