"""Figures that are hidden behind signs: in all places of a text, and as many as are shown. Called by prose_laws.py."""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.prose.first_only import ENOUGH, first_only

LONGEST, MOST = 4_000, 50  # characters of a text that is looked at, and numbers of it
FIGURES = 12  # of a number that is none to call
_NUMBER = re.compile(r"(?<![\w*#])\d(?:[ -]?\d){6,30}(?![\w*#])")
_MASK = re.compile(r"[*#\u2022xX]{3,}")
_HIDDEN = re.compile(r"[*#\u2022xX]{3,}(?:[ -]?[*#\u2022xX]{2,})*[ -]?(\d+)(?!\d)")


def later_ones_seen(changed: Sequence[Change], *, enough: int = ENOUGH) -> Found | None:
    """Of several numbers of one length the first is hidden in several texts, and no later one in any."""
    detail = "the first of several numbers in a text is hidden, and none behind it is"
    return first_only(changed, _hidden, detail, enough)


def _hidden(before: str, after: str) -> list[bool]:
    """Of the numbers as long as the first one, whether each of them is gone from the text."""
    if max(len(before), len(after)) > LONGEST or not _MASK.search(after):
        return []
    found = (match[0] for match in islice(_NUMBER.finditer(before), MOST))
    numbers = [number for number in found if _length(number) >= FIGURES]
    alike = [one for one in numbers if _length(one) == _length(numbers[0])]
    return [one not in after for one in alike]


def _length(number: str) -> int:
    return sum(map(str.isdigit, number))


def more_seen_than_shown(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """More figures that stay visible behind the signs than any witness shows: of a number that is longer."""
    wanted = [length for change in shown for length in _visible(*change)]
    for change in changed if wanted else ():
        if any(length > max(wanted) for length in _visible(*change)):
            return "more figures stay to be seen than the examples show", change
    return None


def _visible(before: str, after: str) -> list[int]:
    """How many figures stand behind the signs that hide others, where the text had none before."""
    if max(len(before), len(after)) > LONGEST or _MASK.search(before):
        return []
    return [len(match[1]) for match in islice(_HIDDEN.finditer(after), MOST)]
