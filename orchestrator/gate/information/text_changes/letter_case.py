"""Changes of case that say something else, or that no other cell of the column speaks for. Called by laws.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found

ENOUGH = 3  # different cells that show how names of several words are written
_LATER = re.compile(r"(?<=[\s-])[^\W\d_]+")
_SMALL = frozenset(
    {"a", "al", "and", "at", "by", "da", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "el", "en"}
    | {"et", "for", "from", "in", "la", "las", "le", "los", "of", "on", "or", "the", "to", "und", "upon", "van", "von"}
    | {"y", "zu"}
)  # words that names write in small letters
_LINK = re.compile(r"(?:https?://)?[\w.-]+\.[a-z]{2,}(/\S*)", re.IGNORECASE)


def names_uncapitalised(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A name of several words of which only the first begins with a capital, where other cells write all so."""
    stay = {one for one, other in cells if isinstance(one, str) and one == other and _later(one)}
    if len(stay) < ENOUGH or any(not word[0].isupper() for text in stay for word in _later(text)):
        return None
    for before, after in changed:
        if before.casefold() == after.casefold() and after[:1].isupper():
            ours, theirs = _later(before), _later(after)
            if any(new[0].islower() and old[0].isupper() for old, new in zip(ours, theirs, strict=False)):
                return "a name is written in small letters, as no other cell is", (before, after)
    return None


def _later(text: str) -> list[str]:
    """The words behind the first one that names write with a capital."""
    return [word for word in _LATER.findall(text) if word.casefold() not in _SMALL]


def paths_recased(changed: Sequence[Change]) -> Found | None:
    """The path of a link, in which capitals and small letters are two things."""
    for before, after in changed:
        one, other = _LINK.fullmatch(before.strip()), _LINK.fullmatch(after.strip())
        if one and other and one[1] != other[1] and one[1].casefold() == other[1].casefold():
            return "the path of a link changes its letters", (before, after)
    return None
