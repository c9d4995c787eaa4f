"""Seconds since 1970 that become another moment, where all witnesses keep theirs. Called by character_laws.py.

A witness of the morning does not speak for the afternoon: 15:02 as 03:02 is a slip in the pattern (`%I` for `%H`).
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.moments import moments

LONGEST = 40  # characters of a text that names a moment
_SINCE_1970 = re.compile(r"\d{9,10}(?:\d{3})?")  # seconds, or thousandths
_TIMED = ("moment", "instant")


def moment_otherwise(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """The first count of seconds that does not become its own moment, as that of each witness does."""
    kept = [is_kept for change in shown if (is_kept := _is_kept(change)) is not None]
    if not kept or not all(kept):
        return None
    found = next((change for change in changed if _is_kept(change) is False), None)
    return None if found is None else ("seconds since 1970 become another moment, which no witness shows", found)


def _is_kept(change: Change) -> bool | None:
    """None where it is no such change."""
    before, after = change
    before = str(before).strip() if isinstance(before, str | int) else ""
    if not isinstance(after, str) or len(after) > LONGEST or not _SINCE_1970.fullmatch(before):
        return None
    if after.strip().isdecimal():
        return None  # codes of two lengths, such as ISBNs, look like seconds and thousandths
    ours, theirs = ({one[1:] for one in moments(text) if one[0] in _TIMED} for text in (before, after))
    return bool(ours & theirs) if ours and theirs else None
