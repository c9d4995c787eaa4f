"""Ranges among other numbers get the hyphen of most: "533–545" and "533--545" → "533-545", "S1–S5" → "S1-S5".

The rule on joined numbers asks that nearly all cells join numbers; pages may be single ones (e755), too. Left alone:
columns in which hyphens are not by far the usual sign, dashes with blanks, and ranges that end before they begin.
"""

import re

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.working_rows import TextColumn

_USUAL = 0.3  # of the cells have a hyphen
_HABIT = 3  # rows with dashes: a single one may be meant so
_RATHER = 2  # times as often as dashes
_RANGE = re.compile(r"([A-Za-z]?)([0-9]{1,6})-\1([0-9]{1,6})")


def _with_hyphen(value: str) -> str:
    """Two numbers, perhaps behind the same letter, joined by a hyphen; any other text as it is."""
    found = re.fullmatch(r"([A-Za-z]?)([0-9]{1,6})(?:-{2,3}|[\u2010-\u2015])\1([0-9]{1,6})", value)
    if not found or (len(found[2]) == len(found[3]) and found[2] > found[3]):
        return value
    return f"{found[1]}{found[2]}-{found[1]}{found[3]}"


def _have_dashes(column: TextColumn) -> bool:
    dashes = column.rows(lambda text: _with_hyphen(text) != text)
    if dashes < _HABIT:
        return False
    hyphens = column.rows(lambda text: _RANGE.fullmatch(text) is not None)
    return hyphens >= max(_RATHER * dashes, _USUAL * column.filled)


RULE = RepairRule(
    name="hyphens_in_ranges_in_{columns}",
    issue="Some ranges in {columns} have a dash or two hyphens where most have one.",
    doc="Join the two numbers of a range by a hyphen.",
    fix=_with_hyphen,
    look=where(_have_dashes),
    imports=("re",),
)
