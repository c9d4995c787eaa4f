"""Letters that change their case in some rows only, so that a column written in one way is written in two.

`Consumer` as `consumer` where another column says A: whoever counts the values gets two. Called by character_laws.py.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found

ENOUGH = 3  # different values in each of the two ways
SHARE = 0.1  # of the values in each of them, or it may be exceptions such as `NASA`
UNIFORM = 0.9  # of the values that were written in one way
_WORD, _CODE = re.compile(r"[^\W\d_]{4,}"), re.compile(r"[^\W\d_]{2,}")
_SIGNS = re.compile(r"[^\w\s]")


def same_value_in_two_cases(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A value that gets other letters in some rows and stays as it is in others."""
    stay = {one for one, other in cells if isinstance(one, str) and one == other}
    found = next((change for change in changed if change[0] in stay and recased(*change)), None)
    return None if found is None else ("a value gets letters of another size in some of its rows only", found)


def uniform_column_in_two_cases(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Values of one form that were all written in one case, and afterwards many are and many are not."""
    turned = [change for change in changed if recased(*change)]
    if len(turned) < ENOUGH:
        return None
    before, came, stay = (defaultdict[str, Counter[str]](Counter) for _ in range(3))
    for one, other in dict.fromkeys(change for change in cells if isinstance(change[0], str)):
        if not (case := _case(one)):
            continue
        before[_form(one)][case] += 1
        if one == other:
            stay[_form(one)][case] += 1
        elif isinstance(other, str) and recased(one, other):
            came[_form(one)][_case(other)] += 1
    for change in turned:
        form, case = _form(change[0]), _case(change[0])
        total = before[form].total()
        others = came[form].total() - came[form][case]
        if before[form][case] >= UNIFORM * total and min(stay[form][case], others) >= max(ENOUGH, SHARE * total):
            return "a column written in one case is written in two afterwards", change
    return None


def recased(before: str, after: str) -> bool:
    return before != after and before.casefold() == after.casefold()


def _case(text: str) -> str:
    """How its words are written; none where it has no word long enough to tell."""
    words = "".join((_CODE if any(map(str.isdigit, text)) else _WORD).findall(text))
    if not words:
        return ""
    return "upper" if words.isupper() else "lower" if words.islower() else "both"


def _form(text: str) -> str:
    """Which signs it has, and whether it has figures: `A@B.COM` is no name."""
    return "".join(sorted(set(_SIGNS.findall(text)))) + "0" * any(map(str.isdigit, text))
