"""Counts cells that a spreadsheet would compute after apply and would not have before. Called by `apply`."""

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import is_text
from orchestrator.data.formulas import are_formulas, planted


def planted_formulas(before: pa.Table, after: pa.Table, changed: Iterable[str]) -> dict[str, int]:
    """By column, how many cells start a formula that did not; none where there are none.

    Row i of both tables is the same row. Looked at are the `changed` columns and those that `before` does not have.
    """
    given, left = {*before.column_names}, {*after.column_names}
    added = [name for name in after.column_names if name not in given]
    found = {}
    for name in (*changed, *added):
        if name not in left or not is_text(after.column(name).type):
            continue
        made = after.column(name)
        mask = planted(before.column(name), made) if name in given else are_formulas(made)
        if count := pc.sum(mask).as_py():
            found[name] = int(count)
    return found
