"""Texts that become lists: each item is whole, stands in its place, and is one. Called by prose_laws.py.

Letters and figures alone do not show it: those of `ana, bo` are the same as those of `["a", "n", "a", "b", "o"]`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import tokens

MOST, LONGEST = 100, 1_000  # items of a list, and characters of a text, that are looked at
ENOUGH, SEVERAL = 5, 2  # items of the lists that stay, which show that none has a separator inside; of one list
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_PARTS = re.compile(r"[\s,;|/]")
_SEPARATOR = re.compile(r"(?<=\w)\s*([;|])\s*(?=\w)|(?<=\w)(,)(?:\s+(?=\w)|(?=[^\W\d_]))")


def items_cut(column: Column) -> Found | None:
    """An item that begins or ends inside a word of the text: `ana, bo` as `["a", "n", "a", "b", "o"]`."""
    return _unless_witnessed(column, _is_cut, "a list has parts of words as its items")


def items_turned(column: Column) -> Found | None:
    """Items in another order than the text has them: `ana, bo` as `["bo", "ana"]`. Inside an item the order is free."""
    return _unless_witnessed(column, _is_turned, "the items of a list stand in another order than in the text")


def items_left_together(column: Column) -> Found | None:
    """A text of several items as one item, where no item of the other lists has such a separator inside."""
    if any(_separators(one) for one in _listed(column.witnesses)):
        return None
    lists = [one for one, other in column.different if isinstance(one, list) and one == other and one]
    items = [item for one in lists for item in one if isinstance(item, str)]
    if len(items) < ENOUGH or max(map(len, lists)) < SEVERAL:
        return None
    kept = {sign for item in items for sign in _signs(item)}
    found = (one for one in _listed(column.changed) if (signs := _separators(one)) and signs.isdisjoint(kept))
    return next((("several items of a text become one item", change) for change in found), None)


def _unless_witnessed(column: Column, law: Callable[[str, list[str]], bool], detail: str) -> Found | None:
    if any(law(*_texts(change)) for change in _listed(column.witnesses)):
        return None
    return next(((detail, change) for change in _listed(column.changed) if law(*_texts(change))), None)


def _listed(changes: Sequence[Change]) -> Iterator[Change]:
    """The changes of texts into lists of texts and numbers."""
    for before, after in changes:
        if not (isinstance(before, str) and isinstance(after, list)) or len(before) > LONGEST:
            continue
        if 0 < len(after) <= MOST and all(isinstance(item, str) or type(item) in (int, float) for item in after):
            yield before, after


def _texts(change: Change) -> tuple[str, list[str]]:
    return change[0], [f"{item:.15g}" if isinstance(item, float) else str(item) for item in change[1]]


def _is_cut(text: str, items: list[str]) -> bool:
    if not _PARTS.search(text.strip()):
        return False  # `RW` as `["R", "W"]`: letters that each say something
    ours, theirs = tokens(text), [tokens(item) for item in items]
    if "".join(ours) != "".join(token for item in theirs for token in item):
        return False
    ends = accumulate(sum(map(len, item)) for item in theirs)
    return not set(ends) <= set(accumulate(map(len, ours)))


def _is_turned(text: str, items: list[str]) -> bool:
    if all(map(_NUMBER.fullmatch, items)):
        return False  # a point, perhaps: numbers that change places have laws of their own
    ours, theirs = tokens(text), [tokens(item) for item in items]
    if Counter(ours) != Counter(token for item in theirs for token in item):
        return False
    ends = [0, *accumulate(map(len, theirs))]
    return any(Counter(ours[ends[at] : ends[at + 1]]) != Counter(item) for at, item in enumerate(theirs))


def _separators(change: Change) -> set[str]:
    """The separators inside a text that becomes one item; none where it becomes several, or another one."""
    text, items = _texts(change)
    return _signs(text) if len(items) == 1 and key(items[0]) == key(text) else set()


def _signs(text: str) -> set[str]:
    return {sign for pair in _SEPARATOR.findall(text) for sign in pair if sign}
