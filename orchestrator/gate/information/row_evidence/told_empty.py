"""Empty cells that another column of the row accounts for: `paid` where the status is `open`. For filled_cells.py.

Such a cell is no gap: it says that there is nothing yet. An amount or a date that is written there is made up, however
well it agrees with the row.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something, is_missing

ROWS = 5  # with each word of the other column, or it is chance
MOST = 12  # different words of a column that says in what state a row is
_AMOUNT_OR_DATE = re.compile(r"\W*\d[\d.,:/T -]*\W*")
_WORD = re.compile(r"[^\W\d_][^\W\d_ -]*(?:[ -][^\W\d_]+)*")


def told_empty(cells: Sequence[Change], rows: Sequence[int], others: Iterable[Sequence[Any]]) -> list[int]:
    """Those of the filled rows whose cell gets an amount or a date where a word of the row says that it has none.

    `cells`: the column before and after, one for each row; `others`: the other columns, as they were.
    """
    filled = [row for row in rows if is_missing(cells[row][0]) and _AMOUNT_OR_DATE.fullmatch(str(cells[row][1]))]
    for other in others if filled else ():
        empty: Counter[str] = Counter()
        full: Counter[str] = Counter()
        for (before, _), beside in zip(cells, other, strict=True):
            if not isinstance(beside, str) or not _WORD.fullmatch(beside.strip()):
                break
            (full if holds_something(before) else empty)[beside] += 1
            if len(empty) + len(full) > MOST:
                break
        else:
            apart = bool(full) and not empty.keys() & full.keys()
            if apart and all(count >= ROWS for count in (empty + full).values()):
                return [row for row in filled if other[row] in empty]
    return []
