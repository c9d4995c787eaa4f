"""Days and years that a date does not say and gets: `September 1984` as `1984-09-01`, `19.01.` as `1900-01-19`.

Called by character_laws.py. That other dates are written as ISO dates, as a witness shows, is no reason for either.
"""

import re
from collections.abc import Sequence

from orchestrator.data.writing.month_names import FOREIGN_MONTHS
from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.known_words import things
from orchestrator.gate.information.value_kinds.moments import moments, month_of

LONGEST = 40  # characters of a text that names a date
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ]00:00(?::00)?)?")
_WORD = re.compile(r"[^\W\d_]+")
_NO_YEAR = re.compile(
    r"\d{1,2}\.\s?\d{1,2}\.|(?:\d{1,2}(?:\.|st|nd|rd|th)? )([^\W\d_]{3,12})\.?"
    r"|([^\W\d_]{3,12})\.? \d{1,2}(?:st|nd|rd|th)?"
)


def day_made_up(changed: Sequence[Change]) -> Found | None:
    """A month without a day that becomes one day of it."""
    for before, after in changed:
        text = before.strip()
        if len(text) > LONGEST or not _ISO.fullmatch(after.strip()):
            continue
        name = _WORD.search(text)
        if name and not (things("month", name[0]) or name[0].lower() in FOREIGN_MONTHS):
            continue  # Martinmas 1498
        if {moment[0] for moment in moments(text)} == {"month"}:
            return "a month becomes one day of it, which the cell does not say", (before, after)
    return None


def year_made_up(changed: Sequence[Change]) -> Found | None:
    """A day of a month without a year that becomes one of some year."""
    for before, after in changed:
        text, made = before.strip(), _ISO.fullmatch(after.strip())
        found = _NO_YEAR.fullmatch(text) if made and len(text) <= LONGEST else None
        if found is None or made is None or made[1] in text:
            continue
        name = found[1] or found[2]
        if name is None or month_of(name):
            return "a date gets a year, which the cell does not say", (before, after)
    return None
