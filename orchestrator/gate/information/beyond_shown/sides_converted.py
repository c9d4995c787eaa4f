"""Sides of a thing that are converted to another unit than witnesses show: `28 x 13 x 31 in` as if they were cm.

Called by character_laws.py. How large the new unit is, the witnesses say: all their sides are as many times less.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import in_base_unit

LONGEST, MOST = 80, 4  # characters of a text that says sides, and how many these are
SEVERAL = 2
NEARLY = Decimal("0.05")  # of a side, by which it may have been rounded; by one of the new unit in any case
_TIMES = re.compile(r"\s?[x\u00d7*]\s?(?=\d)", re.IGNORECASE)
_SIDE = re.compile(r"(\d{1,6}(?:[.,]\d{1,3})?)\s?([^\W\d_]{1,12}|\"|\u2033)?\.?")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SURE = {"m": "meter", "in": "inch", '"': "inch", "\u2033": "inch"}  # what could be minutes, or a word


def sides_otherwise(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """A text whose sides do not become as large as those of the witnesses do."""
    sizes = [size / made for change in shown for size, made in _sides(*change) if made]
    if not sizes or max(sizes) > (1 + NEARLY) * min(sizes):
        return None
    unit = sorted(sizes)[len(sizes) // 2]
    for change in changed:
        if any(abs(made - size / unit) > max(Decimal(1), NEARLY * size / unit) for size, made in _sides(*change)):
            return "the sides are converted to another unit than the examples show", change
    return None


def _sides(before: str, after: str) -> list[tuple[Decimal, Decimal]]:
    """The size of each side, and the number that it became; nothing where their units are not known, or stay."""
    found = [_SIDE.fullmatch(part) for part in _TIMES.split(before.strip())] if len(before) <= LONGEST else []
    made = _NUMBER.findall(after)
    if not SEVERAL <= len(found) <= MOST or len(found) != len(made) or len(after) > LONGEST:
        return []
    sides = [(match[1].replace(",", "."), match[2]) for match in found if match]
    unit = sides[-1][1] if sides else None
    if unit is None or len(sides) != len(found) or re.search(rf"\d\s?{re.escape(unit)}\.?$", after, re.IGNORECASE):
        return []
    sizes = [in_base_unit(f"{number} {_word(own or unit)}") for number, own in sides]
    numbers = [reading(number) for number in made]
    return [(size[1], number) for size, number in zip(sizes, numbers, strict=True) if size and number is not None]


def _word(unit: str) -> str:
    return _SURE.get(unit.casefold(), unit)
