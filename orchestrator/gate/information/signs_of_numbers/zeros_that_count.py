"""Zeros behind a point that are no decimals: of thousands, and of codes. Called by character_laws.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts

ENOUGH = 2  # different numbers that show that the column's points are of thousands
_GROUPED = re.compile(r"\d{1,3}\.(\d{3})(?!\d)(?!\.)")
_DECIMAL = re.compile(r"\d\.(?:\d{1,2}|\d{4,9})(?![\d.])")
_THOUSANDS = re.compile(r"(\d{1,3})\.000(?![\d.])")
_NUMBER = re.compile(r"\d+")
_CODE = re.compile(r"([A-Z]{1,3}\d{2,4})\.0{1,4}")


def thousands_as_decimals(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Thousands that go as if they were decimals: `45.000` as `45`, beside `18.500` and `22.012`, which stay."""
    stay = unchanged_texts(cells)
    grouped = {one for one in stay if (found := _GROUPED.match(one)) and found[1] != "000"}
    if len(grouped) < ENOUGH or any(map(_DECIMAL.search, stay)):
        return None
    for before, after in changed:
        number, made = _THOUSANDS.match(before), _NUMBER.findall(after)
        if number and made[:1] == [number[1]] and "000" not in made:
            return "thousands go as if they were decimals", (before, after)
    return None


def zeros_of_codes_gone(changed: Sequence[Change]) -> Found | None:
    """A code whose zeros behind the point go: `Z00.00` is another one than `Z00`."""
    found = ((code, (before, after)) for before, after in changed if (code := _CODE.fullmatch(before.strip())))
    return next((("zeros of a code go", one) for code, one in found if one[1].strip() == code[1]), None)
