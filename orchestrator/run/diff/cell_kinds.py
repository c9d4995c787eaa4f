"""What kind of change a cell went through, for people who look for the alarming ones. Called by `data_diff`.

A change of letters' case or of blanks seldom loses anything; another digit or another word may be another fact.
"""

import re
import unicodedata
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache

_ALIKE = 0.75
_NUMBER = re.compile(r"([^\w.,]*)(\d+)(?:\.(\d+))?([^\w.,]*)")
_LONGEST = 1_000  # of longer texts only the beginning is compared letter by letter


class CellKind(StrEnum):
    """From the most alarming to the least."""

    EMPTIED = "emptied"
    WORD = "another word"
    DIGITS = "digits"
    ORDER = "order of digits"
    SPELLING = "spelling"
    FILLED = "filled"
    SIGNS = "signs"
    SAME_NUMBER = "same number"
    CASE = "case"
    BLANKS = "blanks"

    @property
    def rank(self) -> int:
        return list(CellKind).index(self)


@lru_cache(100_000)
def cell_kind(before: str | None, after: str | None) -> CellKind:
    """The kind of a change between two texts that differ; None is missing."""
    old, new = before or "", after or ""
    if not old.strip() or not new.strip():
        return CellKind.EMPTIED if old.strip() else CellKind.FILLED if new.strip() else CellKind.BLANKS
    old_dense, new_dense = "".join(old.split()), "".join(new.split())
    if old_dense == new_dense:
        return CellKind.BLANKS
    if old_dense.casefold() == new_dense.casefold():
        return CellKind.CASE
    if (number := _number(old)) is not None and number == _number(new):
        return CellKind.SAME_NUMBER
    old_digits, new_digits = _digits(old), _digits(new)
    old_letters, new_letters = _letters(old), _letters(new)
    if old_letters == new_letters:
        if old_digits == new_digits:
            return CellKind.SIGNS
        return CellKind.ORDER if sorted(old_digits) == sorted(new_digits) else CellKind.DIGITS
    if old_digits != new_digits and not (old_letters and new_letters):
        return CellKind.ORDER if sorted(old_digits) == sorted(new_digits) else CellKind.DIGITS
    likeness = SequenceMatcher(None, old_letters[:_LONGEST], new_letters[:_LONGEST], autojunk=False).ratio()
    if likeness < _ALIKE:
        return CellKind.WORD
    return CellKind.SPELLING if old_digits == new_digits else CellKind.DIGITS


def _number(text: str) -> tuple[str, ...] | None:
    """A number with what stands around it, without zeros at the end of its fraction: those say nothing."""
    found = _NUMBER.fullmatch(text.strip())
    return None if found is None else (found[1], found[2], (found[3] or "").rstrip("0"), found[4])


def _digits(text: str) -> str:
    return "".join(str(unicodedata.digit(char)) for char in text if unicodedata.digit(char, None) is not None)


def _letters(text: str) -> str:
    return "".join(re.findall(r"[^\W\d_]", text.casefold()))
