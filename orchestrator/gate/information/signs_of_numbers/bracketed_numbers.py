"""Whole numbers in brackets, which are below zero among other numbers: `(4)` as `4`. Called by number_sign_laws.py,
figures_changed.py.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading

ENOUGH = 3  # different numbers without brackets, and half of the column
_BRACKETS = re.compile(r"\(\s*(\d{1,15})\s*\)")
_BARE = re.compile(r"[-\u2212+]?\s?\d{1,15}(?:[.,]\d{1,9})*")
_AMOUNT = re.compile(r"\(\d{1,3}(?:,\d{3})+\.\d\d\)|-?\d{1,3}(?:,\d{3})+\.\d\d-?")
_BELOW = re.compile(r"[-\u2212]\s?\d")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_YEARS = 10  # different ones, and no other number: no loss stands in brackets among them


def brackets_opened(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A number that loses its brackets and gets no minus, in a column of numbers that are not all years."""
    opened = [change for change in changed if bracket_opened(*change)]
    if not opened or not _is_numeric(cells) or _are_years(opened, cells):
        return None
    return "a number in brackets becomes one above zero", opened[0]


def below_zero(changed: Sequence[Change], cells: Sequence[Change]) -> set[Change]:
    """The changes that write a number in brackets with a minus, where the column has other numbers below zero."""
    booked = {change for change in changed if _booked(*change)}
    below = booked and any(isinstance(one, str) and _BELOW.match(one.strip()) for one, _ in cells)
    return booked if below and _is_numeric(cells) else set()


def one_amount(text: str) -> str:
    """An amount of an account, without the marks of its thousands: `(6,144.81)` and `3,659.68-` are one number."""
    return text.replace(",", "") if _AMOUNT.fullmatch(text.strip()) else text


def bracket_opened(before: str, after: str) -> bool:
    """Whether a number loses its brackets alone, as witnesses may show it."""
    number = _BRACKETS.fullmatch(before.strip())
    return number is not None and 0 != Decimal(number[1]) == reading(after) and not _BELOW.match(after.strip())


def _are_years(opened: Sequence[Change], cells: Sequence[Change]) -> bool:
    """Whether all numbers are years of four digits, those in brackets, too, and many are different: `(1961)`."""
    bare = {text for one, _ in cells if isinstance(one, str) and _BARE.fullmatch(text := one.strip())}
    years = [*bare, *(before.strip(" ()") for before, _ in opened)]
    return len(bare) >= _YEARS and all(_YEAR.fullmatch(text) for text in years)


def _booked(before: str, after: str) -> bool:
    number = _BRACKETS.fullmatch(before.strip())
    return number is not None and 0 != Decimal(number[1]) == -(reading(after) or 0)


def _is_numeric(cells: Sequence[Change]) -> bool:
    """Whether the cells are numbers, as many of them without brackets as in brackets at least."""
    texts = {one.strip() for one, _ in cells if isinstance(one, str) and one.strip()}
    bracketed = {text for text in texts if _BRACKETS.fullmatch(text)}
    bare = {text for text in texts if _BARE.fullmatch(text)}
    return len(bare) >= max(ENOUGH, len(bracketed)) and len(bare) + len(bracketed) == len(texts)
