"""Whether numbers that lose their unit stand on the scale of those that never had one. Called by laws.py."""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column_evidence.left_out import cut_end
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import other_unit, same_quantity, same_unit

FEW_NUMBERS = 4  # of each kind that show on which scale a column is
FEW_UNITS = 3  # different numbers of a unit, or without one, that show what it is
APART = 8  # times as large, on the whole, and no number among the others
FAR_APART = 20  # times as large: two numbers are enough to show it
OTHER_SCALE = 20  # times as large as fractions are percentages, at least
_SIZES = frozenset({"k", "tsd", "thousand", "lakh", "mio", "million", "crore", "mrd", "bn", "billion", "dozen"})
_SIZES_OF = frozenset({"eu", "uk", "us", "au", "jp"})  # sizes of clothes and shoes
_POWER = re.compile(r"\d\s?([^\W\d_]{1,2}[\u00b2\u00b323])$")
_MILLIBARS = frozenset({"mb", "mbar", "millibar", "millibars", "hpa"})  # mb is a megabyte beside other sizes
_DEGREES = frozenset({"c", "f", "k"})
_OUT_OF = re.compile(r".*?(?:/|out of)\s*(\d+)\D*")
_WITH_UNIT = re.compile(r"[+-]?\d+(?:[.,]\d+)*\s?(?:°\s?)?([^\W\d_]{1,12}|[^\w\s.,])")
_BESIDE = re.compile(r"(-?\d+(?:\.\d+)?)\s*[^\d.,\s+].*")
_BEHIND = re.compile(r"[^\d.,-]+(\d+(?:\.\d+)?)")
_PERCENT = re.compile(r"\s*([+-]?\d+(?:[.,]\d+)?)\s?%\s*")
_OF_TIME = re.compile(r"\d\s?(?:h|hrs?|hours?|s|sec|min)\b", re.IGNORECASE)
_TENS = ({"km": 3, "m": 0, "cm": -2, "mm": -3}, {"t": 6, "kg": 3, "g": 0, "mg": -3}, {"l": 0, "cl": -2, "ml": -3})
_SCALE = "numbers that lose their unit are on another scale than those that have none"


