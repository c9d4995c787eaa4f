"""A text in which a change was made in one of several places. Called by laws.py.

`€5 to €9` as `5 EUR to €9`: a function that replaces the first place only.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from orchestrator.gate.information.changes import Change, Found, both_text
from orchestrator.gate.information.prose.lines_kept import loses_beginnings

ENOUGH = 3  # different cells in which a part of the shape is changed
LONGEST = 4_000  # characters of a text that is looked at
_NUMBER = re.compile(r"(?<![\d.,/:-])\d+(?:[.,]\d+)?(?![.,/:-]?\d)")
_FIGURES = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_LETTERS = re.compile(r"[^\W\d_]+")
_HALF = re.compile(r"^pm$")
_AROUND = ".,;:!?()[]\"'"


def some_places_changed(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A part of a text that is changed beside one of the same shape that stays, as it stays in no other cell."""
    several = {change: shapes for change in changed if not loses_beginnings(*change) and (shapes := _in_part(*change))}
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


def first_place_only(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """Of parts of one shape the first is replaced in several texts, and no later one in any: `5kg 3kg` as `5 kg 3kg`.

    Not where a text that was shown has later parts of the shape, which say what is wanted.
    """
    wanted = {shape for change in shown for shape, replaced in _replaced(*change).items() if len(replaced) > 1}
    only: dict[str, dict[Change, None]] = {}
    later: set[str] = set()
    for change in dict.fromkeys(changed):
        for shape, replaced in _replaced(*change).items():
            if any(replaced[1:]):
                later.add(shape)
            elif len(replaced) > 1:
                only.setdefault(shape, {})[change] = None
    for shape, texts in only.items():
        if shape not in later | wanted and len(texts) >= ENOUGH:
            return "the first of several places in a text is changed, and none behind it is", next(iter(texts))
    return None


def _replaced(before: str, after: str) -> dict[str, list[bool]]:
    """For each shape, whether each part of it in the text was replaced; none where as many parts do not stay."""
    ours, theirs = _shaped(before), _shaped(after)
    if len(ours) != len(theirs):
        return {}
    found: dict[str, list[bool]] = {}
    for (part, shape), (other, _) in zip(ours, theirs, strict=True):
        found.setdefault(shape, []).append(part != other)
    return {shape: replaced for shape, replaced in found.items() if any(replaced)}


def _shaped(text: str) -> list[tuple[str, str]]:
    """The parts with figures in their order, each with its shape. A bare number has that of the word behind it, too."""
    words = [part.strip(_AROUND) for part in text.split()] if len(text) <= LONGEST else []
    found = []
    for part, behind in zip_longest(words, words[1:], fillvalue=""):
        if any(map(str.isdigit, part)):
            shape = _LETTERS.sub("a", _FIGURES.sub("0", part))
            half = _HALF.sub("am", behind.casefold())
            named = f"{shape} {half}" if shape == "0" or half == "am" else shape
            found.append((part, named))
    return found


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
