"""Texts that lose the letter that tells them apart, or end after a number of signs. Called by character_laws.py."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.text_changes.words_changed import spells
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.known_words import DECORATION, same_thing, things

LONGEST, MANY = 200, 5  # characters of a text, and rows that have a value
SEVERAL = 2  # different items that go
COMPARED = 500  # pairs of items that go from equal lists
LEAST = 4  # letters that a cut leaves: months and days have short forms of three
NAMES = 6  # different names, beside which a number alone is none
# With these no name ends: what follows belongs to them.
_GO_ON = frozenset(
    {"van", "von", "vom", "de", "der", "den", "del", "della", "di", "da", "du", "of", "and", "the", "und"}
)
_LETTERS = re.compile(r"[^\W\d_]{3}")
_LABELLED = re.compile(r"(.*[a-z\u00df-\u00ff]{2,}) ([A-Z])\.?")


def labels_lost(changed: Sequence[Change], *, letters: int = 2) -> Found | None:
    """The capital behind a word, and of several cells different ones: `Series A` and `Series B` as `Series`."""
    lost: dict[str, Change] = {}
    for before, after in changed:
        cut = len(before) <= LONGEST and before.startswith(after.strip())
        labelled = _LABELLED.fullmatch(before.strip()) if cut else None
        if labelled and labelled[1] == after.strip():
            lost.setdefault(labelled[2], (before, after))
    return (
        ("the letters that tell values apart are left out", next(iter(lost.values()))) if len(lost) >= letters else None
    )


def merged_without_an_item(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Lists that differ in an item, and many rows have each: `Crime, Drama` and `Comedy, Drama` as `Drama`.

    No other name of the same thing, and nothing that names say beside (`Ltd`).
    """
    pairs = [(change, gone) for change in changed if (gone := item_gone(*change))]
    if len({gone for _, gone in pairs}) < SEVERAL:
        return None
    rows = Counter(before for before, _ in cells if isinstance(before, str))
    left: dict[str, dict[str, Change]] = {}
    for change, gone in pairs:
        if rows[change[0]] >= MANY:
            left.setdefault(change[1].strip().casefold(), {}).setdefault(gone, change)
    for lost in left.values():
        for one, other in islice(combinations(lost, 2), COMPARED):
            if not spells(one, other) and not same_thing(one, other):
                return "values that differ in an item become one", lost[one]
    return None


def item_gone(before: str, after: str) -> str:
    """The one item that a list of words loses; "" where it is otherwise."""
    items = [part.strip().casefold() for part in re.split("[,;|]", before)] if len(before) <= LONGEST else []
    rest = [part.strip().casefold() for part in re.split("[,;|]", after)]
    if len(items) != len(rest) + 1 or not all(re.search(r"[^\W\d_]{3}", item) for item in items):
        return ""
    gone = [item for item in items if item not in rest]
    return gone[0] if len(gone) == 1 and gone[0] not in DECORATION else ""


def countries_cut(changed: Sequence[Change]) -> Found | None:
    """A country that is none any more, as a word of its name is left out: `United States` as `States`."""
    for before, after in changed:
        left = set(words(before)) > set(words(after)) != set()
        if left and things("country", before.strip()) and not things("country", after.strip()):
            return "a word is left out of the name of a country", (before, after)
    return None


def cut_in_words(changed: Sequence[Change], *, ends: int = 2) -> Found | None:
    """Texts of several words that all end after the same number of signs, inside of a word: `United Sta`."""
    cuts = [change for change in changed if change[0].startswith(change[1].rstrip())]
    lengths = {len(after) for _, after in cuts}
    if len(cuts) < len(changed) or len(lengths) != 1 or (length := lengths.pop()) <= LEAST:
        return None
    inside = {
        parts[-1]: (before, after)
        for before, after in cuts
        if len(parts := after.split()) > 1 and after[-1].isalpha() and before[length : length + 1].islower()
    }
    return ("texts are cut inside of a word", next(iter(inside.values()))) if len(inside) >= ends else None


def cut_before_the_name(changed: Sequence[Change]) -> Found | None:
    """A name that ends with a word that goes on: `James van Dyk` as `James van`."""
    for before, after in changed:
        parts, rest = after.split(), before.split()
        if len(parts) > 1 and parts[-1] in _GO_ON and len(rest) > len(parts) and rest[: len(parts)] == parts:
            return "a name is cut behind a word that goes on", (before, after)
    return None


def only_its_number_left(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """`Xerox 1967` as `1967`, beside other names that stay and no number alone."""
    short = [change for change in changed if len(change[0]) <= LONGEST]
    bare = [change for change in short if change[1].isdecimal() and _LETTERS.search(change[0])]
    if not bare or len(bare) < len(changed):
        return None
    stay = {one for one in unchanged_texts(cells) if one.strip()}
    named = len(stay) >= NAMES and all(map(_LETTERS.search, stay))
    return ("of a name only its number is left", bare[0]) if named else None
