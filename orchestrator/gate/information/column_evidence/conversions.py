"""Whether numbers in a unit that nobody knows are converted to one that other cells have. Called by column.py.

The cells that stay say on which scale the unit is. One factor for all, between two units that are both written, and
numbers as large as those that stand there already: then the factor is of the right size, and a decimal mark that moved
would show. A number without a unit before or after says nothing of that kind.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import PLACE

ENOUGH = 4  # different numbers of each kind
ABOUT = 2  # how far apart the middle of both may lie
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


class Conversions:
    """The numbers of one column with the units beside them. `cells`: of which those in `unknown` show nothing."""

    def __init__(self, cells: Sequence[Change], unknown: Sequence[Change]) -> None:
        doubtful = set(unknown)
        there: dict[str, set[Decimal]] = defaultdict(set)
        for cell in cells:
            texts = all(isinstance(text, str) for text in cell)
            if texts and cell not in doubtful and (read := _read(cell[1])):
                there[read[1]].add(read[0])
        groups: dict[tuple[str, str], list[tuple[Decimal, Decimal, Change]]] = defaultdict(list)
        for change in unknown:
            one, other = map(_read, change)
            if one and other and one[1] != other[1] and one[0] and other[0]:
                groups[one[1], other[1]].append((one[0], other[0], change))
        self._said = {
            change for (_, unit), points in groups.items() if _fits(points, there[unit]) for *_, change in points
        }

    def explains(self, change: Change) -> bool:
        """Whether the change is such a conversion."""
        return change in self._said


def _read(text: str) -> tuple[Decimal, str] | None:
    """The only number of a text and the unit beside it; None without either."""
    numbers, unit = _NUMBER.findall(text), " ".join(_NUMBER.sub(" ", text).casefold().split())
    number = reading(numbers[0]) if len(numbers) == 1 else None
    return None if number is None or not any(map(str.isalpha, unit)) or "-" in unit else (number, unit)


def _fits(points: Sequence[tuple[Decimal, Decimal, Change]], there: set[Decimal]) -> bool:
    before, after = {one for one, *_ in points}, sorted(other for _, other, _ in points)
    if min(len(before), len(there)) < ENOUGH or not min(there):
        return False
    widest = max(points, key=lambda point: point[0])
    factor = widest[1] / widest[0]
    if factor == 1:
        return False
    for one, other, _ in points:
        step = Decimal(1).scaleb(int(other.as_tuple().exponent))
        if abs(one * factor - other) > PLACE * (step + one * step / widest[0]):
            return False
    middles = after[len(after) // 2], sorted(there)[len(there) // 2]
    inside = min(there) <= ABOUT * after[0] and after[-1] <= ABOUT * max(there)
    return inside and max(middles) <= ABOUT * min(middles)
