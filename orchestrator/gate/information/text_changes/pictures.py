"""Pictures that tell values apart and are left out or exchanged: `good 👍` and `good 👎` are not both `good`.

Called by laws.py.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import key

SEVERAL = 2  # different symbols
_STARS = frozenset("\u2605\u2606")  # of a rating
_SYMBOLS = frozenset({"So", "Co", "Cn"})  # others, as Braille; of private use; not assigned
# Thumbs, check marks and crosses, arrows, triangles, lights: each with those that say the same. Others decorate.
_TELLING = {
    picture: alike[0]
    for alike in (
        *("\U0001f44d", "\U0001f44e", "\u2705\u2713\u2714\u2611", "\u274c\u274e\u2716\u2717\u2718\u2612"),
        *("\u2190\u2b05", "\u2191\u2b06\u25b2\u25b3\U0001f4c8", "\u2192\u27a1", "\u2193\u2b07\u25bc\u25bd\U0001f4c9"),
        *("\U0001f534", "\U0001f7e0", "\U0001f7e1", "\U0001f7e2", "\U0001f535", "\u26aa", "\u26ab", "\u2640", "\u2642"),
    )
    for picture in alike
}


def pictures_gone(changed: Sequence[Change]) -> Found | None:
    """Different pictures that stood beside the same text, which is all that stays."""
    beside = defaultdict[str, set[str]](set)
    for before, after in changed:
        if gone := gone_from(before, after):
            beside[key(after)].add(gone)
            if len(beside[key(after)]) > 1:
                return "pictures that tell values apart are left out", (before, after)
    return None


def pictures_turned(changed: Sequence[Change]) -> Found | None:
    """A picture that becomes one that says something else, or comes before another one."""
    for before, after in changed:
        one, other = Counter(_pictures(before)), Counter(_pictures(after))
        if one and (other - one or (one == other and _pictures(before) != _pictures(after))):
            return "a picture becomes another one", (before, after)
    return None


def words_as_symbols(changed: Sequence[Change]) -> Found | None:
    """Words or figures of which several different symbols are left, and nothing else: no stars, ticks or arrows."""
    for before, after in changed:
        if any(map(str.isalnum, before)) and not any(map(str.isalnum, after)):
            symbols = {char for char in after if unicodedata.category(char) in _SYMBOLS} - _STARS
            if len(symbols) >= SEVERAL and not all(char in _TELLING for char in symbols):
                return "words become symbols", (before, after)
    return None


def gone_from(before: str, after: str) -> str:
    """The pictures that are all that the change leaves out; "" where it is something else, or nothing stays."""
    return _pictures(before) if key(before) == key(after) != "" and not _pictures(after) else ""


def _pictures(text: str) -> str:
    return "".join(_TELLING.get(char, "") for char in text)
