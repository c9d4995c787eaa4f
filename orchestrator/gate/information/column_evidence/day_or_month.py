"""Whether a column writes the day or the month first, as its dates with a day above 12 show.

Called by reinterpretation.py, for dates read against that, and by laws.py, where the dates show both.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from orchestrator.gate.information.changes import Change, Found

DATE = re.compile(r"\s*(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})\b")
MONTHS = 12
FEWER = 0.5  # as many dates may show the other order; with more, nothing tells which one is meant
_BECOMES = re.compile(r"\d{4}-\d{2}")
_YEAR = 4  # figures of one that is written out


def first_parts(texts: Iterable[str]) -> Mapping[str, Counter[str]]:
    """For each sign between the parts, how many dates have the day first, and how many the month."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        date = DATE.match(text)
        large = [int(date[place]) > MONTHS for place in (1, 3)] if date else []
        version = date is not None and date[2] == "." and len(date[4]) < _YEAR  # 2.15.4
        if date and sum(large) == 1 and not (version and large[1]):  # 13/14/2021 is no date
            found[date[2]]["day" if large[0] else "month"] += 1
    return found


def usual_first(found: Counter[str]) -> str:
    """What most dates have first; empty where too many differ, or where none shows it."""
    (most, count), *others = found.most_common() or [("", 0)]
    return most if sum(number for _, number in others) <= FEWER * count else ""


def either_order(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A date that can be of two months, where some others have the day first, and some the month: 5/8, 28/8, 8/28."""
    shown = first_parts(one for one, _ in cells if isinstance(one, str))
    for before, after in changed:
        date = DATE.match(before)
        if date is None or not _BECOMES.match(after) or usual_first(shown[date[2]]) or not shown[date[2]]:
            continue
        if date[1] != date[3] and max(int(date[1]), int(date[3])) <= MONTHS:
            return "a date may be of another month: of the others some have the day first, and some the month", (
                before,
                after,
            )
    return None
