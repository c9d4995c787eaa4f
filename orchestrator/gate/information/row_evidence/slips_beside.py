"""Slips that another column of the same row gives away: `xl` in the row of a town in `al`. Called by settled_cells.py.

The other column must tell this one's value in the rows that stay as they are, so that it is no chance that a row of
the same town says `al`. A fact that another row contradicts is no slip: no cell that stays holds the wrong text, and
one sign differs, or one letter inside a word is lost, doubled or swapped with the next (`scip-ifn` for `scip-inf`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change, both_text
from orchestrator.gate.information.column_evidence.lost_characters import sign_places
from orchestrator.gate.information.null_tokens import holds_something

ROWS = 2  # with one value of the other column, or they tell nothing
VALUES = 5  # of the other column, each in so many rows
TOLD = 20  # rows with such values, or chance may tell them
RARE = 3  # of these rows whose value is not the column's most frequent one
MISSED = 0.1  # of those may have another one than the other column tells
WORD = 3  # letters of the right word, or a code is not told from another code
_PIECE = re.compile(r"[^\W\d_]+|.", re.DOTALL)


def slips_beside(cells: Sequence[Change], changed: Sequence[int], others: Iterable[Sequence[Any]]) -> list[int]:
    """Which of the `changed` rows put right a slip that one of the other columns gives away, and none denies.

    `cells`: the column before and after, one for each row; `others`: columns of the same rows that nobody changes.
    """
    stay = {before for before, after in cells if _text(before) and before == after}
    moved = {row: cells[row] for row in changed if both_text(cells[row])}
    slips = {
        (before, after)
        for before, after in moved.values()
        if before not in stay and after in stay and is_slip(before, after)
    }
    for_it: set[Change] = set()
    against: set[Change] = set()
    for other in others if slips else ():
        usual = told(cells, other)
        for row, change in moved.items():
            value = other[row]
            if change in slips and _text(value) and value in usual:  # lists and objects tell nothing
                (for_it if usual[value] == change[1] else against).add(change)
    return [row for row, change in moved.items() if change in for_it - against]


def is_slip(before: str, after: str) -> bool:
    """Whether one sign, or one letter of one word or the order of two, is all that differs. No letter stands alone:
    `pn-5c` and `pn-5` are two codes, as `la` and `al` are."""
    if places := sign_places(before, after):
        return 2 * len(places) <= len(before)
    pieces = _PIECE.findall(before), _PIECE.findall(after)
    apart = [pair for pair in zip(*pieces, strict=False) if pair[0] != pair[1]]
    if len(pieces[0]) != len(pieces[1]) or len(apart) != 1:
        return False
    word, right = apart[0]
    return word.isalpha() and right.isalpha() and len(right) >= WORD and _one_letter(word, right)


def _one_letter(word: str, right: str) -> bool:
    if len(word) == len(right):
        places = [at for at, (one, other) in enumerate(zip(word, right, strict=True)) if one != other]
        at = places[0]
        return len(places) == 2 and places[1] == at + 1 and word[at : at + 2] == right[at : at + 2][::-1]
    short, long = sorted((word, right), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def told(cells: Sequence[Change], other: Sequence[Any]) -> Mapping[Any, str]:
    """The value that goes with each value of the other column in the rows that stay; empty where it tells nothing."""
    groups: dict[Any, Counter[str]] = defaultdict(Counter)
    for (before, after), value in zip(cells, other, strict=True):
        if _text(before) and before == after and _text(value) and holds_something(value):
            groups[value][before] += 1
    groups = {value: counts for value, counts in groups.items() if counts.total() >= ROWS}
    whole: Counter[str] = sum(groups.values(), Counter())
    if len(groups) < VALUES:
        return {}
    rare = whole.total() - max(whole.values())
    usual = {value: counts.most_common(1)[0] for value, counts in groups.items()}
    missed = whole.total() - sum(count for _, count in usual.values())
    tells = whole.total() >= TOLD and rare >= RARE and missed <= MISSED * rare
    return {value: text for value, (text, _) in usual.items()} if tells else {}


def _text(value: Any) -> bool:
    return isinstance(value, str)