def scale_changed(texts: Sequence[Change], cells: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """Numbers that lose their unit or sign beside others that never had one: both are on one scale.

    Where other units are converted to the same one, the numbers that they become are on that scale, too.
    """
    if any(_scaled_of(change) is not None or _unit_shown_gone(*change) for change in shown):
        return None
    bare = [number for one, other in cells if one == other and (number := _bare(one)) is not None]
    stripped = [(number, change) for change in texts if (number := _scaled_of(change) or _paid(change)) is not None]
    if len(bare) < FEW_NUMBERS or len(stripped) < 2:
        return None
    numbers = [number for number, _ in stripped]
    apart = min(numbers) > max(bare) or max(numbers) < min(bare)
    ratio = _middle(numbers) / (_middle(bare) or Decimal(1))
    if len(stripped) < FEW_NUMBERS and 1 / FAR_APART < ratio < FAR_APART:
        return None
    if apart and (ratio >= APART or ratio <= 1 / APART):
        converted = [number for change in texts if same_quantity(*change) and (number := _bare(change[1])) is not None]
        if not converted or not min(*numbers, *converted) < _middle(bare) < max(*numbers, *converted):
            return _SCALE, stripped[0][1]
    for _, change in stripped:
        of = _OUT_OF.fullmatch(change[0])
        if of and 2 * max(bare) <= Decimal(of[1]) and max(numbers) > max(bare):
            return _SCALE, change
    return None


def in_another_unit(texts: Sequence[Change], cells: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """`1.81 m` as 1.81 beside 160 to 190: outside of the numbers that have no unit, and in centimetres among them."""
    settled = {_unit_of(before) for before, _ in shown}
    bare = [number for one, other in cells if one == other and (number := _bare(one))]
    if len(set(bare)) < FEW_UNITS:
        return None
    least, most = min(bare) / 2, max(bare) * 2
    settled |= {"m"} if any(_OF_TIME.search(before) for before, _ in texts) else set()  # of minutes
    for change in texts:
        number = _scaled_of(change)
        if not number or least <= number <= most or (unit := _unit_of(change[0])) in settled:
            continue
        if any(least <= 2 * other and other <= 2 * most for other in _in_units_beside(number, unit)):
            return _SCALE, change
    return None


def _in_units_beside(number: Decimal, unit: str) -> list[Decimal]:
    """The number of a unit in the other units of tens of it; degrees of Fahrenheit in those of Celsius."""
    if unit == "f":
        return [(number - 32) * 5 / 9]
    own = [(tens, power) for tens in _TENS for name, power in tens.items() if name == unit or same_unit(name, unit)]
    return [number.scaleb(power - other) for tens, power in own for other in tens.values() if other != power]


def _bare(text: Any) -> Decimal | None:
    return abs(Decimal(text)) if isinstance(text, str) and re.fullmatch(r"-?\d+(?:\.\d+)?", text) else None


def _scaled_of(change: Change) -> Decimal | None:
    """The number that stood beside a unit, a sign or a scale, and stands alone."""
    number, beside = _bare(change[1]), _BESIDE.fullmatch(change[0])
    return number if number is not None and beside and _bare(beside[1]) == number else None


def _paid(change: Change) -> Decimal | None:
    """The amount that stood behind a currency, and stands alone."""
    return _bare(change[1]) if _number_behind(change) and currency(_unit_of(change[0])) else None


def _unit_shown_gone(before: str, after: str) -> bool:
    """Whether a currency goes, however the amount is written."""
    return bool(currency(_unit_of(before))) and not currency(_unit_of(after))


def _middle(numbers: Sequence[Decimal]) -> Decimal:
    return sorted(numbers)[len(numbers) // 2]


def units_left_out(texts: Sequence[Change], cells: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """Numbers of different units or currencies that lose them and stay as they are: $5 and €5 are not both 5."""
    by_unit: dict[str, list[Change]] = defaultdict(list)
    for change in texts:
        if _bare(change[1]) == 0:
            continue  # of any unit
        if _scaled_of(change) is not None or _number_behind(change):
            by_unit[_unit_of(change[0])].append(change)
        elif unit := _unit_cut(*change):
            by_unit[unit].append(change)
    bare = {before for before, after in cells if before == after and _bare(before) is not None}
    sized = [found for unit, found in by_unit.items() if _sized(unit)]
    if sized and len(bare) >= FEW_UNITS and not any(_sized(before) for before, _ in shown):
        return "thousands are left out beside numbers that have none", sized[0][0]
    witnessed = {_unit_of(before) for before, _ in shown}
    for one, other in combinations(by_unit, 2):
        if _unlike(one, other) and not {one, other} & witnessed:
            return "different units are left out, and the numbers stay as they are", by_unit[other][0]
    return None


def _sized(text: str) -> bool:
    return any(word in _SIZES for word in words(text))


def _number_behind(change: Change) -> bool:
    """Whether the number that stood behind a unit or a sign stands alone."""
    number, behind = _bare(change[1]), _BEHIND.fullmatch(change[0].strip())
    return number is not None and behind is not None and _bare(behind[1]) == number


def _unit_cut(before: str, after: str) -> str:
    """The unit that goes from behind several numbers: `cm` of `20 x 30 cm`."""
    cut = cut_end(before, after)
    return cut.end.strip().casefold() if cut and not cut.front and cut.kept[-1:].isdigit() else ""


def _unit_of(text: str) -> str:
    """What stands beside the numbers of a text; `m\u00b2` and `m2` are no metres."""
    power = _POWER.search(text.strip())
    return power[1].casefold() if power else " ".join(words(text))


def _unlike(one: str, other: str) -> bool:
    """Whether the two are units of one dimension, currencies or scales of temperature, and not the same."""
    if {one, other} <= _MILLIBARS:
        return False
    currencies = currency(one), currency(other)
    return (
        {one, other} <= _DEGREES
        or {one, other} <= _SIZES_OF
        or other_unit(one, other)
        or (all(currencies) and not currencies[0] & currencies[1])
    )


def shares_left_out(texts: Sequence[Change], cells: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """`19%` as 19 beside fractions of one."""
    bare = [number for one, other in cells if one == other and (number := _bare(one)) is not None]
    if any("%" in before and _bare(after) is not None for before, after in shown) or len(set(bare)) < FEW_UNITS:
        return None
    if max(bare) > 1 or all(number == number.to_integral_value() for number in bare):
        return None
    kept = [change for change in texts if change[0].strip().endswith("%") and (_scaled_of(change) or 0) > 1]
    return (_SCALE, kept[0]) if kept else None


def percent_as_fraction(texts: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """`67%` as 0.67 beside 88, 42 and 91."""
    bare = [number for one, other in cells if one == other and (number := _bare(one)) is not None]
    if len(set(bare)) < FEW_NUMBERS or _middle(bare) <= 1:
        return None
    for before, after in texts:
        share, number = _PERCENT.fullmatch(before), _bare(after)
        if share and number and 100 * number == abs(Decimal(share[1].replace(",", "."))) and number <= 1:
            return "percentages become fractions of one beside numbers that are none", (before, after)
    return None


def unit_added(texts: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A bare number that gets a unit where other cells end with another one: 5 may be 5 kg and 5 g."""
    there: dict[str, set[Decimal]] = defaultdict(set)
    beside = [cell for cell in cells if isinstance(cell[1], str) and not _unit_put_behind(str(cell[0]), cell[1])]
    for text in {text for cell in beside for text in cell if isinstance(text, str)}:
        if unit := _unit_behind(text):
            there[unit] |= {abs(number) for number in [reading(re.sub(r"[^\d.]", "", text))] if number is not None}
    for before, after in texts:
        added = _unit_put_behind(before, after)
        others = [numbers for unit, numbers in there.items() if added and _unlike(added, unit)]
        if others and not _only_among(_bare(before.strip()), there[added], others):
            return "a number gets a unit, and other cells have another one", (before, after)
    return None


def _only_among(number: Decimal | None, own: set[Decimal], others: Sequence[set[Decimal]]) -> bool:
    """Whether a number lies among those of one unit, of which there are enough, and not among those of the others."""
    if number is None or len(own) < FEW_NUMBERS or not min(own) <= number <= max(own):
        return False
    return not any(numbers and min(numbers) <= number <= max(numbers) for numbers in others)


def share_as_percent(texts: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """`0.45` as `0.45%` beside `37%`: fractions of one that become hundredths."""
    put = [(number, change) for change in texts if _unit_put_behind(*change) == "%" and (number := _bare(change[0]))]
    of_others = [_bare(match[1]) for one, _ in cells if isinstance(one, str) and (match := _PERCENT.fullmatch(one))]
    known = [number for number in of_others if number is not None]
    if len({number for number, _ in put}) < FEW_NUMBERS or len(set(known)) < FEW_NUMBERS:
        return None
    if max(number for number, _ in put) > 1 or _middle(known) < OTHER_SCALE * _middle([number for number, _ in put]):
        return None
    return "fractions of one get the sign of hundredths", put[0][1]


def _unit_put_behind(before: str, after: str) -> str:
    number = _bare(before.strip())
    same = number is not None and (after.startswith(before.strip()) or reading(re.sub(r"[^\d.-]", "", after)) == number)
    return _unit_behind(after) if same else ""


def _unit_behind(text: Any) -> str:
    found = _WITH_UNIT.fullmatch(text.strip()) if isinstance(text, str) else None
    return found[1].casefold() if found else ""
