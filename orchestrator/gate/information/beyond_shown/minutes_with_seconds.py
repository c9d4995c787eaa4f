"""Minutes and seconds with a colon between them, beyond what a clock shows.

Called by column_laws.py and otherwise_than_shown.py.
"""

import re

from orchestrator.gate.information.changes import Change, both_text

HOUR = 60  # minutes
_MINUTES = re.compile(
    r"0?(\d{1,3}) ?(?:['\u2032]|m(?:in(?:ute)?s?)?\.?)(?: ?([0-5]?\d) ?(?:[\"\u2033]|s(?:ec(?:ond)?s?)?\.?))?",
    re.IGNORECASE,
)


def with_seconds(change: Change) -> bool:
    """Whether minutes are written with their seconds: `54 min` as `54:00`, `24 min 6 s` as `24:06`."""
    found = _MINUTES.fullmatch(change[0].strip()) if both_text(change) else None
    return found is not None and int(found[1]) < HOUR and change[1] == f"{found[1]}:{(found[2] or '').zfill(2)}"
