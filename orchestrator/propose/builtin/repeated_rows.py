"""Rows that may be no data: the same as another one in every column, as what was loaded twice; and with one cell and
nothing else, as the last lines of a report ("Printed by: …").

Called by the proposer on a chunk's first question. They stay, since no rule drops rows.
"""

from collections.abc import Iterator

from orchestrator.propose.builtin.left_alone import says_total
from orchestrator.propose.builtin.working_rows import WorkingRows

_FEW = 0.1  # of the rows: where more are equal they may well be, as answers to a few questions
_SPARSE, _FILLED = 0.01, 0.9  # of the rows have one cell; have half of their cells
_COLUMNS = 4  # of fewer one cell may well be a row
_SHOWN = 60  # characters
_LEAST = 20  # rows: a few may be equal by chance


def repeated_rows(table: WorkingRows) -> Iterator[str]:
    """A sentence with their number, where nearly all rows of several columns differ. The table must be whole."""
    if len(table.columns) < 2 or any(len(column.counts) == table.rows for column in table.columns):
        return
    different = len(set(zip(*(column.cells for column in table.columns), strict=True)))
    repeats = table.rows - different
    if different > _LEAST and 0 < repeats <= _FEW * table.rows:
        verb = "is" if repeats == 1 else "are"
        said = f"{repeats:,} of {table.rows:,} rows looked at {verb} the same as another one in every column."
        yield f"{said} They stay: no rule drops rows."


def lone_cells(table: WorkingRows) -> Iterator[str]:
    """A sentence with an example, where nearly all other rows have most of their cells. The table must be whole."""
    if len(table.columns) < _COLUMNS or table.rows < _LEAST:
        return
    rows = [
        [cell for cell in row if cell and cell.strip()] for row in zip(*(c.cells for c in table.columns), strict=True)
    ]
    lone = [row for row in rows if not row or (len(row) == 1 and not says_total(row[0]))]
    full = sum(2 * len(row) >= len(table.columns) for row in rows)
    if 0 < len(lone) <= max(2, _SPARSE * table.rows) and full >= _FILLED * (table.rows - len(lone)):
        shown = next((f" ({row[0].strip()[:_SHOWN]!r})" for row in lone if row), "")
        yield f"Some rows hold one cell{shown} or none. They may be no data, and stay: no rule drops rows."
