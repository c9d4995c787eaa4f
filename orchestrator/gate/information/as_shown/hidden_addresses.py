"""Mail addresses that become a word such as `[email]`, as a witness shows. Called by suspicions.py.

An address holds words and figures. That they go with it says nothing of the words and figures beside it, so that cells
and witnesses are compared as if the word had stood there before.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, both_text

LONGEST = 10_000  # characters of a text in which addresses are looked for
_MAILBOX = re.compile(r"(?<![\w.+%'-])[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")


def with_hidden_addresses(cells: Sequence[Change], shown: Sequence[Change]) -> list[Change]:
    """The cells, before which the addresses are hidden already where they are afterwards, as a witness hides them."""
    masks = {mask for one in shown if (mask := _mask(one))}
    return [_hidden(cell, masks) for cell in cells] if masks else list(cells)


def _hidden(cell: Change, masks: set[str]) -> Change:
    if both_text(cell) and len(cell[0]) <= LONGEST:
        for mask in masks:
            if mask in cell[1] and mask not in cell[0]:
                return _without(cell[0], mask), cell[1]
    return cell


def _mask(shown: Change) -> str:
    """What stands in the place of the addresses of a witness that changes nothing else."""
    if not both_text(shown) or len(shown[0]) > LONGEST:
        return ""
    first, *rest = _MAILBOX.split(shown[0], maxsplit=1)
    if not rest or not shown[1].startswith(first):
        return ""
    behind, left = _MAILBOX.split(rest[0], maxsplit=1)[0], shown[1][len(first) :]
    mask = left.partition(behind)[0] if behind else left
    return mask if mask and not _MAILBOX.search(mask) and _without(shown[0], mask) == shown[1] else ""


def _without(text: str, mask: str) -> str:
    return _MAILBOX.sub(lambda _: mask, text)
