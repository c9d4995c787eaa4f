"""Numbers whose figures are in groups, which no program reads as numbers: "1 792 385", "1'250.50", "1.792.385" → plain.

Apostrophes are believed where nearly all cells are numbers. With blanks and points, the first groups must be of several
lengths and the cells of several numbers of groups: telephone numbers and versions are cut alike.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MARKS = (" ", ".", "'", "\u2019")
_MOST = 0.95  # of the cells must be numbers
_MOST_FIGURES = 9  # of a number with blanks or points; telephone numbers with and without a country's code have more


def _ungrouped(value: str, mark: str) -> str:
    """The number without the signs between its groups; any other text as it is."""
    places = r"(\.\d+)?" if mark in "'\u2019" else ""
    if not value.isascii() and mark.isascii():
        return value
    return (
        value.replace(mark, "")
        if re.fullmatch(rf"-?[1-9]\d{{0,2}}({re.escape(mark)}\d{{3}})+{places}", value)
        else value
    )


def _look(column: TextColumn, convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    mark = next((mark for mark in _MARKS if _groups(column, mark)), None)
    if mark is None or convention.numbers.decimal == mark:
        return None
    return RuleFinding({"mark": mark})


def _groups(column: TextColumn, mark: str) -> bool:
    """Whether this sign groups the figures of the column's numbers."""
    grouped = [text for text in column.counts if mark in text and _ungrouped(text, mark) != text]
    if len(grouped) < 2:
        return False
    plain = r"-?(0|[1-9]\d{0,2})" + (r"(\.\d+)?" if mark in "'\u2019" else "")
    rows = sum(column.counts[text] for text in grouped)
    rows += column.rows(lambda text: text.isascii() and re.fullmatch(plain, text) is not None)
    if rows < _MOST * column.filled:
        return False
    firsts = {text.lstrip("-").index(mark) for text in grouped}
    short = max(sum(map(str.isdigit, text)) for text in grouped) <= _MOST_FIGURES
    sized = len(firsts) > (1 if short else 2) and len({text.count(mark) for text in grouped}) > 1
    return sized or mark in "'\u2019"


RULE = RepairRule(
    name="ungrouped_numbers_in_{columns}",
    issue="Figures of the numbers in {columns} are parted into groups by {mark!r}.",
    doc="Write numbers without {mark!r} between their figures.",
    fix=_ungrouped,
    look=_look,
    imports=("re",),
)
