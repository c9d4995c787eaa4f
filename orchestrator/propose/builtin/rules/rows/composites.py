"""A column that repeats two others: "al_pn-2" from state "al" and code "pn-2"; a slip ("xl_pn-2") shows beside them.

Left alone: a different text that is no slip, and rows in which one of the two other texts is rare.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from orchestrator.propose.builtin.distance import _edits, _is_slip_of
from orchestrator.propose.builtin.function_names import slug
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import Cell, TextColumn, WorkingRows

_LOOK = 60  # rows on which pairs of columns are tried
_HOLDS = 0.9
_MOST_TEXTS = 500
MOST_COLUMNS = 80  # every pair of columns is tried


def _rejoin(row: tuple[str | None, ...], lefts: list[str], rights: list[str], joint: str) -> tuple[str | None, ...]:
    """Two texts and what they make together, with a slip in that corrected where both texts are known."""
    left, right, both = row
    if left not in lefts or right not in rights or both is None or not _is_slip_of(both, f"{left}{joint}{right}"):
        return row
    for known in lefts:
        if both.startswith(known + joint) and both.removeprefix(known + joint) in rights:
            return row
    return left, right, f"{left}{joint}{right}"


def find(table: WorkingRows, _preferences: Preferences) -> Iterator[Remedy]:
    columns = [c for c in table.columns if len(c.counts) > 1]
    if len(columns) > MOST_COLUMNS:
        return
    for whole in columns:
        found = next(_pairs(whole, columns), None)
        if found is None:
            continue
        left, right, joint = found
        yield Remedy(
            name=f"rejoin_{slug(whole.name)}",
            issue=f"{whole.name} is made of {left.name} and {right.name}, but for some slips.",
            doc=f"Correct slips in {whole.name} by {left.name} and {right.name}.",
            columns=(left.name, right.name, whole.name),
            fix=_rejoin,
            settings={"lefts": _usual(left), "rights": _usual(right), "joint": joint},
            helpers=(_edits, _is_slip_of),
            whole_rows=True,
            examples=24,
        )


def is_composite(whole: TextColumn, table: WorkingRows) -> bool:
    """Whether two other columns make up this one: then it says nothing of its own about a row."""
    return len(table.columns) <= MOST_COLUMNS and next(_pairs(whole, list(table.columns)), None) is not None


def _pairs(whole: TextColumn, columns: list[TextColumn]) -> Iterator[tuple[TextColumn, TextColumn, str]]:
    """Two columns and the text between them that make up the column in nearly all rows."""
    others = [c for c in columns if c is not whole]
    first = [row for row, cell in enumerate(whole.cells) if cell][:_LOOK]
    if len(first) < 10:
        return
    lefts = [c for c in others if _fit(first, whole.cells, c.cells, str.startswith)]
    rights = [c for c in others if _fit(first, whole.cells, c.cells, str.endswith)]
    for left in lefts:
        for right in rights:
            joints = Counter(
                cell[len(a) : len(cell) - len(b)]
                for cell, a, b in zip(whole.cells, left.cells, right.cells, strict=True)
                if cell and a and b and cell.startswith(a) and cell.endswith(b) and len(cell) >= len(a) + len(b)
            )
            joint, rows = joints.most_common(1)[0] if joints else ("", 0)
            texts = len(_usual(left)), len(_usual(right))
            if left is not right and rows >= _HOLDS * whole.filled and len(joint) <= 3 and max(texts) <= _MOST_TEXTS:
                yield left, right, joint


def _fit(rows: list[int], cells: list[Cell], parts: list[Cell], fits: Callable[[str, str], bool]) -> bool:
    held = sum(bool(parts[row]) and fits(cells[row] or "", parts[row] or "") for row in rows)
    return held >= 0.85 * len(rows)


def _usual(column: TextColumn) -> list[str]:
    return sorted(text for text, count in column.counts.items() if count >= 3)
