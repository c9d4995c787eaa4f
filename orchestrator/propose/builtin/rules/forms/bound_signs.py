"""Bounds get the form of most: "> 200" → ">200" among ">5" and "<0.5". The sign and the number stay as they are.

Left alone: columns with few bounds, or without a clear form of them.
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MAJORITY = 0.6  # of the bounds
_LEAST = 3  # cells with a bound in the usual form


def _same_bound(value: str, between: str) -> str:
    """A number behind the sign of a bound, with nothing or one blank between them; any other text as it is."""
    match = re.fullmatch(r"([<>\u2264\u2265]=?)\s{0,3}(\d[^<>=]{0,30})", value)
    return f"{match[1]}{between}{match[2]}" if match else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    forms = Counter[str]()
    for text, count in column.counts.items():
        if _same_bound(text, "\0") != text:
            forms["" if _same_bound(text, "") == text else " "] += count
    if len(forms) < 2:
        return None
    between, rows = forms.most_common(1)[0]
    if rows < max(_LEAST, _MAJORITY * forms.total()):
        return None
    return RuleFinding({"between": between}, words={"example": f"<{between}5"})


RULE = RepairRule(
    name="same_bounds_in_{columns}",
    issue="Some bounds in {columns} have a blank behind their sign, and others have none.",
    doc="Write bounds like {example!r}.",
    fix=_same_bound,
    look=_look,
    imports=("re",),
)
