"""Numbers that stand for how often something happens, in the one period of a column. Called by equivalence.py.

`twice a week` is 2 where the other cells that become numbers say weeks, and `daily` is 7 there.
"""

from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.frequencies import frequency, times_in


class CountedPeriods:
    """The period that the numbers of a column count in: that of most cells that become numbers."""

    def __init__(self, cells: Sequence[Change]) -> None:
        changed = [one for one, other in cells if isinstance(one, str) and isinstance(other, str) and other.isdecimal()]
        periods = Counter(found[1] for one in changed if not one.isdecimal() and (found := frequency(one)))
        self._period = periods.most_common(1)[0][0] if periods else ""

    def known(self, before: str, after: str) -> bool | None:
        """Whether the number, or the other wording, says as often; None where that is not known."""
        one = frequency(before)
        if one is None:
            return None
        if after.isdecimal():
            times = times_in(*one, self._period)
            return None if times is None else times == int(after)
        other = frequency(after)
        return None if other is None else one == other
