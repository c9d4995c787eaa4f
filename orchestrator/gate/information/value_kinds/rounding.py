"""How far a number may be off that was converted from one unit to another. Called by units.py."""

import re
from decimal import Decimal

PLACE = Decimal("0.51")  # of the last place: rounded, not cut off
NOISE = Decimal("1e-9")  # of what has an exact factor
FAR_OFF = Decimal("0.1")  # further than that, a number is no rounded one: 36 hours are no day
NEARLY = Decimal("0.006")  # a mile is 1.6 kilometres
ROUNDED = Decimal("0.02")  # people convert by 2.2 pounds, 28 grams and 30 millilitres
_HALF = Decimal("0.5000001")  # of the last place
ALIKE = Decimal("1.25")  # how many times as large a unit may be that is taken for another one
MILE = Decimal("1609.344")
_BINARY = re.compile(r"[kmgt]ib\b", re.IGNORECASE)
_INCHES_AND_FEET = {Decimal("0.0254"), Decimal("0.3048")}


def close(wanted: Decimal, number: Decimal, step: Decimal, factor: Decimal | None) -> bool:
    """Whether a number is what it should be, to its last place (`step`); without a factor, to the last birthday."""
    if factor is None:
        return abs(wanted - number) <= (step if step >= 1 else step * PLACE)
    return abs(wanted - number) <= max(min(step * PLACE, FAR_OFF * wanted), factor * wanted)


def of_one_family(dimension: str, base: Decimal, units: set[Decimal], text: str) -> set[Decimal]:
    """Of bytes, the units that are powers of 1000 as the base is, or of 1024: nobody means a half of each by kB and MB.

    Unless the text tells them apart, as MiB does.
    """
    if dimension != "data" or _BINARY.search(text):
        return units
    return {unit for unit in units if any(_is_power(base, of) and _is_power(unit, of) for of in (1000, 1024))}


def _is_power(size: Decimal, of: int) -> bool:
    while size > 1:
        size /= of
    return size == 1


def tolerance(base: Decimal, unit: Decimal, *, written: bool) -> Decimal:
    """By what share the number may be off. Of units that nobody writes, those of nearly the same size are exact."""
    large, small = max(base, unit), min(base, unit)
    if not large % small or (not written and ALIKE * small > large):
        return NOISE  # one is a whole number of the other, and so nobody rounds: minutes, millimetres
    return NEARLY if MILE in (base, unit) else NOISE if {base, unit} & _INCHES_AND_FEET else ROUNDED


def last_place(number: Decimal) -> Decimal:
    """What the last decimal of a number is worth; 1 where it has none."""
    return Decimal(1).scaleb(min(int(number.as_tuple().exponent), 0))


def factors(before: Decimal, after: Decimal) -> tuple[Decimal, Decimal]:
    """The smallest and the largest factor that gives the number afterwards, which may be rounded."""
    step = last_place(after)
    return (after - step * _HALF) / before, (after + step * _HALF) / before
