"""Fractions with a unit beside them as numbers: `1 1/2 cups` is `1.5 cups`, and so is `1½ cups`. Called by units.py.

Also by looked_up.py: whatever the word beside it means, the fraction is the same number with the same word.
"""

import re
import unicodedata
from decimal import Decimal

from orchestrator.gate.information.value_kinds.number_parsing import reading

LONGEST = 40
PLACES = 2  # of a number that is rounded; with fewer, nobody knows whether it is
_USUAL = frozenset({2, 3, 4, 5, 6, 8, 10, 12, 16, 32, 64})  # of parts of a unit; 120/80 is no fraction
_SIGNS = "\u00bc-\u00be\u2150-\u215e"
_FRACTION = re.compile(
    rf"([-+]?)(?:(\d{{1,4}})(?:\s+and\s+|\s*-\s*|\s+|(?=[{_SIGNS}])))?"
    rf"(?:(\d{{1,2}})\s?[/\u2044]\s?(\d{{1,2}})|([{_SIGNS}]))\s*([^\W\d_][^\d/]*|[\"\u2033'])"
)
_NUMBER = re.compile(r"([-+]?\d[\d.,]*)\s*(\D+)")


def with_decimals(text: str) -> str:
    """The text with its fraction as a number, where that is all that stands in it beside a unit."""
    found = _read(text)
    return text if found is None else f"{found[0]:f} {found[1]}"


def same_fraction_of_unit(before: str, after: str) -> bool | None:
    """Whether a fraction with a word becomes the same number with that word; None where it is no such change."""
    found, made = _read(before), _NUMBER.fullmatch(after.strip())
    number = reading(made[1]) if found and made else None
    if found is None or made is None or number is None or _folded(found[1]) != _folded(made[2]):
        return None
    places = max(0, -int(number.as_tuple().exponent))
    off = abs(found[0] - number)
    if not off or (places >= PLACES and off <= Decimal("0.51").scaleb(-places)):
        return True
    return None if places and off <= Decimal(1).scaleb(-places) else False


def _read(text: str) -> tuple[Decimal, str] | None:
    """The number, and what stands beside it."""
    found = _FRACTION.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if found is None:
        return None
    sign, whole, above, below, single, unit = found.groups()
    if single:
        above, _, below = unicodedata.normalize("NFKC", single).partition("\u2044")
    if not (above and below) or int(below) not in _USUAL or (not single and int(above) >= int(below)):
        return None
    number = Decimal(whole or 0) + Decimal(above) / Decimal(below)
    return (-number if sign == "-" else number), unit.strip()


def _folded(unit: str) -> str:
    return "".join(unit.casefold().split()).rstrip("s.")
