"""Quantities among the words of a text that become others: `8,785 miles by train` as `13 km by train`.

Called by character_laws.py. That a cell is one quantity is units.py's.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.units import in_base_unit, rival_unit

LONGEST, MOST = 4_000, 50  # characters of a text that is looked at, and quantities in it
WORDS = 2  # beside its quantities, of what is no quantity alone
FAR = Decimal("1.5")  # times as large: less may be a rounding, or another mile
_QUANTITY = re.compile(
    r"(?<![\w.,:/$\u20ac\u00a3-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)[ -]?([^\W\d_]{1,12})(?![\w/\u00b7-])"
)


def quantities_changed(changed: Sequence[Change]) -> Found | None:
    """Where each quantity of a text is written in another unit, each is about as large as before."""
    for before, after in changed:
        if max(len(before), len(after)) > LONGEST:
            continue
        ours, theirs = _quantities(before), _quantities(after)
        if not 0 < len(ours) == len(theirs) <= MOST or not _same_words(before, after):
            continue
        for (one, unit), (other, new) in zip(ours, theirs, strict=True):
            if rival_unit(unit, new) and _is_far(f"{one} {unit}", f"{other} {new}"):
                return "a quantity of a text becomes another one", (before, after)
    return None


def _same_words(before: str, after: str) -> bool:
    """Whether it is a text of several words, of which only those of the quantities change."""
    ours, theirs = ([*filter(_is_word, _QUANTITY.sub(" ", text).casefold().split())] for text in (before, after))
    return ours == theirs and len(ours) >= WORDS


def _is_word(text: str) -> bool:
    return any(map(str.isalpha, text))


def _quantities(text: str) -> list[tuple[str, str]]:
    found = [(match[1].replace(",", ""), match[2]) for match in _QUANTITY.finditer(text)]
    return [one for one in found if in_base_unit(" ".join(one))]


def _is_far(one: str, other: str) -> bool:
    before, after = in_base_unit(one), in_base_unit(other)
    if not (before and after and before[0] == after[0] and before[1] and after[1]):
        return False
    return not 1 / FAR < after[1] / before[1] < FAR
