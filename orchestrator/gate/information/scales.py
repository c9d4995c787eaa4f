"""Whether numbers that lose their unit stand on the scale of those that never had one. Called by suspicions.py."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.units import same_quantity

FEW_NUMBERS = 4  # of each kind that show on which scale a column is
OTHER_SCALE = 20
_OUT_OF = re.compile(r".*?(?:/|out of)\s*(\d+)\D*")
_SCALE = "numbers that lose their unit are on another scale than those that have none"


def scale_changed(texts: Sequence[Change], cells: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """Numbers that lose their unit or sign beside others that never had one: both are on one scale.

    Where other units are converted to the same one, the numbers that they become are on that scale, too.
    """
    if any(_scaled_of(change) is not None for change in shown):
        return None
    bare = [number for one, other in cells if one == other and (number := _bare(one)) is not None]
    stripped = [(number, change) for change in texts if (number := _scaled_of(change)) is not None]
    if min(len(bare), len(stripped)) < FEW_NUMBERS:
        return None
    numbers = [number for number, _ in stripped]
    apart = min(numbers) > max(bare) or max(numbers) < min(bare)
    ratio = _middle(numbers) / (_middle(bare) or Decimal(1))
    if apart and (ratio >= OTHER_SCALE or ratio <= 1 / OTHER_SCALE):
        converted = [number for change in texts if same_quantity(*change) and (number := _bare(change[1])) is not None]
        if not converted or not min(*numbers, *converted) < _middle(bare) < max(*numbers, *converted):
            return _SCALE, stripped[0][1]
    for _, change in stripped:
        of = _OUT_OF.fullmatch(change[0])
        if of and 2 * max(bare) <= Decimal(of[1]) and max(numbers) > max(bare):
            return _SCALE, change
    return None


def _bare(text: Any) -> Decimal | None:
    return abs(Decimal(text)) if isinstance(text, str) and re.fullmatch(r"-?\d+(?:\.\d+)?", text) else None


def _scaled_of(change: Change) -> Decimal | None:
    """The number that stood beside a unit, a sign or a scale, and stands alone."""
    number = _bare(change[1])
    return number if number is not None and re.fullmatch(rf"{re.escape(change[1])}\s*[^\d.,\s].*", change[0]) else None


def _middle(numbers: Sequence[Decimal]) -> Decimal:
    return sorted(numbers)[len(numbers) // 2]
