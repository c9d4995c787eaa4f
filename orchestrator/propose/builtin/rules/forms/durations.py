"""Durations in hours and minutes where most cells have minutes: "1 hr. 45 min." and "1h 45m" → "105 min".

Left alone: columns that write most durations in hours, and hours without minutes in figures (`1.5 h`), which the rule
on numbers knows.
"""

import re
from collections import Counter
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MAJORITY = 0.6
_MINUTES = re.compile(r"(\d{1,4})(?: ?(?:m|min|mins|minute|minutes)\.?)?", re.IGNORECASE)
_NAMES = frozenset({"min", "mins", "minute", "minutes"})


def _in_minutes(value: str, style: str) -> str:
    """Hours and minutes as minutes, in the style with 1 in place of the number; any other text as it is."""
    hours, minutes = r"(\d{1,2}) ?(?:h|hr|hrs|hour|hours)\.?,?", r"(\d{1,2}) ?(?:m|min|mins|minute|minutes)\.?"
    found = re.fullmatch(rf"{hours}(?: ?(?:and )?{minutes})?", value, re.ASCII | re.IGNORECASE)
    if found is None or int(found[2] or 0) > 59:
        return value
    return style.replace("1", str(60 * int(found[1]) + int(found[2] or 0)))


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: _MINUTES.fullmatch(text) is not None):
        return None
    styles = Counter[str]()
    for text, count in column.counts.items():
        if (found := _MINUTES.fullmatch(text)) is not None:
            styles[text.replace(found[1], "1", 1)] += count
    style, rows = styles.most_common(1)[0]
    if rows < _MAJORITY * column.filled or (style == "1" and _NAMES.isdisjoint(words_of(column.name))):
        return None
    settings: dict[str, Any] = {"style": style}
    if all(_in_minutes(text, **settings) == text for text in column.counts):
        return None
    return RuleFinding(settings, words={"example": style.replace("1", "105")})


RULE = RepairRule(
    name="minutes_in_{columns}",
    issue="Some durations of {columns} are in hours and minutes, not like {example!r}.",
    doc="Write durations like {example!r}.",
    fix=_in_minutes,
    look=_look,
    imports=("re",),
)
