"""Minutes and seconds of 60 or more, which no time and no angle has, taken for some: `33°75'00"N`. For laws.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.tokens import figures

_SIXTY = 60
_ANGLE = re.compile(
    r"\D{0,6}\d{1,3}\s?[°º]\s?(\d{1,2})(?:[.,]\d+)?\s?['′’]?\s?(?:(\d{1,2})(?:[.,]\d+)?\s?(?:[\"″”]|''|′′)?)?\D{0,3}"
)
_CLOCK = re.compile(r"\D{0,3}\d{1,3}:(\d\d)(?::(\d\d))?(?:[.,]\d{1,2})?\D{0,3}")


def taken_for_sixtieths(changed: Sequence[Change]) -> Found | None:
    """A time or an angle that cannot be, and becomes another number: `33°75'00"N` as `34.25`, `1:72` as `2:12`."""
    for before, after in changed:
        match = _ANGLE.fullmatch(before.strip()) or _CLOCK.fullmatch(before.strip())
        beyond = {part for part in match.groups() if part and int(part) >= _SIXTY} if match else set()
        if beyond and after.strip() and not beyond <= {*figures(after)}:
            return "minutes or seconds of 60 or more are taken for some", (before, after)
    return None
