"""Initials of names, together or apart: `Hopper GM` and `Hopper, G. M.`, and words of which only the first letters
are left. Called by equivalence.py and laws.py.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import tokens, words

_APART = re.compile(r"(?<![^\W_])([A-ZÀ-Þ])\.\s?(?=[A-ZÀ-Þ]\.)")
_TOGETHER = re.compile(r"(?<![^\W_])[A-ZÀ-Þ]{2,4}(?![^\W_])")
SEVERAL = 2  # different texts
_ONE = re.compile(r"(?<![^\W_])[A-ZÀ-Þ](?![^\W_])")


def same_initials(before: str, after: str) -> bool:
    """Whether initials stand together or apart, and nothing else changed."""
    ours, theirs = _APART.sub(r"\1", before), _APART.sub(r"\1", after)
    return (ours, theirs) != (before, after) and tokens(ours) == tokens(theirs)


def initials_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """An initial behind another one that is left out, beside names that have two: `Knuth DE` as `Knuth, D.`"""
    if not any(isinstance(after, str) and _APART.search(after) for _, after in cells):
        return None
    for before, after in changed:
        joined = _APART.sub(r"\1", after)
        left = set(_TOGETHER.findall(_APART.sub(r"\1", before))) - set(_TOGETHER.findall(joined))
        if {run[0] for run in left} & set(_ONE.findall(joined)):
            return "an initial of a name is left out", (before, after)
    return None


def words_as_initials(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Several texts of which only the first letters of their words are left, as no other cell has them: `FD`."""
    short = [one for one in changed if len(parts := words(one[0])) > 1 and key(one[1]) == "".join(p[0] for p in parts)]
    had = {key(before) for before, _ in cells if isinstance(before, str)} if short else ()
    found = {key(before): (before, after) for before, after in short if key(after) not in had}
    if len(found) < SEVERAL:
        return None
    return "only the first letters of words are left", next(iter(found.values()))
