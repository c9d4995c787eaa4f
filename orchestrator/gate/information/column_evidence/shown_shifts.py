"""Times that are moved from one zone to another: by as much as a witness shows, or to Greenwich. Called by column.py,
equivalence.py.

One function moves all times by the same span. A clock that is put forward in summer makes an hour of it where the day
is known.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, both_text
from orchestrator.gate.information.value_kinds.moments import in_greenwich, moments

LONGEST = 40  # characters of a text that names a moment
SUMMER = dt.timedelta(hours=1)
_DAY = dt.timedelta(days=1)
_OFFSET = re.compile(r"\d\d ?([+-]\d\d:?[0-5]\d)$")


class ShownShifts:
    """By how much the witnesses of one column move a time. Without such a witness nothing is known."""

    def __init__(self, shown: Sequence[Change]) -> None:
        self._shown = Counter(span for change in shown if (span := _span(*change)))

    def known(self, change: Change) -> bool | None:
        """Whether the change moves a time as witnesses show, None where it is no such change or that is not clear.

        A time without its day may be how long something took: then one witness shows nothing of others.
        """
        span = _span(*change) if self._shown else None
        if span is None:
            return None
        slack = SUMMER if span[0] else dt.timedelta()
        if any(span[0] == dated and abs(span[1] - moved) <= slack for dated, moved in self._shown):
            return True
        clear = len(self._shown) == 1 and (span[0] or max(self._shown.values()) > 1)
        return False if clear and all(dated == span[0] for dated, _ in self._shown) else None


class InGreenwich:
    """Whether all moments of a column that have a zone come to be those of Greenwich, and lose it.

    Only where they had several: of one zone nothing tells whether the column has been put into another one. A time that
    has none must stay, or else it would stand among those that have one.
    """

    def __init__(self, cells: Sequence[Change]) -> None:
        texts = [(one.strip(), other) for one, other in cells if both_text((one, other)) and one != other]
        zoned = {one: other for one, other in texts if len(one) <= LONGEST and _OFFSET.search(one)}
        zones = {found[1].replace(":", "") for one in zoned if (found := _OFFSET.search(one))}
        self._all = (
            len(zones) > 1 and len(zoned) == len(dict(texts)) and all(in_greenwich(*change) for change in zoned.items())
        )

    def put(self, before: str, after: str) -> bool:
        """Whether it is one of them."""
        return self._all and _OFFSET.search(before.strip()) is not None and in_greenwich(before, after)


def _span(before: str, after: str) -> tuple[bool, dt.timedelta] | None:
    """Whether both have a day, and how much later the second one is; of times without a day, by less than a day."""
    one, other = _only(before), _only(after)
    if one is None or other is None or one[0] != other[0]:
        return None
    later = other[1] - one[1]
    return one[0], later if one[0] else later % _DAY


def _only(text: str) -> tuple[bool, dt.datetime] | None:
    """The only time that the text can name, with its day or on one and the same day."""
    found = [moment for moment in moments(text) if moment[0] in ("moment", "time")]
    if len(found) != 1:
        return None
    kind, *rest = found[0]
    day = rest.pop(0) if kind == "moment" else dt.date(1970, 1, 1)
    hour, minute, second = rest
    if not isinstance(day, dt.date) or not isinstance(hour, int) or hour > 23:
        return None
    at = dt.time(hour, int(str(minute)), int(str(second)))
    return kind == "moment", dt.datetime.combine(day, at)
