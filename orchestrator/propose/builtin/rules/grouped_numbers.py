"""Numbers whose figures are in groups, which no program reads as numbers: "1 792 385", "1'250.50", "1.792.385" → plain.

Apostrophes are believed where nearly all cells are numbers, and blanks where the other cells are plain whole numbers
as large, and no group alone is so large. Otherwise, with blanks and points, the first groups must be of several
lengths and the cells of several numbers of groups: telephone numbers and versions are cut alike.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_APOSTROPHES = "'\u2019"
_MARKS = (" ", ".", _APOSTROPHES)
_MOST = 0.95  # of the cells must be numbers
_PLAIN, _LENGTHS = 0.6, 3  # of the cells are plain numbers, of so many lengths
_MOST_FIGURES = 9  # of a number with blanks or points; telephone numbers with and without a country's code have more


def _ungrouped(value: str, marks: str) -> str:
    """The number without the signs between its groups; any other text as it is."""
    if not value.isascii() and marks.isascii():
        return value
    groups = rf"-?[1-9]\d{{0,2}}([{re.escape(marks)}]\d{{3}})+"
    if "'" not in marks:
        return "".join(sign for sign in value if sign not in marks) if re.fullmatch(groups, value) else value
    money = re.fullmatch(rf"((?:CHF|S?[Ff]r\.?|EUR|€|USD|\$) ?)?({groups}(\.\d+)?)(\.[-\u2013\u2014]{{1,2}})?", value)
    return (money[1] or "") + "".join(sign for sign in money[2] if sign not in marks) if money else value


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
    if marks == " " and _are_as_large(column, grouped):
        return True
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


def _are_as_large(column: TextColumn, grouped: list[str]) -> bool:
    """Whether the figures together are as large as the plain numbers, which most cells are, and the groups too small.

    Numbers that have all as many figures may be codes.
    """
    plain = {text for text in column.counts if text.isascii() and re.fullmatch(r"[1-9]\d*", text)}
    rows, odd = (sum(map(column.counts.__getitem__, texts)) for texts in (plain, grouped))
    if rows < _PLAIN * column.filled or rows + odd < _MOST * column.filled or len({*map(len, plain)}) < _LENGTHS:
        return False
    sizes = sorted(map(int, plain))
    least = sizes[len(sizes) // 20]
    whole = [int(text.replace(" ", "")) for text in grouped]
    return 10_000 <= least <= 10 * min(whole) and max(whole) <= sizes[-1]


RULE = RepairRule(
    name="ungrouped_numbers_in_{columns}",
    issue="Figures of the numbers in {columns} are parted into groups by {mark!r}.",
    doc="Write numbers without {mark!r} between their figures.",
    fix=_ungrouped,
    look=_look,
    imports=("re",),
)
