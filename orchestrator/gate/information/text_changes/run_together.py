"""Words and numbers that stood apart and are written as one, whatever parted them. Called by laws.py."""

import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.units import same_quantity

LONGEST = 60  # characters of a cell that is looked at
_WORDS = re.compile(r"([^\W\d_]{2,})( ?[\t/&+|,;-] ?| )([^\W\d_]{2,})")
_LIST, _LINKS = re.compile(r"\s*[;,|]\s*"), re.compile(r"[.\s]+")
_CAMEL = re.compile(r"[a-z\u00df-\u00ff][A-Z\u00c0-\u00de]")
_INITIALS = re.compile(r"\b([A-Z])\s?&\s?([A-Z])\b")
_TWO_SHORT = re.compile(r"(\d{1,2})\s?[-\u2013:/]\s?(\d{1,2})")
_TWO = re.compile(r"(\d+)(\s*[^\d.,\s][^\d.,]*)(\d+)\s*([^\d.,]*)")
ENOUGH = 3  # different numbers of a length that show that a column has such


def words_run_together(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Two words as one with a capital inside, and no other cell is written so: `Kitchen/Bath` as `KitchenBath`."""
    if any(one == other and isinstance(one, str) and _CAMEL.search(one) for one, other in cells):
        return None
    for before, after in changed:
        words = _WORDS.fullmatch(before.strip()) if len(before) <= LONGEST else None
        if words and after == words[1] + words[3] and words[3].istitle() and words[2] != " ":
            return "words are joined that stood apart", (before, after)
    return None


def initials_joined(changed: Sequence[Change]) -> Found | None:
    """The sign between two capitals that stand for words: `R&D` as `RD`."""
    for before, after in changed:
        initials = _INITIALS.search(before)
        if initials and re.search(rf"\b{initials[1]}{initials[2]}\b", after) and "&" not in after:
            return "the sign between two capitals is left out", (before, after)
    return None


def scores_joined(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Two short numbers as one, where no other cell has such numbers: the score `3-2` as 32."""
    stay = {one for one in unchanged_texts(cells) if one.isdecimal()}
    for before, after in changed:
        two = _TWO_SHORT.fullmatch(before.strip())
        short = two and min(map(len, two.groups())) == 1
        if two and short and after == two[1] + two[2] and sum(len(one) == len(after) for one in stay) < ENOUGH:
            return "two numbers become one", (before, after)
    return None


def items_run_together(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The sign between items goes, of which some have a blank: `van der Berg, Jan` as `van der Berg Jan`.

    Items are what stands between such signs, or alone, in several cells.
    """
    lists = [(change, _LIST.split(change[0].strip())) for change in changed if len(change[0]) <= LONGEST]
    joined = [
        (change, items)
        for change, items in lists
        if len(items) > 1 and _LINKS.sub(" ", change[1]).casefold().split() == " ".join(items).casefold().split()
    ]
    texts = {one for one, _ in cells if isinstance(one, str) and len(one) <= LONGEST} if joined else ()
    often = Counter(item for text in texts for item in {*_LIST.split(text.strip())})
    found = [
        (change, items)
        for change, items in joined
        if all(often[item] > 1 and item.replace(" ", "").isalpha() for item in items)
    ]
    blanks = any(" " in item for _, items in found for item in items)
    return ("the items of lists are no longer apart", found[0][0]) if blanks and len(found) > 1 else None


def made_decimal(changed: Sequence[Change]) -> Found | None:
    """Two numbers of two units as one with decimals: `11 st 4 lb` as 11.4, 51° 30' as 51.30."""
    for before, after in changed:
        two = _TWO.fullmatch(before.strip()) if len(before) <= LONGEST else None
        if (
            two is None
            or same_quantity(before, after)
            or not (two[4].strip() or re.search(r"[^\s:]", two[2]))
            or currency(two[2].strip())
        ):
            continue
        written = after.strip().lstrip("-").split(" ")[0]
        if written in {f"{two[1]}.{two[3]}", f"{two[1]}.{two[3].zfill(2)}", f"{two[1]}.{two[3].lstrip('0')}"}:
            return "two numbers of two units become one with decimals", (before, after)
    return None
