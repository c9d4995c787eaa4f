"""Numbers that are computed as the witnesses show: `9-7` as `133 lb` is fourteen times nine, and seven. Called by
otherwise_than_shown.py.

A formula is a sum of the cell's numbers, each times a factor. Witnesses show one where there are more of them than
factors, and one sum gives all of their results exactly. A fraction is the number that a witness shows of another one.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import PLACE, last_place

MOST = 3  # numbers of a cell
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FRACTION = re.compile(r"(\d{1,6}) ?/ ?(\d{1,6})")
_LETTERS = re.compile(r"[^\W\d_]+")
Row = tuple[tuple[Fraction, ...], Fraction]


class ShownFormula:
    """The formulas that the witnesses show, by how many numbers there are and what is around the result."""

    def __init__(self, shown: Sequence[Change]) -> None:
        rows: dict[tuple[int, str], set[Row]] = defaultdict(set)
        self._words: dict[tuple[int, str], set[str]] = defaultdict(set)
        for before, after in shown:
            if read := _read(before, after):
                kind, row = read
                rows[kind].add(row)
                self._words[kind] |= {*_LETTERS.findall(before.casefold())}
        self._divides = any(_is_quotient(*one) for one in shown)
        self._factors = {kind: factors for kind, group in rows.items() if (factors := _solved(sorted(group), kind[0]))}

    def fits(self, change: Change) -> bool:
        """Whether the formula of the witnesses gives the result, of a cell in whose words they are, too."""
        if self._divides and _is_quotient(*change):
            return True
        read = _read(*change) if self._factors else None
        if read is None or read[0] not in self._factors:
            return False
        kind, (numbers, result) = read
        said = {*_LETTERS.findall(change[0].casefold())}
        return said <= self._words[kind] and _sum(self._factors[kind], numbers) == result


def _is_quotient(before: str, after: str) -> bool:
    """Whether a fraction becomes the number that it is, rounded to its last place: `6/38` as `0.16`."""
    parts, number = _FRACTION.fullmatch(before.strip()), reading(after)
    if not parts or not number or not int(parts[2]):
        return False
    step = last_place(number)
    return abs(Decimal(parts[1]) / Decimal(parts[2]) - number) <= step * PLACE


def _read(before: str, after: str) -> tuple[tuple[int, str], Row] | None:
    """How many numbers there are and what is around the result; the numbers and the result."""
    numbers, results = _NUMBER.findall(before), _NUMBER.findall(after)
    if not 1 < len(numbers) <= MOST or len(results) != 1 or before == after:
        return None
    return (len(numbers), _NUMBER.sub("", after).strip()), (tuple(map(Fraction, numbers)), Fraction(results[0]))


def _sum(factors: Sequence[Fraction], numbers: Sequence[Fraction]) -> Fraction:
    return sum((factor * number for factor, number in zip(factors, numbers, strict=True)), Fraction())


def _solved(rows: Sequence[Row], count: int) -> list[Fraction] | None:
    """The factors that give all results; None where the rows do not settle them, or one is nothing."""
    left = [[*numbers, result] for numbers, result in rows]
    if len(left) <= count:
        return None
    for at in range(count):
        pivot = next((line for line in left[at:] if line[at]), None)
        if pivot is None:
            return None
        left.remove(pivot)
        left.insert(at, pivot)
        for place, line in enumerate(left):
            if place != at:
                ratio = line[at] / pivot[at]
                left[place] = [one - ratio * other for one, other in zip(line, pivot, strict=True)]
    factors = [left[at][count] / left[at][at] for at in range(count)]
    return factors if all(factors) and not any(line[count] for line in left[count:]) else None
