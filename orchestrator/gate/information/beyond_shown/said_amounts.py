"""Amounts of which some become what they say and some something else. Called by character_laws.py.

`3 mio` as 3000000 shows, of a witness or another cell, that such words count: then `2 mrd` is not 2000000. The same of
percentages, and of numbers of base sixteen.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.amounts import amounts, same_amount
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import last_place

NEARLY, AT_MOST = Decimal("0.01"), Decimal("0.1")  # of an amount that is rounded
_PERCENT = re.compile(r"[^\d]{0,3}\d[\d.,]*\s?(?:%|percent|pct)", re.IGNORECASE)
_SIZED = re.compile(
    r"[$\u20ac\u00a3\u00a5]?\s?[-+]?\d[\d.,]*\s?"
    r"(?:thousand|tsd\.?|tausend|lakhs?|lacs?|mio\.?|millions?|millionen|crores?|bn|mrd\.?|billions?|milliarden|tn|trillion)",
    re.IGNORECASE,
)
_SIXTEEN = re.compile(r"0x[0-9a-f]{1,8}", re.IGNORECASE)
_LETTERED = re.compile(r"[$\u20ac\u00a3\u00a5]?\s?[-+]?\d[\d.,]*\s?[kmb]", re.IGNORECASE)  # 50k beside 1.5m
_KINDS = (_PERCENT, _SIZED, _SIXTEEN, _LETTERED)
_PLAIN = re.compile(r"[-+]?\d[\d.,' ]{0,30}")


def amounts_otherwise(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """An amount that becomes another number than it says, where one of its kind becomes what it says.

    Nothing becomes nothing on every scale, and so `0 %` as 0 shows none.
    """
    kinds = {kind for one in cells if (kind := _kind(one)) is not None and reading(str(one[1])) and _as_said(one)}
    for change in changed:
        if kinds and _kind(change) in kinds and not _as_said(change):
            return "an amount becomes another number than it says, and others become what they say", change
    return None


def _kind(change: Change) -> re.Pattern[str] | None:
    """Of which kind the amount is that becomes a plain number."""
    before, after = change
    if not isinstance(before, str) or not _PLAIN.fullmatch(str(after).strip()):
        return None
    return next((kind for kind in _KINDS if kind.fullmatch(before.strip())), None)


def _as_said(change: Change) -> bool:
    said, number = amounts(change[0].strip().rstrip(".")), reading(str(change[1]))
    if same_amount(said, amounts(str(change[1])), str(change[1])) or number is None:
        return True
    step = last_place(number)
    return any(abs(one - number) <= min(max(step, NEARLY * abs(one)), AT_MOST * abs(one)) for one in said if one)
