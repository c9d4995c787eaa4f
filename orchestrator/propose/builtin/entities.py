"""Rows that describe the same thing (one provider, one measure) and should say the same of it.

Learnt: a key column whose value nearly settles other columns. The majority of a key's rows votes for the right texts. A
row that agrees with one known thing in most columns gets its odd cells corrected, if they are slips: near the right
text, unknown elsewhere, never one digit turned into another. A different value is a fact, not a slip, and stays.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

from orchestrator.propose.builtin.distance import _edits
from orchestrator.propose.builtin.names import listed, slug
from orchestrator.propose.builtin.profile import Cell, Column, Table
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.wishes import Wishes

_SETTLED = 0.88  # of the rows agree with their key's majority
_SUPPORT = 4  # rows that a known thing must have
_MOST_THINGS = 400


def _is_slip_of(text: str, right: str) -> bool:
    """Whether few letters differ, and no digit is turned into another."""
    if text == right or not text.strip() or not right or text.replace(".", "").isdecimal():
        return False
    limit = max(1, len(right) * 2 // 5)
    if len(text) == len(right):
        pairs = [(a, b) for a, b in zip(text, right) if a != b]  # noqa: B905 - same length
        return len(pairs) <= limit and not any(a.isdigit() and b.isdigit() for a, b in pairs)
    digits = ["".join(sign for sign in word if sign.isdigit()) for word in (text, right)]
    return digits[0] == digits[1] and len(right) >= 6 and _edits(text, right, min(limit, 3)) <= min(limit, 3)


def _agree(row: tuple[str | None, ...], things: list[tuple[str, ...]], telling: list[int]) -> tuple[str | None, ...]:
    """The row with its slips corrected, if it clearly describes one of the known things."""
    scores: list[tuple[int, tuple[str, ...]]] = []
    for thing in things:
        same = [cell == right for cell, right in zip(row, thing)]  # noqa: B905 - same length
        if any(same[place] for place in telling):
            scores.append((sum(same), thing))
    scores.sort(reverse=True)
    if not scores or scores[0][0] < 2 or scores[0][0] * 2 < len(row) or (scores[1:] and scores[1][0] == scores[0][0]):
        return row
    best = scores[0][1]
    return tuple(
        right if cell and _is_slip_of(cell, right) and not any(thing[place] == cell for thing in things) else cell
        for place, (cell, right) in enumerate(zip(row, best))  # noqa: B905 - same length
    )


def find(table: Table, _wishes: Wishes) -> Iterator[Remedy]:
    return iter(())
