"""Raised figures: of areas and volumes that lose them, and of codes that get one. Called by laws.py."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.tokens import RAISED_UNIT

_POWER = re.compile(rf"(\d)\s?({RAISED_UNIT})(?:\^|\*\*)?([23\u00b2\u00b3])(?![\w\u00b2\u00b3])")
_RAISED = re.compile(r"(?<![\d\s\u00b9\u00b2\u00b3\u2070-\u207b])[\u00b2\u00b3]|[\u00b2\u00b3](?=\d)")
_CARET = re.compile(r"(?:\^|\*\*)[23](?!\d)")  # which says that the figure is raised
_BEHIND_A_NUMBER = re.compile(rf"(?:\d\s?|/\s?|\bper ){RAISED_UNIT}[\u00b2\u00b3](?!\d)")
# Not of a unit: `5 m^2`, `W/m^2`.
_EXPONENT = re.compile(r"((?<![\w/])(?<!\d\s)[^\W\d_]|\))\^(-?\d{1,3})(?!\d)")
LONGEST, MOST = 100_000, 50  # characters of a text in which powers are looked for, and different powers
_FIGURES = str.maketrans("\u00b2\u00b3", "23")


def powers_changed(changed: Sequence[Change]) -> Found | None:
    """`99 m2` as `99 m`, `14 m3` as `14 m\u00b2`: an area or a volume becomes something else."""
    for change in changed:
        ours, theirs = map(_powers, change)
        if ours - theirs and all(f"{figure}{unit}" in change[1].replace(" ", "") for figure, unit, _ in ours - theirs):
            return "an area or a volume becomes something else", change
    return None


def figures_raised(changed: Sequence[Change]) -> Found | None:
    """`BMW M2` as `BMW M\u00b2`, `m20` as `m\u00b20`: a figure that is no power is raised."""
    for before, after in changed:
        raised = _BEHIND_A_NUMBER.sub("", after)
        known = len(_RAISED.findall(_BEHIND_A_NUMBER.sub("", before))) + len(_CARET.findall(before))
        if len(_RAISED.findall(raised)) > known:
            return "a figure is raised that does not stand behind a number and a unit of length", (before, after)
    return None


def exponents_lowered(changed: Sequence[Change]) -> Found | None:
    """`x^2` as `x2`: what was raised stands beside its base as if it were a part of its name."""
    for before, after in changed:
        if "^" not in before or "^" in after or "**" in after:
            continue
        for base, exponent in islice(dict.fromkeys(_EXPONENT.findall(before[:LONGEST])), MOST):
            lowered = f"{base}{exponent}"
            if lowered in after and lowered not in before:
                return "what was raised stands beside its base", (before, after)
    return None


def _powers(text: str) -> Counter[tuple[str, str, str]]:
    return Counter((m[1], m[2], m[3].translate(_FIGURES)) for m in _POWER.finditer(text))
