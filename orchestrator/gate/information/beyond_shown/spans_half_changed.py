"""A span of which one end is changed and the other stays: `2-5 miles` as `2-8.0 km`. Called by character_laws.py."""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import DASHES, Change, Found
from orchestrator.gate.information.value_kinds.moments import month_of

LONGEST, MOST = 4_000, 20  # characters of a text that is looked at, and spans in it
_SPAN = re.compile(
    r"(?<![\w.,:/-])(\d{1,4}(?:[.,:]\d{1,3})?) ?- ?(\d{1,4}(?:[.,:]\d{1,3})?)"
    r"[ -]?([^\W\d_]{1,15}|%|\u00b0[CF]?)(?![\w-])"
)
_AFTER = r"(?<![\w.,:/-]){first} ?- ?(\d[\d.,:]*)[ -]?([^\W\d_]*|%|\u00b0[CF]?)"


def spans_half_changed(changed: Sequence[Change]) -> Found | None:
    """The unit behind a span is that of both ends, and so is am or pm: a span with two units is another one."""
    for before, after in changed:
        if max(len(before), len(after)) > LONGEST:
            continue
        ours, theirs = before.translate(DASHES), after.translate(DASHES)
        for first, second, unit in _spans(ours):
            found = re.search(_AFTER.format(first=re.escape(first)), theirs)
            if found is None or found[2].casefold() == unit.casefold() or month_of(unit) or not first.strip("0.,:"):
                continue  # nothing is nothing in every unit
            other = found[1].rstrip(".,:")
            if other != second and not other.endswith(second):
                return "one end of a span is changed, and the other one is not", (before, after)
    return None


def _spans(text: str) -> list[tuple[str, str, str]]:
    return [(match[1], match[2], match[3]) for match in islice(_SPAN.finditer(text), MOST)]
