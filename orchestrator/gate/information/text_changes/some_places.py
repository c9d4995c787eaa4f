"""A text in which a change was made in one of several places. Called by laws.py.

`€5 to €9` as `5 EUR to €9`, where no other cell keeps such an amount: a function that replaces the first place only.
"""

import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, both_text

ENOUGH = 3  # different cells in which a part of the shape is changed
LONGEST = 4_000  # characters of a text that is looked at
_NUMBER = re.compile(r"(?<![\d.,/:-])\d+(?:[.,]\d+)?(?![.,/:-]?\d)")
_AROUND = ".,;:!?()[]\"'"


def some_places_changed(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A part of a text that is changed beside one of the same shape that stays, as it stays in no other cell."""
    several = {change: shapes for change in changed if (shapes := _in_part(*change))}
    if not several:
        return None
    gone: Counter[str] = Counter()
    kept: set[str] = set()
    for before, after in filter(both_text, cells):
        if (before, after) not in several:
            ours, theirs = _parts(before), _parts(after)
            kept.update(map(_shape, ours & theirs))
            gone.update(set(map(_shape, ours - theirs)))
    for change, shapes in several.items():
        if any(gone[shape] >= ENOUGH and shape not in kept for shape in shapes):
            return "a change is made in one place of a text, and not in another like it", change
    return None


def _in_part(before: str, after: str) -> set[str]:
    """The shapes of which one part is changed, and another is not."""
    ours, theirs = _parts(before), _parts(after)
    return set(map(_shape, ours - theirs)) & set(map(_shape, ours & theirs))


def _parts(text: str) -> Counter[str]:
    """What stands between blanks and has figures."""
    parts = (part.strip(_AROUND) for part in text.split()) if len(text) <= LONGEST else ()
    return Counter(part for part in parts if any(map(str.isdigit, part)))


def _shape(part: str) -> str:
    """The part with one sign for each number, and for each figure of a longer run such as a date."""
    return re.sub(r"\d", "9", _NUMBER.sub("0", part.casefold()))
