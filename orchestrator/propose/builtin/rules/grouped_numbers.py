"""Numbers whose figures are in groups, which no program reads as numbers: "1 792 385", "1'250.50", "1.792.385" → plain.

Apostrophes are believed where nearly all cells are numbers. With blanks and points, the first groups must be of several
lengths and the cells of several numbers of groups: telephone numbers and versions are cut alike.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_APOSTROPHES = "'\u2019"
_MARKS = (" ", ".", _APOSTROPHES)
_MOST = 0.95  # of the cells must be numbers
_MOST_FIGURES = 9  # of a number with blanks or points; telephone numbers with and without a country's code have more


def _ungrouped(value: str, marks: str) -> str:
    """The number without the signs between its groups; any other text as it is."""
    places = r"(\.\d+)?" if "'" in marks else ""
    if not value.isascii() and marks.isascii():
        return value
    grouped = re.fullmatch(rf"-?[1-9]\d{{0,2}}([{re.escape(marks)}]\d{{3}})+{places}", value)
    return "".join(sign for sign in value if sign not in marks) if grouped else value


def _look(column: TextColumn, convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    marks = next((marks for marks in _MARKS if _groups(column, marks)), None)
    if marks is None or convention.numbers.decimal == marks:
        return None
    return RuleFinding({"marks": marks}, words={"mark": "'" if "'" in marks else marks})


def _groups(column: TextColumn, marks: str) -> bool:
    """Whether these signs group the figures of the column's numbers."""
    apostrophes = marks == _APOSTROPHES
    grouped = [text for text in column.counts if _ungrouped(text, marks) != text]
    if len(grouped) < 2:
        return False
    plain = r"-?(0|[1-9]\d*)(\.\d+)?" if apostrophes else r"-?(0|[1-9]\d{0,2})"
    rows = sum(column.counts[text] for text in grouped)
    rows += column.rows(lambda text: text.isascii() and re.fullmatch(plain, text) is not None)
    if rows < _MOST * column.filled:
        return False
    if apostrophes:
        return True
    firsts = {text.lstrip("-").index(marks) for text in grouped}
    short = max(sum(map(str.isdigit, text)) for text in grouped) <= _MOST_FIGURES
    return len(firsts) > (1 if short else 2) and len({text.count(marks) for text in grouped}) > 1


RULE = RepairRule(
    name="ungrouped_numbers_in_{columns}",
    issue="Figures of the numbers in {columns} are parted into groups by {mark!r}.",
    doc="Write numbers without {mark!r} between their figures.",
    fix=_ungrouped,
    look=_look,
    imports=("re",),
)
