"""A value that is written otherwise in some of its rows only: `Consumer` as `consumer` where another column says A.

Whoever counts the values gets two of one. Called by changed_column.py.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, both_text
from orchestrator.gate.information.characters.two_ways import rewritten

ENOUGH = 3  # rows in each of the two ways
SHARE = 0.1  # of the value's rows in each of them: a few may be left because their other cells are empty
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?")


def rewritten_in_some_rows(cells: Sequence[Change], shown: Sequence[Change]) -> list[int]:
    """The rows that write one value otherwise while others keep it, unless a witness shows the value written so."""
    stay = Counter(before for before, after in cells if before == after and both_text((before, after)))
    changed: dict[Change, list[int]] = defaultdict(list)
    for row, cell in enumerate(cells) if stay else ():
        if both_text(cell) and cell[0] in stay and is_rewritten(*cell):
            changed[cell].append(row)
    for (value, written), rows in changed.items():
        enough = max(ENOUGH, SHARE * (stay[value] + len(rows)))
        if min(stay[value], len(rows)) >= enough and (value, written) not in shown:
            return rows
    return []


def is_rewritten(before: str, after: str) -> bool:
    """Whether the same letters and figures, or the same plain number, are written otherwise."""
    if before != after and _NUMBER.fullmatch(before) and _NUMBER.fullmatch(after):
        return float(before) == float(after)
    return rewritten(before, after)
