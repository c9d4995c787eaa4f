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
_GROUPED = re.compile(r"[^\w.,]*\d{1,3}(,\d{3})+(\.\d+)?[^\w.,]*")
_WORDS_BESIDE = re.compile(r"^[^\W\d_]+(?:\.\s*|\s+)|(?:\s+°?[^\W\d_]|°[^\W\d_]|[^\W\d_]{2})[^\d+-]*$")
_SHORT = 60  # letters; of longer texts only the words are compared that differ, or one more would not count
_LONGEST, _MOST_WORDS = 1_000, 2_000  # letters, words: what is longer takes seconds, and is not alike


class CellKind(StrEnum):
    """From the most alarming to the least."""

    EMPTIED = "emptied"
    WORD = "another word"
    DIGITS = "digits"
    ORDER = "order of digits"
    SPELLING = "spelling"
    BESIDE = "words beside a number"
    FILLED = "filled"
    TYPE = "another type"
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
    if not (old_letters and new_letters) and (bare := _bare(old)) is not None and bare == _bare(new):
        return CellKind.BESIDE
    if old_digits != new_digits and not (old_letters and new_letters):
        return CellKind.ORDER if sorted(old_digits) == sorted(new_digits) else CellKind.DIGITS
    if not _alike(old, new, max(len(old_letters), len(new_letters))):
        return CellKind.WORD
    return CellKind.SPELLING if old_digits == new_digits else CellKind.DIGITS


def _number(text: str) -> tuple[str, ...] | None:
    """A number with what stands around it, without zeros at the end of its fraction: those say nothing."""
    found = _NUMBER.fullmatch(text.strip())
    return None if found is None else (found[1], found[2], (found[3] or "").rstrip("0"), found[4])


def _bare(text: str) -> tuple[str, ...] | None:
    """The number without the words around it and without commas between thousands; None where it is none.

    A letter that stands at the figures may be part of a code: A17, the house 12a.
    """
    bare = _WORDS_BESIDE.sub("", text.strip())
    return _number(bare.replace(",", "") if _GROUPED.fullmatch(bare) else bare)


def _digits(text: str) -> str:
    return "".join(str(unicodedata.digit(char)) for char in text if unicodedata.digit(char, None) is not None)


def _letters(text: str) -> str:
    return "".join(re.findall(r"[^\W\d_]", text.casefold()))


def _alike(old: str, new: str, letters: int) -> bool:
    """Whether the words look like other spellings of the same ones."""
    if letters <= _SHORT:
        return _likeness(_letters(old), _letters(new)) >= _ALIKE
    one, other = (re.findall(r"[^\W\d_]+", text.casefold()) for text in (old, new))
    most = min(len(one), len(other))
    start = next((at for at in range(most) if one[at] != other[at]), most)
    end = next((at for at in range(most - start) if one[-1 - at] != other[-1 - at]), most - start)
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    if len(one) + len(other) > _MOST_WORDS:
        return False
    parts = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return all(_likeness("".join(one[i:j]), "".join(other[k:n])) >= _ALIKE for _, i, j, k, n in parts)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() if max(len(one), len(other)) <= _LONGEST else 0.0
