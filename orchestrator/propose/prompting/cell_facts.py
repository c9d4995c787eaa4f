"""What is said of a column that matters: its values, forms with exact lengths, extremes, signs and null words.

Pure functions over a column's cells, for `column_profile` and `record_context`.
"""

import math
import re
import unicodedata
from collections import Counter
from itertools import groupby
from typing import Any

from orchestrator.data.profile.missing_words import NULL_TOKENS
from orchestrator.data.writing.letterlike import LETTERLIKE

MOST_VALUES = 60  # a column with so many different values or fewer is shown with all of them
MOST_PATTERNS = 30
SEEN = 200  # characters of a text that are looked at, from its beginning or its end
_FEW_PATTERNS = 10  # where the forms say little: free text, or values that are all listed
_FREE_TEXT = 0.5  # share of cells with forms of their own from which on a column is free text
_NUMERIC = 0.8  # share of cells that are numbers from which on a text column has a smallest and a largest
_NUMBER = re.compile(r"\s*[-+]?\d[\d,']*(?:\.\d+)?\s*")
_NULL_WORDS = frozenset(NULL_TOKENS)
_LETTERLIKE = re.compile(f"[{LETTERLIKE}]")


def char_classes(value: object) -> list[str]:
    """9 for each digit, a and A for each letter, all else as it is."""
    letters = []
    for char in str(value)[:SEEN]:
        if char.isalpha():
            letters.append("A" if char.isupper() else "a")
        elif char.isnumeric():
            letters.append("9")
        elif not char.isascii() and (unicodedata.category(char)[0] == "M" or _LETTERLIKE.match(char)):
            letters.append("a")  # a vowel or an accent of the letter before, or what is read as a letter
        else:
            letters.append(char)
    return letters


def exact_pattern(value: object) -> str:
    """The form of a value with the exact length of each run: `A{2}-9{4}`; runs of up to three are written out."""
    if value is None:
        return "null"
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    runs = ((char, len(list(group))) for char, group in groupby(char_classes(value)))
    return "".join(f"{char}{{{n}}}" if n > 3 and char in "Aa9" else char * min(n, 20) for char, n in runs)


def forms(cells: list[Any], coarse: Counter[str]) -> list[tuple[str, int, Any]]:
    """Pattern, number of cells and one cell of each form: exact where that says something, else `coarse` ones.

    Of free text, without forms that one cell has.
    """
    exact: Counter[str] = Counter()
    first: dict[str, Any] = {}
    for cell in cells:
        form = exact_pattern(cell)
        exact[form] += 1
        first.setdefault(form, cell)
    if len(exact) > MOST_PATTERNS and len(exact) > _FREE_TEXT * len(cells):
        return [(form, n, None) for form, n in coarse.most_common(_FEW_PATTERNS) if n > 1]
    common = exact.most_common()
    if len(common) > MOST_PATTERNS:  # both ends: the usual ones and the rare ones
        common = [*common[: MOST_PATTERNS // 2], *common[-MOST_PATTERNS // 2 :]]
    return [(form, n, first[form]) for form, n in common]


def extremes(cells: list[Any]) -> tuple[Any, Any] | None:
    """The smallest and the largest value, of numbers and dates as such, also where they are text; None for the rest."""
    there = [c for c in cells if c is not None and not (isinstance(c, float) and math.isnan(c)) and c != ""]
    if not there or isinstance(there[0], bool | list | dict | bytes):
        return None
    if isinstance(there[0], str):
        numbers = [c for c in there if isinstance(c, str) and _NUMBER.fullmatch(c)]
        if len(numbers) < _NUMERIC * len(there):
            return None
        return min(numbers, key=_as_number), max(numbers, key=_as_number)
    try:
        return min(there), max(there)
    except TypeError:
        return None


def signs(cells: list[Any]) -> str:
    """Every character in use that is neither a letter nor a digit, the most frequent first."""
    counted: Counter[str] = Counter()
    for text, n in Counter(str(c) for c in cells if c is not None).items():
        for char in {*text[:SEEN], *text[-SEEN:]}:
            if not char.isalnum():
                counted[char] += n
    return "".join(sorted(counted, key=lambda char: (-counted[char], char))[:40])


def null_words(cells: list[Any]) -> list[tuple[str, int]]:
    """Words that often stand for nothing, as they are written, with how often."""
    found = Counter(c for c in cells if isinstance(c, str) and c.strip().lower() in _NULL_WORDS)
    return found.most_common(10)


def _as_number(text: str) -> float:
    return float(text.strip().replace(",", "").replace("'", ""))
