"""Rows in which a thing is called otherwise from some row on: it has changed, and that is no slip of its other name.

Called by `dependencies`. Slips that are alike by chance stand apart among the rows of a thing; a name that its owner
has changed stands in all of the later rows, or of the earlier ones.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from orchestrator.propose.builtin.working_rows import Cell

_TOGETHER = 3  # rows of a thing that follow each other and are alike; at an end of its rows one fewer


def lasting(cells: Sequence[Cell], keys: Sequence[Sequence[Cell]]) -> Iterator[tuple[Cell, ...]]:
    """Each cell and its key where rows that follow each other have both; what most rows of a key have is among them."""
    told: dict[tuple[Cell, ...], list[Cell]] = defaultdict(list)
    for cell, *key in zip(cells, *keys, strict=True):
        told[tuple(key)].append(cell)
    for thing, said in told.items():
        for cell, count in Counter(said).items():
            start = said.index(cell)
            at_end = start in (0, len(said) - count)
            together = set(said[start : start + count]) == {cell}
            if cell and cell.strip() and together and count >= _TOGETHER - at_end:
                yield cell, *thing
