"""Counties that become the town of the same name. Called by name_laws.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts

_COUNTY = re.compile(r"(?:co\.?|county)\s+(?:of\s+)?([^\W\d_].{0,80})", re.IGNORECASE)


def county_as_town(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """`Co. Cork, Ireland` as `Cork, Ireland`, which other cells have; behind a name `Co.` is a company."""
    stay = {one.strip().casefold() for one in unchanged_texts(cells)}
    for before, after in changed:
        county = _COUNTY.fullmatch(before.strip())
        rest = after.strip().casefold()
        if county and county[1].casefold() == rest and rest in stay:
            return "a county becomes the place of its name", (before, after)
    return None
