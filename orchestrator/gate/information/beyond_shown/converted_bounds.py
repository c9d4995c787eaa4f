"""Quantities that become others where they are converted: a bound without its sign, a ton as a kilogram, pieces.

Called by character_laws.py. That a number of another unit is converted, as a witness shows, says nothing of these.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import in_base_unit, names_unit

LONGEST = 40  # characters of a text that says one quantity
ENOUGH = 2  # different weights in other units that show of what the column is
_BOUND = re.compile(r"\s*(?:[<>\u2264\u2265]=?)\s*\d[\d.,]*\s?[^\W\d_]{0,12}\.?\s*")
_QUANTITY = re.compile(r"\s*([-+]?\d[\d.,' ]{0,15}?)\s?([^\W\d_]{1,12})?\.?\s*")
_TONS = re.compile(r"\s*(\d[\d.,]{0,12})\s?[tT]\s*")
_TON = Decimal(1_000_000)  # grams
_NEARLY = Decimal("0.2")  # a short ton is less, a long one more
_COUNTED = frozenset({"pair", "pairs", "dozen", "dozens", "doz", "dz", "dutzend", "gross", "paar", "score"})
_PIECES = frozenset(
    {"pc", "pcs", "piece", "pieces", "stk", "st\u00fcck", "unit", "units", "ea", "each", "item", "items"}
)
_MEASURED = frozenset({"mass", "length", "volume", "area"})


def converted_bound(changed: Sequence[Change]) -> Found | None:
    """A bound that becomes another number without its sign: `< 4 kg` as `4000 g`."""
    for before, after in changed:
        if len(before) > LONGEST or not _BOUND.fullmatch(before) or not _QUANTITY.fullmatch(after):
            continue
        one, other = reading(before.strip().lstrip("<>=\u2264\u2265 ")), reading(after)
        if one is not None and other is not None and one != abs(other):
            return "a bound is converted like a number, and loses its sign", (before, after)
    return None


def ton_misconverted(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A ton among other weights that becomes another weight: `2 t` as `2000 g`."""
    tons = [change for change in changed if len(change[0]) <= LONGEST and _TONS.fullmatch(change[0])]
    if not tons:
        return None
    weights = {one for one, _ in cells if isinstance(one, str) and len(one) <= LONGEST and _dimension(one) == "mass"}
    for before, after in tons if len(weights) >= ENOUGH else ():
        number, made = reading(before.strip().rstrip("tT ")), in_base_unit(after)
        if number and made and made[0] == "mass" and abs(made[1] / (number * _TON) - 1) > _NEARLY:
            return "a ton becomes another weight", (before, after)
    return None


def count_word_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word that counts goes, and its number stays beside numbers of single pieces: `4 pairs` as `4`."""
    found = next((change for change in changed if _bare(change, _COUNTED)), None)
    if found is None:
        return None
    single = (one for one, other in cells if isinstance(one, str) and isinstance(other, str))
    if any((match := _quantity(one)) and (match[2] or "").casefold() not in _COUNTED for one in single):
        return "a word that counts is left out, and its number stays as it is", found
    return None


def measure_as_count(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A weight or a length that becomes a bare number where pieces do: `4 kg` as `4` beside `12 pcs` as `12`."""
    measured = [change for change in changed if (match := _left_bare(change)) and _is_measure(match)]
    if not measured:
        return None
    texts = [(str(one), str(other)) for one, other in cells]
    pieces = any(_bare(one, _PIECES | _COUNTED) for one in texts)
    return ("a quantity becomes a number like those of pieces", measured[0]) if pieces else None


def _quantity(text: str) -> re.Match[str] | None:
    return _QUANTITY.fullmatch(text) if len(text) <= LONGEST else None


def _left_bare(change: Change) -> re.Match[str] | None:
    """The number and its word, where only the number is left."""
    match = _quantity(change[0])
    if match is None or not match[2] or any(map(str.isalpha, change[1])):
        return None
    one = reading(match[1])
    return match if one is not None and one == reading(change[1]) else None


def _bare(change: Change, words: frozenset[str]) -> bool:
    match = _left_bare(change)
    return match is not None and match[2].casefold() in words


def _is_measure(match: re.Match[str]) -> bool:
    return names_unit(match[2]) and _dimension(f"1 {match[2]}") in _MEASURED


def _dimension(text: str) -> str:
    found = in_base_unit(text)
    return found[0] if found else ""
