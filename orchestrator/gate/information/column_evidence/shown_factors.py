"""Numbers that are converted otherwise than a witness shows. Called by otherwise_than_shown.py."""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.kept_of_text import figures_inside
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import factors, last_place

FAR = 2  # times as large: less may be a rounding
NEARLY = Decimal("0.05")  # how far two products may lie apart that are one and the same: miles per gallon
SEVERAL = 2  # witnesses
PLACES = range(1, 7)  # to which numbers are rounded: one that becomes a whole one may do so by chance
NOISE, ONE_DEGREE = Decimal("1e-9"), Decimal("1.8")  # of floats; of Celsius in Fahrenheit
_NUMBER, _LETTERS = re.compile(r"\d[\d.,'’]*"), re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)?")
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

        Of a factor near one only another that is far from it is told: the witness may have rounded its number. Without
        a unit one witness shows no factor.
        """
        point = _point(change) if self._points else None
        theirs = self._points.get(point[0], []) if point else []
        if point is None or len(theirs) < (1 if any(map(str.isalpha, "".join(point[0]))) else 2):
            return False
        spans = [factors(*one) for one in theirs]
        low, high = max(low for low, _ in spans), min(high for _, high in spans)
        before, after = point[1:]
        if low > high or (figures_inside(change) and not self._is_grown(change, before, after)):
            return False
        start, end = factors(before, after)
        if high < FAR and low > Decimal(1) / FAR:
            low, high = low / FAR, high * FAR
        differs = {other - one for one, other in [(before, after), *theirs]}
        turned = all(abs(one * other - before * after) <= NEARLY * before * after for one, other in theirs)
        return (end < low or start > high) and len(differs) > 1 and not turned

    def _is_grown(self, change: Change, before: Decimal, after: Decimal) -> bool:
        """Whether zeros were put behind a whole number, which no witness does: `3 bds` as 30."""
        grown = after > before and (after / before).normalize().as_tuple().digits == (1,)
        shown = any(other / one == after / before for points in self._points.values() for one, other in points)
        return grown and not shown and not re.search(r"\d[.,]\d", change[0])


def numbers_otherwise(changed: Sequence[Change], witnesses: Sequence[Change]) -> list[Change]:
    """Numbers, as numbers, that change their sign or size, or another way, where no witness does.

    The ways: a factor, a difference, degrees of one scale as the other, whole numbers. Witnesses of no one way show
    none, and one alone does not, unless it rounds: other columns of its row may have had their part. It shows sign and
    size. Where numbers on both sides become one between them, those between are not shown.
    """
    pairs = map(_numbers, witnesses)
    shown = [(one, other) for one, other in pairs if one and other and one != other]
    if not shown:
        return []
    signs = [way for way in SIGNS if all(way(*one) for one in shown)]
    ways = [way for way in WAYS if way(shown)] if len(set(shown)) >= SEVERAL else []
    places = [place for place in PLACES if len(set(shown)) < SEVERAL and _rounds(place, *shown[0])]
    scales = (1, 100, Decimal("0.01"))  # whether shares are on one, other laws ask
    low, high = _stand_for_none(shown)

    def otherwise(before: Decimal | None, after: Decimal | None) -> bool:
        if not before or after is None or not (after or places or _rounded(shown)):
            return False  # what is computed anew may be nothing
        if places:
            return not any(_rounds(place, before * times, after) for place in places for times in scales)
        fits = not ways or any(way([*shown, (before, after)]) for way in ways)
        return not fits or not all(way(before, after) for way in signs) or low < before < high

    return [change for change in changed if otherwise(*_numbers(change))]


def _rounds(places: int, before: Decimal, after: Decimal) -> bool:
    """Whether it is rounded to so many places, up, down or to the nearest; of floats as they are printed."""
    fits = not after or -int(after.normalize().as_tuple().exponent) <= places
    return fits and abs(before - after) < Decimal(1).scaleb(-places)


def _stand_for_none(shown: Sequence[tuple[Decimal, Decimal]]) -> tuple[Decimal, Decimal]:
    """The numbers next to the one that all witnesses become, where they lie on both sides: -1 and 999, both as 28.

    That is no bound, and says nothing of 30. Zero and zero where they do not.
    """
    made = {after for _, after in shown}
    below, above = ([one for one, other in shown if (one < other) is side] for side in (True, False))
    return (max(below), min(above)) if len(made) == 1 and below and above else (Decimal(0), Decimal(0))


def _numbers(change: Change) -> tuple[Decimal | None, Decimal | None]:
    before, after = (reading(value) if isinstance(value, int | float | Decimal) else None for value in change)
    return before, after


def _same_sign(before: Decimal, after: Decimal) -> bool:
    return before * after >= 0


def _same_size(before: Decimal, after: Decimal) -> bool:
    return abs(before) == abs(after)


def _one_factor(points: Sequence[tuple[Decimal, Decimal]]) -> bool:
    spans = [factors(abs(before), abs(after)) for before, after in points]
    return max(low for low, _ in spans) <= min(high for _, high in spans)


def _one_difference(points: Sequence[tuple[Decimal, Decimal]]) -> bool:
    return max(after - before for before, after in points) - min(after - before for before, after in points) <= NOISE


def _degrees(points: Sequence[tuple[Decimal, Decimal]]) -> bool:
    celsius = all(abs((before - 32) / ONE_DEGREE - after) <= last_place(after) for before, after in points)
    return celsius or all(abs(before * ONE_DEGREE + 32 - after) <= last_place(after) for before, after in points)


def _rounded(points: Sequence[tuple[Decimal, Decimal]]) -> bool:
    return all(abs(before - after) < 1 for before, after in points)


SIGNS = (_same_sign, _same_size)
WAYS = (_one_factor, _one_difference, _degrees, _rounded)


def _point(change: Change) -> tuple[Units, Decimal, Decimal] | None:
    """The units before and after, of a letter or a word at most, and the only number of both, unless one is nothing."""
    if any(len(_NUMBER.findall(text)) != 1 or len(_LETTERS.findall(text)) > 1 for text in change):
        return None
    before, after = map(reading, change)
    return ((beside_number(change[0]), beside_number(change[1])), abs(before), abs(after)) if before and after else None


def beside_number(text: str) -> str:
    """What stands at a number: its unit."""
    return "".join(_NUMBER.sub("", text).casefold().split()).strip(".")
