"""Rows of which known cells are taken away: a function that fills empty cells shows whether it finds them again.

What it finds is compared with what stood there (`information/row_evidence/found_again.py`), so that the other rows say
whether it fills rightly. Called by case_planner.py.
"""

import random
from collections.abc import Iterable

import pyarrow as pa

from orchestrator.data.cells import has_column
from orchestrator.gate.information.null_tokens import holds_something, says_nothing

EMPTIED = "emptied-"
FEWEST = 8  # known cells of a column that are worth the process
MOST_COLUMNS = 3


def emptied_cells(table: pa.Table, names: Iterable[str], draw: random.Random) -> dict[str, tuple[pa.Table, list[int]]]:
    """By the name of the case: the table with half of a column's known cells empty, and the rows of these.

    They are empty in the ways in which cells of the column are; a column without an empty cell is left out.
    """
    made: dict[str, tuple[pa.Table, list[int]]] = {}
    for name in names:
        if not has_column(table, name) or len(made) == MOST_COLUMNS or table.num_columns == 1:
            continue
        values = table.column(name).to_pylist()
        empty = [row for row, value in enumerate(values) if says_nothing(value)]
        known = [row for row, value in enumerate(values) if holds_something(value)]
        if not empty or len(known) < FEWEST:
            continue
        taken = sorted(draw.sample(known, len(known) // 2))
        rows = list(range(table.num_rows))
        for row in taken:
            rows[row] = draw.choice(empty)
        place = table.schema.get_field_index(name)
        cells = table.column(name).take(pa.array(rows, pa.int64()))
        made[case_name(table, name)] = (table.set_column(place, table.schema.field(name), cells), taken)
    return made


def case_name(table: pa.Table, name: str) -> str:
    """The case in which cells of this column are taken away."""
    return f"{EMPTIED}{table.schema.get_field_index(name)}"
