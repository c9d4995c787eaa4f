"""The name of a column, written in its cells as well: `CEP 01310-100` in `cep`. Called by changed_column.py.

Beside its number it says nothing that the column does not say, so it may go.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from orchestrator.gate.information.changes import Change

_IN_FRONT = re.compile(r"\s*[^\W\d_]{2,}[\s.:#-]+\d")  # a word of the number
SHORTEST = 2  # letters of a name, or of the beginnings of its words, that nothing else is taken for


def without_labels(name: str, cells: Sequence[Change]) -> list[Change]:
    """The cells before and after, without the name of their column where only the one before has it.

    One that becomes another word is no label that goes: `Opus 133` as `Op. 133`.
    """
    in_front, behind = _labels(name)
    return [cell if in_front is None else _without(cell, in_front, behind) for cell in cells]


def _without(cell: Change, in_front: Any, behind: Any) -> Change:
    before, after = cell
    if not isinstance(before, str) or not isinstance(after, str):
        return cell
    if in_front.search(before) and _IN_FRONT.match(after):
        return cell
    for label in (in_front, behind):
        if label.search(before) and not label.search(after):
            return label.sub("", before), after
    return cell


@cache
def _labels(name: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """What is the name in front of a number, and behind one; None for a name that is too short."""
    words = re.findall(r"[^\W\d_]+", name.casefold())
    whole, first_letters = r"[\s_-]*".join(words), "".join(word[0] for word in words)
    if len(whole) < SHORTEST:
        return None, None
    known = f"{whole}?" if whole.endswith("s") else f"{whole}s?"
    # behind a number the first letters may be a unit, as the `am` of an `arrival_moment`
    in_front = f"{known}|{first_letters}" if len(words) > 1 else known
    return (
        re.compile(rf"^\s*(?:{in_front})(?![^\W\d_])[\s.:#-]*(?=[^\W_]*\d|[IVX]+$)", re.IGNORECASE),
        re.compile(rf"(?<=\d)\s*(?:{known})\s*$", re.IGNORECASE),
    )
