"""What a cell loses and another column says in the same row: `Austin, TX` beside `TX`. Called by column_cells.py."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from orchestrator.gate.information.column_evidence.left_out import cut_end
from orchestrator.gate.information.value_kinds.known_words import currency


def ends_left_out(before: Sequence[Any], after: Sequence[Any], rows: Sequence[int]) -> dict[int, str]:
    """By row, the end that is left out of a text, without the signs around it; none where it is always the same one."""
    found = {}
    for row in rows:
        one, other = before[row], after[row]
        cut = cut_end(one, other) if isinstance(one, str) and isinstance(other, str) and other.strip() else None
        if cut is not None and (end := cut.end.strip(" ,;:-/()[]")):
            found[row] = end
    return found if len(set(found.values())) > 1 else {}


def said_beside(table: pa.Table, name: str, ends: Mapping[int, str]) -> list[list[Any]]:
    """Of each other column that says what is left out in all of these rows: its cells there, and null elsewhere."""
    rows = list(ends)
    columns = [table.column(other) for other in table.column_names if other != name and rows]
    return [
        [ends.get(row) for row in range(table.num_rows)]
        for column in columns
        if _says(column[rows[0]].as_py(), ends[rows[0]])
        and all(map(_says, column.take(rows).to_pylist(), ends.values()))
    ]


def _says(cell: Any, end: str) -> bool:
    """Whether the cell is what was left out, or names the same currency."""
    return bool(cell == end or (isinstance(cell, str) and currency(cell) & currency(end)))
