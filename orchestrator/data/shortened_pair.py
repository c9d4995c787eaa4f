"""Two long texts made short without hiding where they differ. Called where people compare a cell before and after.

Cut at its end, a long text would look the same on both sides, whatever became of its end: a person would confirm a
change that they cannot see.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, NamedTuple

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_MOST = 2_000  # tokens of both sides together beyond which they are not matched: that takes their product
_CONTEXTS = (16, 6, 0)  # characters that stay beside a difference
_GAP = "…"


class _Piece(NamedTuple):
    before: str
    after: str


def shortened(before: Any, after: Any, limit: int) -> tuple[Any, Any]:
    """Both values; where both are texts of which one is longer than the limit, what they share is left out (`…`).

    Where more differs than there is room for, both begin with the first difference and end with the last.
    """
    if not (isinstance(before, str) and isinstance(after, str)) or before == after:
        return before, after
    if max(len(before), len(after)) <= limit:
        return before, after
    pieces = list(_pieces(before, after))
    for context in _CONTEXTS:
        made = _joined(pieces, context)
        if max(map(len, made)) <= limit:
            return made
    return _ends(made[0], limit), _ends(made[1], limit)


def _pieces(before: str, after: str) -> Iterator[_Piece]:
    """What both consist of, in their order; the same on both sides or not."""
    one, other = _TOKEN.findall(before), _TOKEN.findall(after)
    start = next((at for at, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))
    rest = min(len(one), len(other)) - start
    end = next((at for at in range(rest) if one[-1 - at] != other[-1 - at]), rest)
    head, tail = "".join(one[:start]), "".join(one[len(one) - end :])
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    yield _Piece(head, head)
    if len(one) + len(other) > _MOST:
        yield _Piece("".join(one), "".join(other))
    else:
        for _, i, j, k, n in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            yield _Piece("".join(one[i:j]), "".join(other[k:n]))
    yield _Piece(tail, tail)


def _joined(pieces: list[_Piece], context: int) -> tuple[str, str]:
    made: list[_Piece] = []
    for number, piece in enumerate(pieces):
        text = piece.before
        if text == piece.after and len(text) > 2 * context + len(_GAP):
            first = text[:context] if number else ""
            last = text[len(text) - context :] if number < len(pieces) - 1 else ""
            piece = _Piece(*[f"{first}{_GAP}{last}"] * 2)  # noqa: PLW2901 - the same piece, shorter
        made.append(piece)
    return "".join(piece.before for piece in made), "".join(piece.after for piece in made)


def _ends(text: str, limit: int) -> str:
    half = (limit - len(_GAP)) // 2
    return text if len(text) <= limit else f"{text[:half]}{_GAP}{text[len(text) - half :]}"
