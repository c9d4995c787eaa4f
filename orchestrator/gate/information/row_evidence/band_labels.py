"""Labels that name the range of a number of their row: `18-29`, `65+`. For added_concerns.py.

Such a label says itself whether the number belongs to it: 30 in `18-29` is a mistake in a limit, whatever was asked.
"""

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.value_kinds.number_parsing import reading

FEWEST, ENOUGH = 3, 12  # different labels, and rows with one, that show a scale
MOSTLY = 0.8  # of the rows with a label, whose number lies in the range that it names
LONGEST = 30  # characters of a label
_RANGE = re.compile(r"(\d{1,7})\s?(?:-|\u2013|to)\s?(\d{1,7})(?:\s[^\W\d_]{1,12})?")
_OPEN = re.compile(r"(\d{1,7})\s?\+")


class OffLabel(NamedTuple):
    """A row whose label and number do not go together, and why."""

    row: int
    reason: str


def off_label(labels: Sequence[Any], numbers: Sequence[Any]) -> OffLabel | None:
    """The first row with a number outside of the range that its label names, with no number, or left without a label.

    None where the numbers are not those of which the labels speak.
    """
    ranges = {label: found for label in set(filter(_is_text, labels)) if (found := _range_of(label)) is not None}
    if len(ranges) < FEWEST or any(_is_text(label) and label not in ranges for label in labels):
        return None
    read = [None if is_missing(value) else reading(value) for value in numbers]
    labelled = [(label, number) for label, number in zip(labels, read, strict=True) if label in ranges]
    fitting = sum(number is not None and _lies_in(number, ranges[label]) for label, number in labelled)
    if len(labelled) < ENOUGH or fitting < MOSTLY * len(labelled):
        return None
    off = (OffLabel(row, why) for row in range(len(labels)) if (why := _why(labels[row], read[row], ranges)))
    return next(off, None)


def _why(label: Any, number: Decimal | None, ranges: dict[str, tuple[int, int | None]]) -> str:
    if label in ranges:
        if number is None:
            return "a row without a number gets a label"
        return "" if _lies_in(number, ranges[label]) else "a number lies outside of the range that its label names"
    closed = [one for one in ranges.values() if one[1] is not None]
    if number is not None and is_missing(label) and any(_lies_in(number, one) for one in closed):
        return "a number in the range of a label gets none"
    return ""


def same_case(reason: str, label: Any, number: Any) -> bool:
    """Whether an example shows the like: such a number with such a label."""
    return _why(label, None if is_missing(number) else reading(number), _ranges_of(label)) == reason


def _ranges_of(label: Any) -> dict[str, tuple[int, int | None]]:
    found = _range_of(label) if _is_text(label) else None
    return {} if found is None else {label: found}


def _is_text(label: Any) -> bool:
    return isinstance(label, str) and not is_missing(label)


def _range_of(label: str) -> tuple[int, int | None] | None:
    text = label.strip() if len(label) <= LONGEST else ""
    if found := _RANGE.fullmatch(text):
        return (int(found[1]), int(found[2])) if int(found[1]) < int(found[2]) else None
    found = _OPEN.fullmatch(text)
    return (int(found[1]), None) if found else None


def _lies_in(number: Decimal, limits: tuple[int, int | None]) -> bool:
    """Whether it is between both; 17.9 years are 17."""
    if not number.is_finite():
        return False
    return limits[0] <= math.floor(number) and (limits[1] is None or math.floor(number) <= limits[1])
