"""What a fitted function replaced by another answer though neither its rows nor a witness say so.

Called by changed_column.py.
"""

from collections import defaultdict
from collections.abc import Sequence

from orchestrator.core.wording import plural
from orchestrator.gate.checks.changed_columns.cell_keys import pair_key
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.information.similarity import clusters


def overruled(cells: Sequence[Change], rows: Sequence[int], shown: Sequence[Change]) -> Suspected | None:
    """The first answer that is no spelling of the one before. `cells`: the column; `rows`: those that changed."""
    settled = set(map(pair_key, shown))
    other: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in rows:
        before, after = cells[row]
        if holds_something(before) and not is_missing(after) and pair_key((before, after)) not in settled:
            other[pair_key((before, after))].append(row)
    for (before, after), changed in other.items():
        if before != after and clusters([before, after], after) > 1:
            told = f"{len(changed)} {plural(len(changed), 'cell')}"
            detail = f"{told} with {before[:60]!r} became {after[:60]!r}, as no other row has it"
            return Suspected("value-overruled", detail, changed[0], "the value that the row had", len(changed))
    return None
