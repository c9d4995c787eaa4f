"""Places in the south or west that come to lie in the north or east. Called by number_sign_laws.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading

LONGEST = 60  # characters of a place
_SOUTH_OR_WEST = re.compile(r"[SW]\s*\d[^A-Za-z]*\N{DEGREE SIGN}[^A-Za-z]*|\d[^A-Za-z]*\N{DEGREE SIGN}[^A-Za-z]*[SW]")


def side_of_place_lost(changed: Sequence[Change]) -> Found | None:
    """Degrees south or west become a number above zero: `0\N{DEGREE SIGN}07'30"W` as `0.125`."""
    for before, after in changed:
        place = before.strip() if len(before) <= LONGEST else ""
        number = reading(after) if _SOUTH_OR_WEST.fullmatch(place) and not any(map(str.isalpha, after)) else None
        if number is not None and number > 0:
            return "degrees south or west become a number above zero", (before, after)
    return None
