"""The parts of a text that were replaced by others, with the rest of it unchanged. Called by equivalence.py.

A sentence in which `12.02.2021` became `2021-02-12` says the same if the two dates do.
"""

import difflib
from functools import lru_cache

MAX_WORDS, MAX_PARTS = 200, 20
_AROUND = ".,;:!?()[]\"'"


@lru_cache(maxsize=1_024)
def replaced_parts(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """Each part before and after, without signs around both; empty where something was left out or put in."""
    if not any(blank in text for blank in " \n" for text in (before, after)):
        return ()
    ours, theirs = (text.replace("\n", " \n ").split(" ") for text in (before, after))
    if not 1 < max(len(ours), len(theirs)) <= MAX_WORDS:
        return ()
    parts: list[tuple[str, str]] = []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind == "replace":
            parts.append(_bare(" ".join(ours[i:j]), " ".join(theirs[k:m])))
        elif kind != "equal":
            return ()
    return tuple(parts) if len(parts) <= MAX_PARTS and parts != [(before, after)] else ()


def _bare(one: str, other: str) -> tuple[str, str]:
    while one and other and one[-1] == other[-1] and one[-1] in _AROUND:
        one, other = one[:-1], other[:-1]
    while one and other and one[0] == other[0] and one[0] in _AROUND:
        one, other = one[1:], other[1:]
    return one, other
