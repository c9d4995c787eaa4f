"""A text in which a change was made in one of several places. Called by laws.py.

`€5 to €9` as `5 EUR to €9`, where no other cell keeps such a sign: a function that replaces the first place only.
"""

import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, both_text

ENOUGH = 3  # different cells in which the place goes altogether
SEVERAL = 2  # places of one cell
LONGEST = 4_000  # characters of a text that is looked at
_WORD_OR_SIGN = re.compile(r"[^\W\d_]+|[^\w\s]")
Place = tuple[str, str, str]  # a word or a sign, and of what kind the characters around it are


def some_places_changed(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word or sign that goes in one place of a text, and stays in another like it, which no other cell has."""
    several = {change: places for change in changed if (places := _in_part(*change))}
    if not several:
        return None
    gone: Counter[Place] = Counter()
    kept: set[Place] = set()
    for before, after in filter(both_text, cells):
        if len(before) > LONGEST or (before, after) in several:
            continue
        left = set(_places(after))
        for place in set(_places(before)):
            if place in left:
                kept.add(place)
            else:
                gone[place] += 1
    for change, places in several.items():
        if any(gone[place] >= ENOUGH and place not in kept for place in places):
            return "a change is made in one place of a text, and not in another like it", change
    return None


def _in_part(before: str, after: str) -> set[Place]:
    """The places that become fewer, and do not go."""
    if max(len(before), len(after)) > LONGEST:
        return set()
    ours, theirs = Counter(_places(before)), Counter(_places(after))
    return {place for place, count in ours.items() if count >= SEVERAL and 0 < theirs[place] < count}


def _places(text: str) -> list[Place]:
    return [
        (
            found[0].casefold(),
            _kind(text[found.start() - 1 : found.start()]),
            _kind(text[found.end() : found.end() + 1]),
        )
        for found in _WORD_OR_SIGN.finditer(text)
    ]


def _kind(char: str) -> str:
    if char.isdigit():
        return "9"
    return "a" if char.isalpha() else char.strip()
