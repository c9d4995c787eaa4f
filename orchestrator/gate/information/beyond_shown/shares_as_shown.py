"""Numbers of so many (`35 of 100`, `8,5/20`, `66%`) on another scale than witnesses show. Called by character_laws.py.

`15/20` as 75 says that all of a thing is 100, and so 35 of 100 is not 175. Where witnesses take the first number
alone, others may do so, too.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import last_place

LONGEST = 40
USUAL = (1, 4, 5, 6, 10, 20, 100)  # what all of a thing is on the scales that people use
_SHARE = re.compile(
    r"([-+]?\d{1,6}(?:[.,]\d{1,4})?)(?:\s*(?:/|\bout of\b|\bof\b|\bvon\b|\bsur\b)\s*(\d{1,6}(?:[.,]\d{1,4})?)|\s?(%))",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"(?<!\d)\d{1,3},\d{3}(?!\d)")  # whether the comma is a mark of decimals, nobody knows
_PLAIN = re.compile(r"[-+]?\d{1,9}(?:[.,]\d{1,9})?")


class _Share(NamedTuple):
    part: Decimal
    of: Decimal
    is_percent: bool
    made: Decimal

    def on(self, scale: Decimal, *, rounded: bool) -> bool:
        """Whether the number is the share on a scale, to its last place. What has no more decimals than the part is
        not rounded, unless witnesses do so.
        """
        wanted = self.part * scale / self.of
        step = last_place(self.made)
        is_short = int(wanted.normalize().as_tuple().exponent) >= min(0, int(self.part.as_tuple().exponent))
        return abs(wanted - self.made) <= (0 if is_short and not rounded else step * Decimal("0.51"))


def shares_otherwise(changed: Sequence[Change], witnesses: Sequence[Change]) -> Found | None:
    """A share that becomes another number than on the scale that fits all witnesses."""
    shown = [share for one in witnesses if (share := _share(one))]
    if not shown or all(one.is_percent for one in shown):
        return None
    scales = {*map(Decimal, USUAL), *(one.of for one in shown)}
    scales = {scale for scale in scales if all(one.on(scale, rounded=True) for one in shown)}
    parts = all(one.made == one.part for one in shown)
    if not scales and not parts:
        return None
    rounded = not any(all(one.on(scale, rounded=False) for one in shown) for scale in scales)
    for change in changed:
        share = _share(change)
        if share is None or (parts and not share.is_percent and share.made == share.part):
            continue
        if not any(share.on(scale, rounded=rounded) for scale in scales):
            return "a share becomes a number on another scale than witnesses show", change
    return None


def _share(change: Change) -> _Share | None:
    before, after = change
    if (
        not isinstance(before, str)
        or len(before) > LONGEST
        or _GROUPED.search(before)
        or not _PLAIN.fullmatch(str(after).strip())
    ):
        return None
    found, made = _SHARE.fullmatch(before.strip()), reading(str(after).replace(",", "."))
    if found is None or made is None:
        return None
    part, of = (reading((number or "100").replace(",", ".")) for number in found.group(1, 2))
    return _Share(part, of, bool(found[3]), made) if part and of else None
