"""Numbers that are converted by another factor than a witness shows. Called by otherwise_than_shown.py."""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.kept_of_text import figures_inside
from orchestrator.gate.information.value_kinds.number_parsing import reading

FAR = 2  # times as large: less may be a rounding
NEARLY = Decimal("0.05")  # how far two products may lie apart that are one and the same: miles per gallon
_HALF = Decimal("0.5000001")
_NUMBER, _LETTERS = re.compile(r"\d[\d.,'’]*"), re.compile(r"[^\W\d_]+")
Units = tuple[str, str]


class ShownFactors:
    """The numbers of the witnesses of one column, by their units before and after."""

    def __init__(self, shown: Sequence[Change]) -> None:
        self._points: dict[Units, list[tuple[Decimal, Decimal]]] = defaultdict(list)
        for one in shown:
            if point := _point(one):
                self._points[point[0]].append(point[1:])

    def contradicted(self, change: Change) -> bool:
        """Whether the number fits no factor, difference or product that gives all numbers of its units.

        Of a factor near one it cannot be told: the witness may have rounded its number. Without a unit one witness
        shows no factor.
        """
        point = _point(change) if self._points else None
        theirs = self._points.get(point[0], []) if point else []
        if point is None or len(theirs) < (1 if any(map(str.isalpha, "".join(point[0]))) else 2):
            return False
        spans = [_factors(*one) for one in theirs]
        low, high = max(low for low, _ in spans), min(high for _, high in spans)
        if low > high or (high < FAR and low > Decimal(1) / FAR) or figures_inside(change):
            return False
        before, after = point[1:]
        start, end = _factors(before, after)
        differs = {other - one for one, other in [(before, after), *theirs]}
        turned = all(abs(one * other - before * after) <= NEARLY * before * after for one, other in theirs)
        return (end < low or start > high) and len(differs) > 1 and not turned


def _point(change: Change) -> tuple[Units, Decimal, Decimal] | None:
    """The units before and after, of a letter or a word at most, and the only number of both, unless one is nothing."""
    if any(len(_NUMBER.findall(text)) != 1 or len(_LETTERS.findall(text)) > 1 for text in change):
        return None
    before, after = map(reading, change)
    return ((_rest(change[0]), _rest(change[1])), abs(before), abs(after)) if before and after else None


def _factors(before: Decimal, after: Decimal) -> tuple[Decimal, Decimal]:
    """The factors that give the number afterwards, which may be rounded."""
    step = Decimal(1).scaleb(min(int(after.as_tuple().exponent), 0))
    return (after - step * _HALF) / before, (after + step * _HALF) / before


def _rest(text: str) -> str:
    return "".join(_NUMBER.sub("", text).casefold().split()).strip(".")
