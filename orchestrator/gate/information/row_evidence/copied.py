"""Empty cells that get the value of another column which holds other things: the language of an article is no journal.

The row says such a value, and says it of something else. Called by filled_cells.py.
"""

from collections.abc import Iterable, Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.tokens import layout

ROWS = 20  # that hold something in both columns and show that they have no value in common


def copied_from_another(cells: Sequence[Change], rows: Iterable[int], others: Iterable[Sequence[Change]]) -> list[int]:
    """Those of the filled rows whose text stands, and stays, in a column that has no value in common with this one.

    Only of a text that is built as none of this column: a telephone number may be one in two columns. `others`: the
    other columns, before and after.
    """
    stay = {
        before for before, after in cells if before == after and isinstance(before, str) and holds_something(before)
    }
    layouts = {layout(text) for text in stay}
    filled = [row for row in rows if isinstance(after := cells[row][1], str) and holds_something(after)]
    filled = [row for row in filled if layout(cells[row][1]) not in layouts]
    found: set[int] = set()
    for other in others if stay and filled else ():
        copied = [row for row in filled if other[row][0] == other[row][1] == cells[row][1]]
        if copied and _nothing_in_common(cells, stay, other):
            found.update(copied)
    return sorted(found)


def _nothing_in_common(cells: Sequence[Change], stay: set[str], other: Sequence[Change]) -> bool:
    both = sum(1 for (one, _), (two, _) in zip(cells, other, strict=True) if one in stay and holds_something(two))
    return both >= ROWS and stay.isdisjoint(two for two, _ in other if isinstance(two, str))
