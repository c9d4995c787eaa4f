"""Dates, times, flags and bytes that become other ones. Called by laws.py, and by emptied.py for moments as numbers.

Texts and numbers have laws of their own. Here any other value is another meaning, unless a witness shows such a change:
of a moment, one in which the same parts change or which lies as far from what it was.
"""

import datetime as dt
from typing import Any

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.null_tokens import is_missing

_NAMES = {  # the more special kind first: a time stamp is a date, too
    dt.datetime: "a time stamp",
    dt.date: "a date",
    dt.time: "a time of day",
    dt.timedelta: "a duration",
    bool: "a flag",
    bytes: "a value of bytes",
}
_PARTS = {
    **{part: part for part in ("year", "month", "day", "hour", "minute", "second", "tzinfo")},
    "microsecond": "second",
    "nanosecond": "second",
}
_DAY = 86_400 * 10**6


def other_value(column: Column) -> Found | None:
    """The first such change that no witness shows."""
    shown = [change for change in column.witnesses if _is_other(change)]
    for change in column.changed:
        if _is_other(change) and not any(_such(change, one) for one in shown):
            return f"{_kind(change[0])} becomes another one", change
    return None


def microseconds(value: Any) -> int | None:
    """Of a date or time stamp, as its own clock shows it, since the first day of year 1; None for anything else."""
    if not isinstance(value, dt.date) or is_missing(value) or value != value:  # noqa: PLR0124 - pandas' NaT
        return None
    if not isinstance(value, dt.datetime):
        return value.toordinal() * _DAY
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    return value.toordinal() * _DAY + seconds * 10**6 + value.microsecond


def _kind(value: Any) -> str:
    return next((name for kind, name in _NAMES.items() if isinstance(value, kind)), "")


def _is_other(change: Change) -> bool:
    before, after = change
    kind = _kind(before)
    return kind != "" and kind == _kind(after) and bool(before != after)


def _such(change: Change, shown: Change) -> bool:
    """Whether what a witness shows is a change of the kind."""
    if _kind(change[0]) != _kind(shown[0]):
        return False
    if isinstance(change[0], bool):
        return change == shown
    step = _step(change)
    return (step is not None and step == _step(shown)) or _changed_parts(change) <= _changed_parts(shown)


def _step(change: Change) -> int | None:
    one, other = map(microseconds, change)
    return None if one is None or other is None else other - one


def _changed_parts(change: Change) -> set[str]:
    before, after = change
    return {whole for part, whole in _PARTS.items() if getattr(before, part, None) != getattr(after, part, None)}
