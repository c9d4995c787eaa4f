"""Words of an added column that are none of their row, though they come from one: cut, or in other capitals.

Or a name that ends with its particle: `Eva van` of `Eva van Dyk`.

The initials of a cell of the row are no such words: `CO` of `Cy Ode`, beside the address `cy@shop.co.uk`.

For added_concerns.py. `Illinois` as `Il`, `Stool` as `S.`: what the examples take over in whole words is cut here.
"""

import re
from collections.abc import Iterable
from typing import Any

from orchestrator.gate.information.similarity import NO, YES
from orchestrator.gate.information.text_changes.labels_and_cuts import cut_before_the_name

LONGEST = 300  # characters of a cell that is looked at
WHOLE = 4  # letters of a word that is cut
ANSWERS = YES | NO  # of the row, and no words of it: `no` of `none`
_WORD = re.compile(r"[^\W\d_]+")
_HOST = re.compile(r"(?:@|://)([\w.-]+)")  # which is the same in small letters
CUT, RECASED = "a word of the row is cut", "a word of the row is written in other capitals"
PARTED = "a name ends with what begins its next word"


def otherwise_than_in_row(made: Any, row: Iterable[Any]) -> set[str]:
    """What happened to words of the row in a cell that was made of it: they are cut, parted, or have other capitals."""
    if not isinstance(made, str) or not made or len(made) > LONGEST or made.strip().casefold() in ANSWERS:
        return set()
    cells = [cell for cell in row if isinstance(cell, str) and len(cell) <= LONGEST]
    words = {word for cell in cells for word in _WORD.findall(cell)}
    hosts = {word.casefold() for cell in cells for host in _HOST.findall(cell) for word in _WORD.findall(host)}
    initials = {"".join(word[0] for word in cell.split()) for cell in cells}
    ours = _WORD.findall(made)
    folded, kept = {word.casefold() for word in words}, {word.casefold() for word in ours}
    found = {PARTED} if cut_before_the_name([(cell, made) for cell in cells]) else set()
    for word in ours:
        if word in words or word in hosts or (len(word) > 1 and word in initials):
            continue
        if word.casefold() in folded:
            found.add(RECASED)
        elif any(len(one) >= max(WHOLE, len(word) + 2) and one.startswith(word.casefold()) for one in folded - kept):
            found.add(CUT)
    return found
