"""What the gate suspects where cells are numbers or flags, or become some. Called by laws.py."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from orchestrator.gate.information.changes import Change, Found, both_text
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.information.similarity import NO, YES, key
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.moments import moments
from orchestrator.gate.information.value_kinds.number_parsing import apart, loses_precision, reading
from orchestrator.gate.information.value_kinds.rounding import PLACE

_DECIMALS = re.compile(r"\d[.,](\d{1,2})(?!\d)")
SINCE = 100_000_000  # seconds: a smaller number is none of them


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool) and not is_missing(value)


def precision_lost(column: Column) -> Found | None:
    if any(loses_precision(*change) for change in column.witnesses):
        return None
    bounds = [(one, other) for one, other in column.witnesses if is_number(one) and is_number(other) and one != other]
    lost = (one for one in column.changed if loses_precision(*one))
    lost = (one for one in lost if not (_unit_written(one) or _is_cut(one, bounds)))
    rounded = next((one for one in lost if not _rounded_as_converted(one, column.witnesses)), None)
    return None if rounded is None else ("a number loses precision", rounded)


def _rounded_as_converted(change: Change, shown: Sequence[Change]) -> bool:
    """Whether it is rounded to the places that all numbers have which witnesses convert to its unit.

    `120 PS` as `88 kW` shows `209.7 kW` as `210 kW`.
    """
    before, after = map(reading, change)
    if not both_text(change) or before is None or after is None:
        return False
    converted = [other for one, other in filter(both_text, shown) if words(one) and words(one) != words(other)]
    places = {_places_of_text(other) for other in converted if words(other) == words(change[1]) != ()}
    return places == {_places_of_text(change[1])} and abs(before - after) <= PLACE.scaleb(-_places_of_text(change[1]))


def _places_of_text(text: str) -> int:
    found = _DECIMALS.search(text)
    return len(found[1]) if found else 0


def _is_cut(change: Change, bounds: Sequence[Change]) -> bool:
    """Whether a number becomes one that witnesses show of others, which lie further off on the same side."""
    before, after = map(reading, change)
    ends = [(reading(one), reading(other)) for one, other in bounds]
    if before is None or after is None:
        return False
    return any(one and other == after and 0 < (before - after) / (one - after) <= 1 for one, other in ends)


def _unit_written(change: Change) -> bool:
    """Whether another unit stands beside the number than before: what it was converted by, others ask."""
    return both_text(change) and bool(words(change[1])) and words(change[0]) != words(change[1])


def numbers_changed(column: Column) -> Found | None:
    """In a column of numbers, one that is another number afterwards."""
    for change in column.changed:
        before, after = change
        if is_number(before) and is_number(after) and _other_number(Decimal(before), Decimal(after)):
            shown = any(is_number(one) and is_number(other) and one != other for one, other in column.witnesses)
            return None if shown else ("a number becomes another number", change)
    return None


def _other_number(one: Decimal, other: Decimal) -> bool:
    return one.is_finite() and other.is_finite() and apart(one, other)


def flags_turned(column: Column) -> Found | None:
    """True as 0 or no, false as 1 or yes, and the reverse."""
    for before, after in column.changed:
        if isinstance(before, bool) is isinstance(after, bool):
            continue
        flag, other = (before, after) if isinstance(before, bool) else (after, before)
        if key(str(other)) in (NO if flag else YES):
            return "a flag becomes its opposite", (before, after)
    return None


def _same_moment(seconds: Any, text: str) -> bool:
    """Whether a number of seconds since 1970 becomes the time that it stands for."""
    return seconds >= SINCE and bool(moments(str(seconds)) & moments(text))


def numbers_as_texts(column: Column) -> Found | None:
    """A text that becomes an object with texts of figures, where objects that stay have numbers only: `{"S": "3"}`."""
    stay = [other for one, other in column.different if isinstance(one, dict | list) and one == other]
    named = [pair for value in stay for pair in _named(value)]
    texts = {name for name, value in named if not is_number(value)}
    numbers = {name for name, _ in named} - texts
    for before, after in column.changed if numbers else ():
        if isinstance(before, str) and any(name in numbers and _of_figures(value) for name, value in _named(after)):
            return "a number of a text becomes a text, and the objects of other cells have numbers", (before, after)
    return None


def _named(value: Any) -> list[tuple[str, Any]]:
    """What an object, or the objects of a list, have under each name."""
    objects = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
    return [pair for one in objects for pair in one.items()]


def _of_figures(value: Any) -> bool:
    return isinstance(value, str) and value.strip().isdecimal()


def types_changed(column: Column) -> Found | None:
    """A text that becomes true or false where only texts stay, a code a number, a number or a flag something else."""
    stay = any(isinstance(other, str) and holds_something(other) for _, other in column.different)
    mixed = any(isinstance(one, bool) and one is other for one, other in column.different)
    numbers = any(is_number(one) and is_number(other) for one, other in column.different)
    shown = {(type(one), type(other)) for one, other in column.witnesses}
    for change in column.changed:
        before, after = change
        if (type(before), type(after)) in shown:
            continue
        if isinstance(before, str) and isinstance(after, bool) and stay and not mixed:
            return "a text becomes true or false beside others that stay texts", change
        if numbers and any(isinstance(a, bool) and is_number(b) for a, b in (change, change[::-1])):
            return "a flag becomes a number, or a number a flag, beside numbers", change
        if is_number(before) and isinstance(after, bool) and before not in (0, 1):
            return "a number that is neither 0 nor 1 becomes true or false", change
        if isinstance(before, str) and is_number(after) and re.fullmatch(r"0\d+", before):
            return "a code with a zero in front becomes a number", change
        text_now = isinstance(before, int | float) and not is_missing(before) and isinstance(after, str) and after
        if text_now and not column.joins_texts(before, after) and not _same_moment(before, after):
            return "what is no text becomes one", change
    return None
