"""Words that become what another column of their rows denies: severity `1` as `high` where the row promises 72 hours.

In the rows that stay as they are, the other column must go with this one value by value. Called by changed_column.py.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change, both_text
from orchestrator.gate.information.null_tokens import holds_something

ROWS = 5  # with one value of the other column, or they tell nothing
VALUES = 2  # of this column that the other one tells apart
DENIED = 2  # rows of one change, and all rows of it that the other column speaks of
MOST = 30  # different values of a column that says of which kind a row is


def denied_beside(cells: Sequence[Change], changed: Sequence[int], others: Iterable[Sequence[Any]]) -> list[int]:
    """Those of the `changed` rows whose new value goes with another value of one of the other columns."""
    stay = Counter(before for before, after in cells if isinstance(before, str) and before == after)
    moved = [row for row in changed if both_text(cells[row]) and stay[cells[row][1]] >= ROWS]
    denied: set[int] = set()
    for other in others if moved and len(stay) >= VALUES else ():
        told = _goes_with(cells, other)
        spoken: dict[Change, list[int]] = defaultdict(list)
        for row in moved:
            if isinstance(other[row], str) and other[row] in told:
                spoken[cells[row]].append(row)
        for (_, after), rows in spoken.items():
            if len(rows) >= DENIED and all(told[other[row]] != after for row in rows):
                denied.update(rows)
    return sorted(denied)


def _goes_with(cells: Sequence[Change], other: Sequence[Any]) -> dict[str, str]:
    """The one value of this column in the unchanged rows with each value of the other, and no two values have the same.

    Empty where a value of the other column is beside two of this one, or is in a few rows only.
    """
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for (before, after), beside in zip(cells, other, strict=True):
        if isinstance(before, str) and before == after and holds_something(before) and isinstance(beside, str):
            groups[beside][before] += 1
            if len(groups) > MOST:
                return {}
    groups = {value: counts for value, counts in groups.items() if value.strip()}
    if not all(len(counts) == 1 and counts.total() >= ROWS for counts in groups.values()):
        return {}
    told = {value: next(iter(counts)) for value, counts in groups.items()}
    return told if len(set(told.values())) >= VALUES else {}
