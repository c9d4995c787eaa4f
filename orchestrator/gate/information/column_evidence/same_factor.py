"""Numbers that are converted by another factor than the column's others, or than others would use. Called by laws.py.

Whoever converts 56.3 to 57 may round as he likes, by a factor that he likes. But one function does the same in all
cells of a unit: what fits no factor that fits the others is a wrong number. No table of units is needed.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found, both_text
from orchestrator.gate.information.column_evidence.shown_factors import beside_number
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import in_base_unit, sizes_of

ENOUGH = 4  # different numbers that show the factor
MOSTLY = Decimal("0.8")  # of the numbers, which fit one factor
_HALF, _WHOLE, _NOISE = Decimal("0.5000001"), Decimal("1.0000001"), Decimal("0.0000001")
ROUNDINGS = ((_HALF, _HALF), (_NOISE, _WHOLE), (_WHOLE, _NOISE))  # to the nearest, down, up; of the last place
FLOATS = Decimal("1e-9")  # of a number that has all the figures that it was computed with
Point = tuple[Decimal, Decimal, Decimal]  # the number before, the number after, what its last place is worth
_NUMBER = re.compile(r"\d[\d.,'’]*")
LONGEST = 60  # characters of a quantity
TWO_UNITS = 5  # times as large a unit is another one
_PLAIN = re.compile(r"\d{1,12}(?:\.\d{1,6})?")
SINGLE = 7  # figures that a number of 32 bits has
_AMBIGUOUS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?![\d.,])")  # 9.265 can be nine thousand
_CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)(?:[.,](\d{1,3}))?")
_GALLONS = re.compile(r"\d[\d.,'’]*\s?gal(?:lon)?s?\.?", re.IGNORECASE)
_LITRES = re.compile(r"\d\s?(?:[dcm]?l|ltrs?|lit(?:er|re)s?)\b", re.IGNORECASE)
_COUNTRY = re.compile(r"(?<![^\W\d_])(?:u\.?s\.?|u\.?k\.?|imp(?:erial)?)(?![^\W\d_])", re.IGNORECASE)
_FAHRENHEIT = re.compile(r"\s*(?:°|deg(?:rees)?|º)?\s*f(?:ahrenheit)?\s*", re.IGNORECASE)


def converted_otherwise(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A number that no factor gives which gives the others: 35 mph as 57 km/h beside 36 as 58, 75 as 121."""
    wanted = set(changed)
    groups: dict[tuple[str, str], dict[Change, Point]] = defaultdict(dict)
    for change in cells:
        if both_text(change) and change[0] != change[1] and (point := _point(*change)):
            groups[point[0]][change] = point[1]
    for points in groups.values():
        if len({x for x, *_ in points.values()}) < ENOUGH or all(x == y for x, y, _ in points.values()):
            continue
        fitting = _on_one_line(points)
        if len(fitting) < MOSTLY * len(points):
            continue  # by no factor, but by a table
        wrong = next((change for change in points if change in wanted and change not in fitting), None)
        if wrong is not None and len(fitting) >= ENOUGH:
            return "a number is converted by another factor than the others", wrong
        rough = next((change for change in _rounded_more(points) if change in wanted), None)
        if rough is not None:
            return "a number is rounded more than the others", rough
    return None


