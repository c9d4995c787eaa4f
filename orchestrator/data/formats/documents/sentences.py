"""Tells sentences from rows in a `.txt` file. The reader of text asks, and `registry/export` copies this text.

It imports nothing of cleanroom, so that an exported file knows it, too.
"""

import re
from collections.abc import Sequence

SENTENCE_END = re.compile(r"[.!?…。！？]['\"”’»)\]]*\s+(?=\S)")
_LAST_END = re.compile(r"[.!?]\s*\Z")
_PARAGRAPHS = re.compile(r"\S[ \t]*\r?\n[ \t]*\r?\n\s*\S")
_ALIKE = 0.9  # the share of the lines of a table that have as many cells as the first


def holds_sentences(head: str, cells: Sequence[int]) -> bool:
    """Whether what a text begins with is sentences and no table.

    `cells`: into how many cells its first lines fall that are not blank, 200 at most.
    """
    least = 3 if _PARAGRAPHS.search(head) else 2  # two cells are what a comma makes of a line of a letter
    if cells and cells[0] >= least and sum(count == cells[0] for count in cells) >= _ALIKE * len(cells):
        return False
    return SENTENCE_END.search(head) is not None or _LAST_END.search(head) is not None
