"""Texts that lose the letter that tells them apart, or end after a number of signs. Called by character_laws.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.known_words import things

LEAST = 4  # letters that a cut leaves: months and days have short forms of three
_LABELLED = re.compile(r"(.{0,100}[a-z\u00df-\u00ff]{2,}) ([A-Z])\.?")


def labels_lost(changed: Sequence[Change], *, letters: int = 2) -> Found | None:
    """The capital behind a word, and of several cells different ones: `Series A` and `Series B` as `Series`."""
    lost: dict[str, Change] = {}
    for before, after in changed:
        labelled = _LABELLED.fullmatch(before.strip()) if before.startswith(after.strip()) else None
        if labelled and labelled[1] == after.strip():
            lost.setdefault(labelled[2], (before, after))
    return (
        ("the letters that tell values apart are left out", next(iter(lost.values()))) if len(lost) >= letters else None
    )


def label_lost(changed: Sequence[Change]) -> Found | None:
    """The same of one cell: what a witness shows."""
    return labels_lost(changed, letters=1)


def countries_cut(changed: Sequence[Change]) -> Found | None:
    """A country that is none any more, as a word of its name is left out: `United States` as `States`."""
    for before, after in changed:
        left = set(words(before)) > set(words(after)) != set()
        if left and things("country", before.strip()) and not things("country", after.strip()):
            return "a word is left out of the name of a country", (before, after)
    return None


def cut_in_words(changed: Sequence[Change], *, ends: int = 2) -> Found | None:
    """Texts of several words that all end after the same number of signs, inside of a word: `United Sta`."""
    cuts = [change for change in changed if change[0].startswith(change[1].rstrip())]
    lengths = {len(after) for _, after in cuts}
    if len(cuts) < len(changed) or len(lengths) != 1 or (length := lengths.pop()) <= LEAST:
        return None
    inside = {
        parts[-1]: (before, after)
        for before, after in cuts
        if len(parts := after.split()) > 1 and after[-1].isalpha() and before[length : length + 1].islower()
    }
    return ("texts are cut inside of a word", next(iter(inside.values()))) if len(inside) >= ends else None


def cut_in_a_word(changed: Sequence[Change]) -> Found | None:
    """The same of one cell: what a witness shows."""
    return cut_in_words(changed, ends=1)
