"""Whether a range of numbers is the same one: `-23–-17 degrees C` as `-23 to -17 °C`. Called by looked_up.py."""

import re
from decimal import Decimal

from orchestrator.gate.information.value_kinds.units import same_unit

LONGEST = 60  # characters
_DEGREES = re.compile(r"\s*(?:deg(?:rees?)?\b\.?|[°º])\s*", re.IGNORECASE)
_END = r"([-\u2212+]?\d{1,9}(?:\.\d{1,9})?)\s*(°?(?!(?:to|bis|until|and)\b)[^\W\d_]{0,12}|%)"
_RANGE = re.compile(
    rf"(?:from|between)?\s*{_END}\s*(?:\.{{2,3}}|[-\u2013\u2014~]|to\b|bis\b|until\b|and\b)\s*{_END}", re.IGNORECASE
)

Ends = tuple[Decimal, Decimal, str]


def same_range(before: str, after: str) -> bool | None:
    """True where both ends and the unit stay; None where that is not known."""
    ours, theirs = _ends(before), _ends(after)
    if ours is None or theirs is None or ours[:2] != theirs[:2]:
        return None
    one, other = ours[2], theirs[2]
    return one == other or (bool(one and other) and same_unit(one, other)) or None


def _ends(text: str) -> Ends | None:
    found = _RANGE.fullmatch(_DEGREES.sub("°", text.strip())) if len(text) <= LONGEST else None
    if found is None:
        return None
    first, last = (Decimal(found[group].replace("\u2212", "-")) for group in (1, 3))
    units = {found[group].casefold().strip("°") for group in (2, 4)} - {""}
    return (first, last, units.pop() if units else "") if len(units) < 2 else None
