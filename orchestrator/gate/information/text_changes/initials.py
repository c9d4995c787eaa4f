"""Initials of names, together or apart: `Hopper GM` and `Hopper, G. M.` Called by equivalence.py and laws.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.tokens import tokens

_APART = re.compile(r"(?<![^\W_])([A-ZÀ-Þ])\.\s?(?=[A-ZÀ-Þ]\.)")
_TOGETHER = re.compile(r"(?<![^\W_])[A-ZÀ-Þ]{2,4}(?![^\W_])")
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
