"""The mark between two numbers that becomes one of another kind: `3,5 bar` as `3:5 bar`. Called by number_sign_laws.py.

A decimal mark, the sign of a range and the sign of a ratio have no letters, and each says what its two numbers are.
"""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found, both_text
from orchestrator.gate.information.value_kinds.moments import moments
from orchestrator.gate.information.value_kinds.units import in_base_unit

MOST, LONGEST = 20, 4_000  # quantities of one text that are looked at, and characters of one
ENOUGH, TWO = 3, 2  # different ranges, all of which go up: parts of codes do not
THREE_FIGURES = 100  # no decimals in usual columns
_UNIT = r"([^\W\d_]{1,6}|[%°€$£])"
_MEASURED = re.compile(rf"(?<![\w.,:/-])(\d{{1,6}})[.,](\d{{1,3}})\s?{_UNIT}(?![\w/])")
_DECIMAL = re.compile(r"(\d{1,6})[.,](\d{1,3})(\D{0,20})")
_PAIR = re.compile(r"(\d{1,6})(\s?[^\w\s]\s?|\s|_)(\d{1,6})")
_LIST = re.compile(r"\d{1,6}(?:,\s?\d{1,6})+")
_ENDS = re.compile(r"(\d{1,6})\s?[-\u2013\u2014]\s?(\d{1,6})")
_MIXED = re.compile(r"\d{1,6}(?:[,\u2013\u2014-]\s?\d{1,6})+")
_APART = re.compile(r"(?<!\d)(?=(\d{1,6})(\s?[^\w\s.,]\s?|\s|_)(\d{1,3})(?!\d))")
_SIGNS, _GROUPS = frozenset("%°€$£"), frozenset(" \u00a0\u202f'\u2019_")
THOUSANDS = 3  # figures
_TIMES = frozenset({"time", "age"})
_RANGE, _LONG_DASH = frozenset("-\u2013\u2014"), frozenset("\u2013\u2014")
_YEAR = 4  # figures


def decimals_parted(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The decimal mark of a quantity, or of a number that other cells have with such a mark and keep."""
    stay = {
        found[3].strip().casefold()
        for one, other in cells
        if isinstance(one, str) and one == other and (found := _DECIMAL.fullmatch(one.strip()))
    }
    for before, after in changed:
        number = _DECIMAL.fullmatch(before.strip())
        alike = number is not None and number[3].strip().casefold() in stay
        decimals = {(number[1], number[2])} if number and alike else _measured(before, after)
        if decimals and decimals & (_parted(after) - _parted(before)) and not moments(before) & moments(after):
            return "a decimal mark becomes another sign", (before, after)
    return None


def _measured(before: str, after: str) -> set[tuple[str, str]]:
    """Both parts of each decimal quantity that is not in the text afterwards."""
    if max(len(before), len(after)) > LONGEST:
        return set()
    gone = [found for found in islice(_MEASURED.finditer(before), MOST) if found[0] not in after]
    return {(found[1], found[2]) for found in gone if found[3] in _SIGNS or _is_unit(found[3])}


def _is_unit(word: str) -> bool:
    quantity = in_base_unit(f"1 {word}")
    return quantity is not None and quantity[0] not in _TIMES


def _parted(text: str) -> set[tuple[str, str]]:
    """The pairs of numbers with a sign between them that parts neither decimals nor thousands."""
    found = _APART.findall(text[:LONGEST])
    return {(one, two) for one, sign, two in found if not (len(two) == THOUSANDS and sign in _GROUPS)}


def ranges_listed(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The sign of ranges, all of which go up, that becomes the one that lists of other cells have: `5-7` as `5,7`.

    A long dash stands for nothing but a range: a stroke or a blank is none either.
    """
    lists = any(both_text(cell) and cell[0] == cell[1] and _LIST.fullmatch(cell[0].strip()) for cell in cells)
    found = [
        change
        for change in changed
        if _range_in_list(*change) or ((ends := _ends(change)) and _is_listed(*ends, lists=lists))
    ]
    pairs = {(int(low), int(high)) for before, _ in found for low, high in _ENDS.findall(before)}
    rising = all(low < high for low, high in pairs)
    wide = len(pairs) >= TWO and any(high >= THREE_FIGURES for _, high in pairs)
    enough = len(pairs) >= ENOUGH or wide
    return ("the sign of a range becomes another one", found[0]) if rising and enough else None


def _range_in_list(before: str, after: str) -> bool:
    """Whether the range of a list of numbers is items as the others afterwards: `80-83,90` as `80,83,90`."""
    return (
        "," in before
        and _MIXED.fullmatch(before.strip()) is not None
        and _ENDS.sub(r"\1,\2", before) == after != before
    )


def range_exchanged(before: str, after: str) -> bool:
    """Whether the sign of a range becomes another one, as witnesses may show it of one range."""
    if _range_in_list(before, after):
        return True
    ends = _ends((before, after))
    return ends is not None and ends[0][2].strip() in _RANGE and ends[1][2].strip() not in _RANGE


def _ends(change: Change) -> tuple[re.Match[str], re.Match[str]] | None:
    """The two numbers of a cell, where they are the same afterwards."""
    one, other = (_PAIR.fullmatch(text.strip()) for text in change)
    return (one, other) if one and other and (one[1], one[3]) == (other[1], other[3]) else None


def _is_listed(before: re.Match[str], after: re.Match[str], *, lists: bool) -> bool:
    sign, now = before[2].strip(), after[2]  # a comma and a blank are how the parts of an object are written
    if sign not in _RANGE or now in _RANGE or (len(before[1]) == _YEAR == len(before[3]) and now == "/"):
        return False
    return (lists and now == ",") or (sign in _LONG_DASH and now in {" ", ",", ";", "/"})


def ratios_as_decimals(changed: Sequence[Change]) -> Found | None:
    """The colon of a score or of a ratio that becomes a comma, which parts decimals or items."""
    for change in changed:
        ends = _ends(change)
        if ends and ends[0][2].strip() == ":" and ends[1][2] == "," and not moments(change[0]):
            return "the sign of a ratio becomes another one", change
    return None
