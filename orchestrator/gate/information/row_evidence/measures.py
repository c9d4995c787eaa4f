"""A number and its unit that stand in two values of one row, or under two keys of one object. Called by the check.

Where both change, each alone seems to be lost: 1200 and g become 1.2 and kg. Together they say what they said before.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.value_kinds.units import same_quantity, same_temperature

PAIR = 2  # a number and its unit
PLACES = 6  # written out, so that a number without its decimals is seen to be another one


def same_measure(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """The names under which one number and one word changed that are the same quantity together; none otherwise."""
    changed = [name for name in before if name in after and before[name] != after[name]]
    if len(changed) != PAIR:
        return frozenset()
    for number, unit in (changed, reversed(changed)):
        ours, theirs = (_written(values[number], values[unit]) for values in (before, after))
        if ours and theirs and (same_quantity(ours, theirs) or same_temperature(ours, theirs)):
            return frozenset(changed)
    return frozenset()


def measured_rows(cells: Sequence[Change], beside: Sequence[Change], rows: Iterable[int]) -> set[int]:
    """Those of the rows whose change, with that of the column beside it, says the same quantity.

    A unit beside a missing number becomes what it becomes in the other rows.
    """
    rows = list(rows)
    pairs = {
        row: [{"this": one, "other": other} for one, other in zip(cells[row], beside[row], strict=True)] for row in rows
    }
    said = {row for row in rows if same_measure(*pairs[row])}
    units = {repr(cells[row]) for row in said}
    return said | {row for row in rows if is_missing(beside[row][0]) and repr(cells[row]) in units}


def _written(number: Any, unit: Any) -> str:
    if is_missing(number) or isinstance(number, bool) or not isinstance(unit, str) or any(map(str.isdigit, unit)):
        return ""
    if isinstance(number, str) and any(map(str.isalpha, number)):
        return ""
    text = f"{number:.{PLACES}f}" if isinstance(number, int | float) else str(number)
    return f"{text} {unit}" if isinstance(number, int | float | str) else ""
