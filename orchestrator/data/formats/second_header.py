"""Whether the first row of data looks like a second row of headers: units under names, or names under letters.

It is read as data all the same, and a person is told. A first row of words is ordinary in columns of words, and so is
one number that is missing: it takes several columns that all say the same. Called by the readers of CSV and of sheets.
"""

import re
from collections.abc import Sequence

from orchestrator.data.text import clean_text

SAMPLE_ROWS = 300
_WORD = re.compile(r"\w+")
_LETTERS = 4  # in a value: a currency, a unit, the name of a month
_LEAST = 5  # other cells of a column of numbers
_LEAST_WORDS = 10  # other cells of a column of words: how they look must be known better
_NEARLY = 0.9
_NOTHING = frozenset(
    "na n/a n.a. nan none null nil -- --- ? . x unknown missing tbd tba pending free open void other".split()  # noqa: SIM905
)
_NO_UNIT = frozenset({"-", "\u2013", "[-]"})  # beside units: pH has none
_SHOWN = 2


def second_header_note(number: int, rows: Sequence[Sequence[str]]) -> str:
    """The clause about row `number`, the first of these, where it looks like a header; else empty."""
    if len(rows) <= _LEAST or not looks_like_header(rows):
        return ""
    words = [clean_text(cell.strip(), 30) for cell in rows[0] if cell.strip()]
    shown = ", ".join(f"'{word}'" for word in words[:_SHOWN]) + (", …" if words[_SHOWN:] else "")
    return f"row {number} may be a second header ({shown}), and is read as data: delete it if it is one"


def looks_like_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is unlike the others."""
    first = ["" if cell.strip() in _NO_UNIT else cell.strip() for cell in rows[0]]
    others = [[text for row in rows[1:] if (text := row[place].strip())] for place in range(len(first))]
    words = [word for word in first if word]
    if not words or any(word.casefold() in _NOTHING for word in words):
        return False
    if any(word and _stands_in(word, cells) for word, cells in zip(first, others, strict=True)):
        return False
    return _over_numbers(first, others) or _over_words(first, others)


def _over_numbers(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """No digit in columns of numbers or dates; one word tells it only where nothing else stands in the row."""
    numbers = [place for place, cells in enumerate(others) if _are_values(cells)]
    words = [first[place] for place in numbers if first[place]]
    if not words or any(_has_digit(first[place]) and not _is_name(first[place], others[place]) for place in numbers):
        return False
    if len(set(words)) == 1:
        return sum(map(bool, first)) == len(words) < len(first)
    return len(words) * 2 >= len(numbers)


def _is_name(word: str, cells: Sequence[str]) -> bool:
    """Whether a word with a digit begins with a letter, as no other cell does: `m2`, `WGS84`."""
    return word[0].isalpha() and not any(cell[0].isalpha() for cell in cells)


def _over_words(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Different words without a digit in all columns, most of which hold no other cell that looks like that."""
    if not all(first) or len(set(first)) < len(first) or any(map(_has_digit, first)):
        return False
    pairs = zip(first, others, strict=True)
    unlike = sum(len(cells) >= _LEAST_WORDS and _form(word) not in map(_form, cells) for word, cells in pairs)
    return unlike > 1 and unlike * 2 > len(first)


def _are_values(cells: Sequence[str]) -> bool:
    return len(cells) >= _LEAST and sum(map(_is_value, cells)) >= _NEARLY * len(cells)


def _is_value(text: str) -> bool:
    return _has_digit(text) and sum(map(str.isalpha, text)) <= _LETTERS


def _stands_in(word: str, cells: Sequence[str]) -> bool:
    known = word.casefold()
    return any(cell.casefold() == known for cell in cells)


def _has_digit(word: str) -> bool:
    return any(char.isdecimal() for char in word)


def _form(text: str) -> frozenset[str]:
    """How its words look: the kinds of characters of each, each once in a row."""
    return frozenset(map(_word_form, _WORD.findall(text[:100])))


def _word_form(word: str) -> str:
    kinds = ("9" if c.isdecimal() else "A" if c.isupper() else "a" for c in word)
    return re.sub(r"(.)\1+", r"\1", "".join(kinds))
