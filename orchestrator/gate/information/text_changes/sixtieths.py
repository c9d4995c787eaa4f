"""Minutes and seconds of 60 or more, which no time and no angle has, taken for some: `33°75'00"N`. For laws.py."""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.tokens import figures

_SIXTY, _INCHES, _MOST = 60, 12, 20
_FEET = re.compile(r"([\u00b0\u00ba]\s?)?(?<![\d.,])(\d{1,3})\s?['\u2019\u2032]\s?(\d{1,2})(?!\d)")
_ANGLE = re.compile(
    r"\D{0,6}\d{1,3}\s?[°º]\s?(\d{1,2})(?:[.,]\d+)?\s?['′’]?\s?(?:(\d{1,2})(?:[.,]\d+)?\s?(?:[\"″”]|''|′′)?)?\D{0,3}"
)
_CLOCK = re.compile(r"\D{0,3}\d{1,3}:(\d\d)(?::(\d\d))?(?:[.,]\d{1,2})?\D{0,3}")


def feet_misread(changed: Sequence[Change]) -> Found | None:
    """Feet and inches that become metres, and what is none: minutes of an arc, or a time: `7'30"` as `7 ft 30 in`."""
    for before, after in changed:
        for found in islice(_FEET.finditer(before), _MOST):
            number, small = found[2], found[3]
            if re.search(rf"(?<![\d.,]){number}\s?m(?:et[re]{{2}}s?)?\W{{1,3}}{small}\s?c(?:m|enti)", after):
                return "feet and inches become metres", (before, after)
            in_feet = re.search(rf"(?<![\d.,]){number}\s?(?:ft|feet|foot)\W{{1,3}}{small}\s?(?:in|\")", after)
            if in_feet and (found[1] or int(small) >= _INCHES):
                return "what is no length becomes feet and inches", (before, after)
    return None


def taken_for_sixtieths(changed: Sequence[Change]) -> Found | None:
    """A time or an angle that cannot be, and becomes another number: `33°75'00"N` as `34.25`, `1:72` as `2:12`."""
    for before, after in changed:
        match = _ANGLE.fullmatch(before.strip()) or _CLOCK.fullmatch(before.strip())
        beyond = {part for part in match.groups() if part and int(part) >= _SIXTY} if match else set()
        if beyond and after.strip() and not beyond <= {*figures(after)}:
            return "minutes or seconds of 60 or more are taken for some", (before, after)
    return None
