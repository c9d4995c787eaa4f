"""Cells that are written otherwise in some rows only, so that a column written in one way is written in two.

Each other code in small letters, dates with hyphens where another column says A. Called by character_laws.py; what
happens to one value is asked by row_evidence/rewritten_values.py.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from orchestrator.gate.information.changes import Change, Found, both_text
from orchestrator.gate.information.similarity import key

ENOUGH = 3  # different values in each of the two ways
SHARE = 0.1  # of the values in each of them, or it may be exceptions such as `NASA`
UNIFORM = 0.9  # of the values that were written in one way
LONGEST = 200  # characters of a text that is a value
_WORD, _CODE = re.compile(r"[^\W\d_]{4,}"), re.compile(r"[^\W\d_]{2,}")
_SIGNS = re.compile(r"[^\w\s]")
_FIGURE = re.compile(r"\d")


def one_case_in_two(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Values of one form that were all written in one case, and afterwards many are and many are not."""
    return _in_two([one for one in changed if recased(*one)], cells, _form_and_case)


def one_shape_in_two(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Figures that all stood between the same signs, such as dates, many of which get other signs, and many none."""
    turned = [one for one in changed if rewritten(*one) and len(one[0]) == len(one[1])]
    return _in_two(turned, cells, _shape)


def _in_two(
    changed: Sequence[Change], cells: Sequence[Change], written: Callable[[str], tuple[str, str] | None]
) -> Found | None:
    """A change out of a way that most values of its kind had and many keep. `written`: the kind of a text and its way.

    None where a text has no way that could be told.
    """
    if len(changed) < ENOUGH:
        return None
    before, stay, came = (defaultdict[str, Counter[str]](Counter) for _ in range(3))
    for one, other in dict.fromkeys(filter(both_text, cells)):
        if (found := written(one)) is None:
            continue
        kind, way = found
        before[kind][way] += 1
        stay[kind][way] += one == other
        came[kind][way] += rewritten(one, other) and written(other) != found
    for change in changed:
        if (found := written(change[0])) is None or written(change[1]) == found:
            continue
        kind, way = found
        total = before[kind].total()
        enough = max(ENOUGH, SHARE * total)
        if before[kind][way] >= UNIFORM * total and min(stay[kind][way], came[kind][way]) >= enough:
            return "a column written in one way is written in two afterwards", change
    return None


def recased(before: str, after: str) -> bool:
    return before != after and before.casefold() == after.casefold()


def rewritten(before: str, after: str) -> bool:
    """Whether the same letters and figures are written otherwise.

    Without letters, points and commas may say something else.
    """
    if before == after or max(len(before), len(after)) > LONGEST:
        return False
    mine = key(before)
    if not mine or mine != key(after):
        return False
    return not mine.isdigit() or all(before.count(mark) == after.count(mark) for mark in ".,")


def _form_and_case(text: str) -> tuple[str, str] | None:
    """Which signs it has, and figures or none, since `A@B.COM` is no name; and in which case its words are."""
    if len(text) > LONGEST:
        return None
    numbered = _FIGURE.search(text) is not None
    if not (words := "".join((_CODE if numbered else _WORD).findall(text))):
        return None
    case = "upper" if words.isupper() else "lower" if words.islower() else "both"
    return "".join(sorted(set(_SIGNS.findall(text)))) + "0" * numbered, case


def _shape(text: str) -> tuple[str, str] | None:
    """How many figures it has, and the signs between them; None of a text with letters, and of figures alone."""
    if len(text) > LONGEST or any(map(str.isalpha, text)) or not (figures := len(_FIGURE.findall(text))):
        return None
    return str(figures), _FIGURE.sub("9", text)
