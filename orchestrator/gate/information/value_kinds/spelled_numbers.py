"""Whole numbers in English words: `twenty-one`, `one hundred and five`. Called by amounts.py."""

import re

MAX_WORDS = 12
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_UNITS = {word: number for number, word in enumerate(_ONES)} | _TENS
_LARGE = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
TEN, HUNDRED = 10, 100


def spelled_number(text: str) -> int | None:
    """The number that the whole text spells; None where it spells none."""
    words = [word for word in re.split(r"[\s-]+", text.casefold().strip()) if word != "and"]
    if not 0 < len(words) <= MAX_WORDS:
        return None
    total, group, last = 0, 0, HUNDRED * TEN  # `last`: the size of what was said before; it falls within a group
    for word in words:
        if word in _UNITS:
            number = _UNITS[word]
            if number >= last or (group and not number) or (last < HUNDRED and (last % TEN or number >= TEN)):
                return None
            group, last = group + number, number or 1
        elif word == "hundred" and 0 < group < HUNDRED:
            group, last = group * HUNDRED, HUNDRED
        elif word in _LARGE and group and (not total or total % (_LARGE[word] * 1_000) == 0):
            total, group, last = total + group * _LARGE[word], 0, HUNDRED * TEN
        else:
            return None
    return total + group
