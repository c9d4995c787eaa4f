"""Rows that are the same as another one in every column: a copy made by hand, or what was loaded twice.

Called by the proposer on a chunk's first question. They stay, since no rule drops rows.
"""

from collections.abc import Iterator

from orchestrator.propose.builtin.working_rows import WorkingRows

_FEW = 0.1  # of the rows: where more are equal they may well be, as answers to a few questions
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
