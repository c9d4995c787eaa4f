"""Dates that are written out as ISO dates, in a cell or among words: of another month, of the first century.

Called by character_laws.py. A witness that shows another date in another form says nothing of these.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.moments import month_of

LONGEST = 4_000  # characters of a text that is looked at
_ISO = re.compile(r"(?<![\d.-])(\d{4})-(\d\d)-(\d\d)(?!\d)")
_NAMED = re.compile(
    r"(?<![\d.])(\d{1,2})(?:\.|st|nd|rd|th)? (?:de |of )?([^\W\d_]{3,12})\.? (?:de )?(\d{4})(?!\d)"
    r"|(?<![^\W\d_])([^\W\d_]{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)"
)
_FIRST_CENTURY = re.compile(r"(?<!\d)00(\d\d)-\d\d-\d\d(?!\d)")
_ALSO = {"m\u00e4r": 3}  # short forms that are no word of their own elsewhere


def other_month_in_text(changed: Sequence[Change]) -> Found | None:
    """A date whose month is named becomes one of another month: `14. M\u00e4r. 2022` as `2022-05-14`."""
    for before, after in changed:
        if len(before) > LONGEST or len(after) > LONGEST:
            continue
        named = [
            (match[3] or match[6], _month(match[2] or match[4]), int(match[1] or match[5]))
            for match in _NAMED.finditer(before)
        ]
        made = _made(before, after) if named else []
        known = [one for one in named if one[1]]
        for year, month, day in made if len(known) == len(made) else ():
            same = [one for one in known if (one[0], one[2]) == (year, day)]
            if same and all(one[1] != month for one in same):
                return "a date comes to lie in another month than it names", (before, after)
    return None


def _month(name: str) -> int:
    return _ALSO.get(name.casefold()) or month_of(name)


def _made(before: str, after: str) -> list[tuple[str, int, int]]:
    """The ISO dates of the text that were not in it before."""
    had = {match[0] for match in _ISO.finditer(before)}
    return [(match[1], int(match[2]), int(match[3])) for match in _ISO.finditer(after) if match[0] not in had]


def first_century(changed: Sequence[Change]) -> Found | None:
    """A year of two figures that gets zeros in front in place of its century: `16.09.72` as `0072-09-16`."""
    for before, after in changed:
        found = _FIRST_CENTURY.search(after) if len(after) <= LONGEST else None
        if found and f"00{found[1]}" not in before and re.search(rf"(?<!\d){found[1]}(?!\d)", before):
            return "a year of two figures becomes one of the first century", (before, after)
    return None
