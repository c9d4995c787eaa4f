"""Texts with several numbers, each with a unit of its own: whether every number keeps its unit. Called by laws.py and
figures_changed.py.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading

_MEASURE = re.compile(r"(?<![\d.,])(\d+(?:[.,]\d+)*)\s?([^\W\d_]+|[%\u00b0\u20ac$\u00a3])")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_TENS = frozenset(Decimal(10) ** power for power in (-3, -2, -1, 1, 2, 3))
SEVERAL, LONGEST = 2, 200  # numbers, and characters of a text


def same_measures(before: str, after: str) -> bool:
    """Whether both hold the same numbers, each with the same unit: `250kcal/1046kJ` and `1046 kJ (250 kcal)`."""
    ours = _measures(before)
    return bool(ours) and ours == _measures(after)


def units_exchanged(changed: Sequence[Change]) -> Found | None:
    """Numbers that get each other's units: `250kcal/1046kJ` as `250 kJ / 1046 kcal`."""
    for before, after in changed:
        ours, theirs = _measures(before), _measures(after)
        if ours != theirs and ours.keys() == theirs.keys() and sorted(ours.values()) == sorted(theirs.values()):
            return "numbers get each other's units", (before, after)
    return None


def scaled_under_one_unit(changed: Sequence[Change]) -> Found | None:
    """Several numbers become a tenth or a hundredfold, and their unit stays: `51 x 76 cm` as `5.1 x 7.6 cm`."""
    for before, after in changed:
        if max(len(before), len(after)) > LONGEST or _words(before) != _words(after) or not _words(before):
            continue
        ours, theirs = ([reading(number) for number in _NUMBER.findall(text)] for text in (before, after))
        pairs = [(one, other) for one, other in zip(ours, theirs, strict=False) if one and other]
        factors = {other / one for one, other in pairs}
        if SEVERAL <= len(pairs) == len(ours) == len(theirs) and factors <= _TENS and len(factors) == 1:
            return "numbers become others, and their unit stays", (before, after)
    return None


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text) if word not in ("x", "X")]


def _measures(text: str) -> dict[str, str]:
    """The number of each unit; empty where a number has none, or two have the same."""
    if len(text) > LONGEST:
        return {}
    found = {unit.casefold(): number for number, unit in _MEASURE.findall(text)}
    return found if SEVERAL <= len(found) == len(_NUMBER.findall(text)) else {}
