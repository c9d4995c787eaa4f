"""Times that passed without their hours: "58:42" → "00:58:42" among "01:02:10".

Only where nearly all cells have hours, and no cell of two parts can be hours and minutes: its first number is larger
than any hour of the column and of a day, and as minutes and seconds it is no shorter than half of the shortest time of
the others.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MOST, _NEARLY_ALL = 0.6, 0.95  # of the cells have hours; of the cells are times
_DIFFERENT = 5  # times with hours
_LAST_HOUR = 24  # of a day, which may end so
_WHOLE = re.compile(r"(\d{1,2}):([0-5]\d):([0-5]\d)")
_SHORT = re.compile(r"([0-5]?\d):([0-5]\d)")


def _with_hours(value: str, most: int, width: int) -> str:
    """Minutes and seconds with hours before them, where the minutes are more than the `most` hours."""
    found = re.fullmatch(r"([0-5]?[0-9]):([0-5][0-9])", value)
    return f"{'0' * width}:{found[1]:0>2}:{found[2]}" if found and int(found[1]) > most else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: ":" in text):
        return None
    whole = {text: found for text in column.counts if (found := _WHOLE.fullmatch(text))}
    short = {text: found for text in column.counts if (found := _SHORT.fullmatch(text))}
    rows = sum(map(column.counts.__getitem__, whole))
    known = rows + sum(map(column.counts.__getitem__, short))
    if not short or len(whole) < _DIFFERENT or rows < _MOST * column.filled or known < _NEARLY_ALL * column.filled:
        return None
    most = max(_LAST_HOUR, *(int(found[1]) for found in whole.values()))
    least = min(3600 * int(found[1]) + 60 * int(found[2]) + int(found[3]) for found in whole.values())
    if any(int(found[1]) <= most or 2 * (60 * int(found[1]) + int(found[2])) < least for found in short.values()):
        return None
    width = 1 if any(len(found[1]) == 1 for found in whole.values()) else 2
    return RuleFinding({"most": most, "width": width}, words={"example": _with_hours("59:30", most, width)})


RULE = RepairRule(
    name="hours_of_times_in_{columns}",
    issue="Some times in {columns} lack their hours.",
    doc="Write times that passed like {example!r}.",
    fix=_with_hours,
    look=_look,
    imports=("re",),
)
