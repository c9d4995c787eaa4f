"""A unit in a value of its own, whose number stands beside it: `mg` as `mcg`. Called by number_sign_laws.py.

Where the number is converted, too, both together are read as one quantity (row_evidence/measures.py), and the unit does
not come here as a change.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.units import rival_unit, same_unit

LONGEST = 20  # characters of a unit
_PREFIXED = re.compile(  # a prefix, and a unit of which no other prefix is usual enough to be in a table
    r"([npfu\u00b5\u03bcmcdhkMGT]?)"
    r"(mol|eq|iu|u|g|l|m|s|hz|mhg|pa|bar|wh?|va?|ah?|ohm|j|cal|bit|bq|sv|gy|k)((?:/[^\W\d_]{1,6})?)",
    re.IGNORECASE,
)
_SMALL_B = re.compile(r"[kmgt]?b/s")  # bits as often as bytes
_MICRO = str.maketrans("\u00b5\u03bc", "uu")


def units_replaced(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """A unit that becomes another one of the same dimension, unless a witness shows one that becomes that unit."""
    made = [after.strip() for before, after in shown if _replaced(before, after)]
    for before, after in changed:
        if _replaced(before, after) and not any(_same(after.strip(), other) for other in made):
            return "a unit becomes another one, and its number is not in it", (before, after)
    return None


def _replaced(before: str, after: str) -> bool:
    one, other = before.strip(), after.strip()
    if max(len(one), len(other)) > LONGEST or _SMALL_B.fullmatch(one) or _same(one, other):
        return False
    return rival_unit(one, other) or _other_prefix(one, other)


def _same(one: str, other: str) -> bool:
    return one.casefold().translate(_MICRO) == other.casefold().translate(_MICRO) or same_unit(one, other)


def _other_prefix(one: str, other: str) -> bool:
    """Whether they are one unit with different prefixes: `umol/L` and `nmol/L`. Of one letter none is looked at."""
    ours, theirs = (_PREFIXED.fullmatch(text) for text in (one, other))
    if ours is None or theirs is None or min(len(one), len(other)) == 1:
        return False
    mine, its = (tuple(part.casefold().translate(_MICRO) for part in found.groups()) for found in (ours, theirs))
    return mine[0] != its[0] and mine[1:] == its[1:]
