"""Which rows of a table are left in a shorter one whose rows were numbered anew (`reset_index`), by what is in them.

Called by the gate and by what holds applied functions to their contract, so that both say the same.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.data.cells import python_rows


def renumbered(index: Any, rows: int) -> bool:
    """Whether labels say nothing of which of so many rows are left: they count from 0, and there are fewer."""
    return len(index) < rows and np.array_equal(index, np.arange(len(index)))


def rows_by_content(before: pa.Table, after: pa.Table, names: Sequence[str]) -> Any:
    """`int64[n_rows_after]`: the places of the rows of `before`, in order, the first that are alike in these columns.

    None where not every row is found, or there are no such columns.
    """
    if not names:
        return None
    wanted = [repr(tuple(row.values())) for row in python_rows(after.select(names))]
    have = [repr(tuple(row.values())) for row in python_rows(before.select(names))]
    found: list[int] = []
    at = 0
    for row in wanted:
        while at < len(have) and have[at] != row:
            at += 1
        if at == len(have):
            return None
        found.append(at)
        at += 1
    return np.array(found, dtype=np.int64)