def into_two_units(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Quantities that become plain numbers of two units: 178 cm as 178 beside 1.98 m as 1980.

    What `m` means, cells say whose unit can only be one: minutes beside `90 min`.
    """
    found = {change: sizes for change in cells if (sizes := _sizes_of_plain(change))}
    sure = Counter(dimension for sizes in found.values() if len(sizes) == 1 for dimension in sizes)
    if not sure:
        return None
    dimension = max(sure, key=sure.__getitem__)
    made = {change: sizes[dimension] / Decimal(change[1]) for change, sizes in found.items() if dimension in sizes}
    words = Counter(map(_without_number, made))
    most = max(words, key=words.__getitem__)
    units = sorted(unit for change, unit in made.items() if _without_number(change) == most)
    usual, doubted = units[len(units) // 2], set(changed)
    for change, unit in made.items():
        number = Decimal(change[1])
        rounded = abs(unit * number / usual - number) <= 1
        if change in doubted and not rounded and max(unit, usual) >= TWO_UNITS * min(unit, usual):
            return "numbers come out in two units", change
    return None


def _without_number(change: Change) -> str:
    """The unit of a quantity as it is written."""
    return " ".join(_NUMBER.sub("", change[0]).casefold().split())


def _sizes_of_plain(change: Change) -> dict[str, Decimal]:
    """How much a quantity that becomes a plain number can be, by dimension; empty where it is none."""
    before, after = change
    if not both_text(change) or len(before) > LONGEST or not _PLAIN.fullmatch(after) or not Decimal(after):
        return {}
    if not any(map(str.isalpha, before)):
        return {}
    sizes = {(dimension, size) for dimension, size, _ in sizes_of(before)}
    return dict(sizes) if len(dict(sizes)) == len(sizes) else {}


def _rounded_more(points: Mapping[Change, Point]) -> list[Change]:
    """Numbers with fewer decimals than most others, though they had more: 68.6 % as 0.68 beside 0.553."""
    steps = Counter(step for *_, step in points.values())
    usual, count = steps.most_common(1)[0]
    if count < ENOUGH or 2 * count < len(points):
        return []
    factors = sorted(y / x for x, y, step in points.values() if step == usual)
    factor = factors[len(factors) // 2]
    rough = [change for change, (x, y, step) in points.items() if step > usual < abs(x * factor - y)]
    return [change for change in rough if len(points[change][1].as_tuple().digits) < SINGLE]


def gallons_of_one_country(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Gallons that become litres by the factor of one country, where no cell says which: 3.785 or 4.546."""
    if any(_COUNTRY.search(one) for one, _ in cells if isinstance(one, str)):
        return None
    for before, after in changed:
        if _GALLONS.fullmatch(before.strip()) and _LITRES.search(after) and reading(before) != reading(after):
            return "gallons of two countries are not the same, and no cell says which these are", (before, after)
    return None


def _on_one_line(points: Mapping[Change, Point]) -> set[Change]:
    """The largest set of changes that one factor explains, rounded, down or up: where most intervals overlap."""
    best: set[Change] = set()
    for below, above in ROUNDINGS:
        intervals = {
            change: ((y - step * below) / x, (y + step * above) / x) for change, (x, y, step) in points.items()
        }
        starts, ends = (sorted(interval[side] for interval in intervals.values()) for side in (0, 1))
        factor = max(starts, key=lambda start: bisect_right(starts, start) - bisect_left(ends, start))
        inside = {change for change, (start, end) in intervals.items() if start <= factor <= end}
        best = max(best, inside, key=len)
    return best


def _point(before: str, after: str) -> tuple[tuple[str, str], Point] | None:
    """The units before and after, and the numbers."""
    if max(len(before), len(after)) > LONGEST:
        return None
    found = _NUMBER.findall(after)
    number = reading(after) if len(found) == 1 else None
    if number is None or not (size := _size(before)):
        return None
    step = max(Decimal(1).scaleb(int(number.as_tuple().exponent)), FLOATS * abs(number))
    return (size[0], beside_number(after)), (size[1], abs(number), step)


def _size(text: str) -> tuple[str, Decimal] | None:
    """The number of a text and its unit; of several numbers with units, their sum in the smallest."""
    if clock := _CLOCK.fullmatch(text.strip()):
        seconds = 60 * int(clock[1]) + int(clock[2])
        return ("clock", Decimal(f"{seconds}.{clock[3] or 0}")) if seconds else None
    if len(_NUMBER.findall(text)) > 1:
        return in_base_unit(text)
    number, rest = None if _AMBIGUOUS.search(text) else reading(text), beside_number(text)
    if number is None or not number:
        return None
    if _FAHRENHEIT.fullmatch(rest):
        number -= 32
    return (rest, abs(number)) if number else None
