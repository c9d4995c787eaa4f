"""Whether a number of packs of a size stays the same: `330 ml x 11` as `11 x 330 ml`. Called by looked_up.py."""

import re

from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.value_kinds.units import names_unit, same_quantity

LONGEST = 40  # characters
_SIZE = r"(?P<size>\d{1,6}(?:[.,]\d{1,3})?)\s?(?P<unit>[^\W\d_]{1,10})\.?"
_COUNT_FIRST = re.compile(rf"(?P<count>\d{{1,4}})\s?(?:[x×*]|-?pack(?:s| of)?|pk)\s?{_SIZE}", re.IGNORECASE)
_COUNT_LAST = re.compile(rf"{_SIZE}\s?[x×*]\s?(?P<count>\d{{1,4}})", re.IGNORECASE)


def same_pack(before: str, after: str) -> bool | None:
    """True where the number of packs and the size of one stay; None where that is not known."""
    ours, theirs = _pack(before), _pack(after)
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return None
    return key(ours[1]) == key(theirs[1]) or same_quantity(ours[1], theirs[1]) or None


def _pack(text: str) -> tuple[int, str] | None:
    if len(text) > LONGEST:
        return None
    found = _COUNT_FIRST.fullmatch(text.strip()) or _COUNT_LAST.fullmatch(text.strip())
    if found is None or not names_unit(found["unit"]):
        return None
    return int(found["count"]), f"{found['size'].replace(',', '.')} {found['unit']}"
