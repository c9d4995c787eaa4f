"""Numbers with units get the blank of most cells between the two, or none: "5mg" → "5 mg", "23 %" → "23%".

Numbers of one unit are the rule of numbers' task; here a column may have several. Left alone: units that no cell
writes in the usual way. Where both ways are as frequent, the blank wins, as in physics.
"""

import re
from collections import Counter
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MEASURED, _BLANKS = 0.5, 0.4  # of the rows; of those with a unit, and the others get the blank, too
_LEAST = 3  # rows with the unit in the usual way


def _same_blank(value: str, units: list[str], between: str) -> str:
    """A number and one of the units with nothing or one blank between them; any other text as it is."""
    match = re.fullmatch(r"([-+]?\d+(?:[.,]\d+)*) ?(%|°|(?:°|[^\W\d_])[^\W\d_]{0,5}(?:/[^\W\d_]{1,5})?)", value)
    return f"{match[1]}{between}{match[2]}" if match and match[2] in units else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: text[-1:].isdigit() is False and any(map(str.isdigit, text))):
        return None
    forms: dict[str, Counter[str]] = {"": Counter(), " ": Counter()}
    for text, count in column.counts.items():
        if (unit := _unit(text)) is not None:
            forms[" " if " " in text else ""][unit] += count
    measured = sum(found.total() for found in forms.values())
    blanks = forms[" "].total()
    between = " " if blanks >= (1 - _BLANKS if "%" in forms[""] else _BLANKS) * measured else ""
    if measured < _MEASURED * column.filled or not 0 < blanks < measured:
        return None
    units = sorted(unit for unit, count in forms[between].items() if count >= _LEAST)
    settings: dict[str, Any] = {"units": units, "between": between}
    if all(_same_blank(text, **settings) == text for text in column.counts):
        return None
    return RuleFinding(settings, words={"example": f"5{between}{forms[between].most_common(1)[0][0]}"})


def _unit(text: str) -> str | None:
    """The unit behind a number, None where the text is none."""
    unit = re.sub(r"^[-+]?\d+(?:[.,]\d+)* ?", "", text)
    return unit if unit != text and _same_blank(text, [unit], "\0") != text else None


RULE = RepairRule(
    name="same_blank_before_units_in_{columns}",
    issue="Some numbers in {columns} have a blank in front of their unit, and others have none.",
    doc="Write numbers and their units like {example!r}.",
    fix=_same_blank,
    look=_look,
    imports=("re",),
)
