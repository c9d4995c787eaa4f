"""The words of scales that surveys ask for, and the number that each stands for. Called by looked_up.py.

Five answers from the least to the most: 1 to 5. Nobody agrees on whether `poor` is 1 or 0 of three or four.
"""

import re

_SCALES = (
    ("strongly disagree", "disagree", "neutral|neither agree nor disagree|undecided", "agree", "strongly agree"),
    (
        "very dissatisfied",
        "dissatisfied",
        "neutral|neither satisfied nor dissatisfied",
        "satisfied",
        "very satisfied",
    ),
    ("very unlikely", "unlikely", "neutral|neither likely nor unlikely", "likely", "very likely"),
)
_RANKS = {word: rank for scale in _SCALES for rank, words in enumerate(scale, start=1) for word in words.split("|")}
LAST = 5
_NUMBERED = re.compile(r"([1-5])\s*[-\u2013:.(]\s*([^()]+)\)?")


def same_rank(before: str, after: str) -> bool | None:
    """Whether a word of such a scale becomes its number, or that of the other end; None where it is neither."""
    numbered = _NUMBERED.fullmatch(before.strip())
    rank = _RANKS.get(" ".join((numbered[2] if numbered else before).casefold().split()))
    if rank is None or not re.fullmatch(r"-?\d(?:\.0)?", after) or (numbered and int(numbered[1]) != rank):
        return None
    return {LAST + 1 - rank: False, rank: True}.get(int(float(after)))
