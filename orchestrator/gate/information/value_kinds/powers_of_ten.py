"""Whether a number with a power of ten stays the same one: `1,2 x 10^-5` as `1.2E-5`. Called by looked_up.py."""

import re
from decimal import Decimal

LONGEST = 40  # characters
NEARLY = Decimal("0.005")  # by what share it may be off and be a rounded one
_POWER = re.compile(
    r"([<>\u2264\u2265~]?)\s*([-\u2212+]?)\s*(\d{1,15}(?:[.,]\d{1,15})?)"
    r"(?:\s*(?:[x\u00d7\u00b7*]\s*10\s*\^?\s*|[eE]\s*)\(?([-\u2212+]?[0-9]{1,2})\)?)?"
)
_GROUPED = re.compile(r"\d{1,3},\d{3}")
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a", "0123456789-+")

Number = tuple[str, Decimal, bool]


def same_power_of_ten(before: str, after: str) -> bool | None:
    """Whether both are one number, with the same sign and bound; None where neither has a power, or it is rounded."""
    ours, theirs = _number(before), _number(after)
    if ours is None or theirs is None or not ours[2]:
        return None
    if ours[0] != theirs[0]:
        return False
    one, other = ours[1], theirs[1]
    if one == other:
        return True
    return None if abs(one - other) <= NEARLY * abs(one) else False


def _number(text: str) -> Number | None:
    """The sign of a bound, the number, and whether it has a power; None where the text is no number or can be two."""
    found = _POWER.fullmatch(text.strip().translate(_RAISED)) if len(text) <= LONGEST else None
    if found is None or _GROUPED.fullmatch(found[3]):
        return None
    number = Decimal(found[3].replace(",", ".")).scaleb(int((found[4] or "0").replace("\u2212", "-")))
    return found[1], -number if found[2] in ("-", "\u2212") else number, found[4] is not None
