"""Raised figures: of areas and volumes that lose them, and of codes that get one. Called by laws.py."""

import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found

_POWER = re.compile(r"(\d)\s?([kcdm]?m)([23\u00b2\u00b3])(?![\w\u00b2\u00b3])")
_RAISED = re.compile(r"(?<![\d\s\u00b9\u00b2\u00b3\u2070-\u207b])[\u00b2\u00b3]|[\u00b2\u00b3](?=\d)")
_BEHIND_A_NUMBER = re.compile(r"(?:\d\s?|/\s?|\bper )(?:[kcdm]?m|ft|in|yd|mi)[\u00b2\u00b3](?!\d)")
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
        if len(_RAISED.findall(raised)) > len(_RAISED.findall(_BEHIND_A_NUMBER.sub("", before))):
            return "a figure is raised that does not stand behind a number and a unit of length", (before, after)
    return None


def _powers(text: str) -> Counter[tuple[str, str, str]]:
    return Counter((m[1], m[2], m[3].translate(_FIGURES)) for m in _POWER.finditer(text))
