"""Of all rows that a function drops, some of each kind are picked, beside some that stay."""

import numpy as np
import pyarrow as pa

from orchestrator.run.rows.contract import CheckedBatch
from orchestrator.run.rows.dropped_rows import MOST, STAYING, DroppedRows
from orchestrator.run.rows.rows_beside import MAX_TEXT


def batch(status: list[str], gone: set[int], first: int = 0, **more: list[str]) -> CheckedBatch:
    table = pa.table({"id": [str(first + row) for row in range(len(status))], "status": status, **more})
    rows = np.array([row for row in range(len(status)) if row not in gone], np.int64)
    return CheckedBatch(table, table.take(pa.array(rows)), rows, {})


def test_one_row_of_another_value_among_thousands_is_picked() -> None:
    """It comes in the last batch, and looks like the others."""
    dropped = DroppedRows(("id", "status"))
    for start in range(0, 20_000, 5_000):
        status = ["cancelled"] * 4_000 + ["paid"] * 1_000
        dropped.take(batch(status, {*range(4_000)} | ({4_321} if start == 15_000 else set()), start))
    rows, stays = dropped.picked()
    gone = [row["id"] for row, stay in zip(rows.to_pylist(), stays, strict=True) if not stay]
    assert "19321" in gone
    assert len(gone) < MOST
    assert sum(stays) == STAYING
    assert dropped.dropped == 16_001


def test_rows_that_hold_something_are_picked_among_empty_ones() -> None:
    """Also where the function names no column; of a long cell the beginning is kept."""
    dropped = DroppedRows(())
    status = [""] * 500
    notes = ["x" * (MAX_TEXT + 5) if row == 321 else " " for row in range(500)]
    dropped.take(batch(status, {*range(500)}, notes=notes))
    assert "x" * MAX_TEXT in dropped.picked()[0].column("notes").to_pylist()
