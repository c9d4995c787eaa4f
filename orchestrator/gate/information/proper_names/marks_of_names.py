"""Signs and capitals that belong to a name: the hyphen of two, the comma between several. Called by name_laws.py."""

import re
from collections.abc import Sequence
from itertools import pairwise

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.proper_names.company_forms import LONGEST

ENOUGH = 3  # different cells that lose it
SHORTEST = 3  # letters of a name, and of no unit such as \u00b5L
MOST_WORDS = 5  # of a name
_WORD = re.compile(r"[^\W\d_]+")
_SMALL = re.compile(
    r"(?<![^\W_])(van|von|de|der|den|del|della|di|da|du|la)(?= (?:(?:de|der|den|la|las|los) )?[A-Z][a-z])"
)
_DOUBLE = re.compile(r"(?<![\w-])([^\W\d_]{2,30})-([^\W\d_]{2,30})(?![\w-])")
_NAME = re.compile(r"(?:[^\W\d_]+[.,]?|[^\W\d_]+(?:['\u2019-][^\W\d_]+)+,?)")
_LISTED = re.compile(
    r"([^\W\d_]{2,40}), ([^\W\d_]{2,40}(?: [^\W\d_]{1,40})?,? (?:&|and|und|et|y|e|o|or|oder) [^\W\d_]{2,40})"
)


def capital_behind_mark(changed: Sequence[Change]) -> Found | None:
    """A letter with a mark taken for the end of a word, so that a capital comes inside: `Garc\u00cdA`."""
    for before, after in changed:
        if before.isascii() or len(before) > LONGEST:
            continue
        had = {word.casefold(): word for word in _WORD.findall(before)}
        for word in _WORD.findall(after):
            old = had.get(word.casefold(), "")
            same = len(old) >= SHORTEST and old in (old.upper(), old.lower(), old.capitalize())
            if same and _has_capital_at_mark(word):
                return "a capital comes to stand inside a word, at a letter with a mark", (before, after)
    return None


def small_word_capitalised(changed: Sequence[Change]) -> Found | None:
    """The small word in front of a family name gets a capital: `de la Cruz, Ada` as `Ada De La Cruz`."""
    for before, after in changed:
        small = _SMALL.findall(before) if len(before) <= LONGEST else []
        words = _WORD.findall(after) if small else []
        if any(word.capitalize() in words and word not in words for word in small):
            return "the small word of a name gets a capital", (before, after)
    return None


def _has_capital_at_mark(word: str) -> bool:
    return any(
        other.isupper() and not (one + other).isascii() and word[:at].lower() != word[:at].upper()
        for at, (one, other) in enumerate(pairwise(word), 1)
        if not word.isupper() and (one.islower() or not one.isascii())
    )


def double_names_parted(changed: Sequence[Change]) -> Found | None:
    """The hyphen of double names, in several names: `Ada Smith-Roe` as `Ada Smith Roe` has another last name."""
    found = {change: None for change in changed if a_double_name_parted([change])}
    return ("the hyphen of a double name is left out", next(iter(found))) if len(found) >= ENOUGH else None


def a_double_name_parted(changed: Sequence[Change]) -> Found | None:
    """The same of one name, as a witness may show it."""
    for before, after in changed:
        words = before.split() if len(before) <= LONGEST else []
        if not 1 < len(words) <= MOST_WORDS or not all(map(_NAME.fullmatch, words)):
            continue
        theirs = f" {after.casefold()} "
        for one, other in _DOUBLE.findall(before):
            if one[0].isupper() and other[0].isupper() and f" {one} {other} ".casefold() in theirs:
                return "the hyphen of a double name is left out", (before, after)
    return None


def listed_names_joined(changed: Sequence[Change]) -> Found | None:
    """The comma between the first two of several: `Knuth, Hopper & Roe` as `Knuth Hopper & Roe`, who are two."""
    for before, after in changed:
        text = after.casefold()
        for one, others in _LISTED.findall(before[:LONGEST]):
            if f"{one} {others}".casefold() in text:
                return "the comma between two of several names is left out", (before, after)
    return None
