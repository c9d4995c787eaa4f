"""Codes that got a dash from a word processor where the others have a hyphen: "AB–123" → "AB-123".

Left alone: dashes beside blanks or words, in cells that hold a hyphen as well, and in a column in which not nearly all
cells have a hyphen between letters and figures.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_NEARLY_ALL = 0.8  # of the rows have a hyphen
_CODE = re.compile(r"(?=.*[0-9])[0-9A-Za-z./:_]+(?:-[0-9A-Za-z./:_]+)+")


def _with_hyphens(value: str) -> str:
    """A code with hyphens for its dashes; a text that is none, as it is."""
    if len(value) < 40 and re.fullmatch(r"[0-9A-Za-z./:_]+(?:[\u2010-\u2015\u2212][0-9A-Za-z./:_]+)+", value):
        return re.sub(r"[\u2010-\u2015\u2212]", "-", value) if re.search(r"[0-9]", value) else value
    return value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if all(_with_hyphens(text) == text for text in column.counts):
        return None
    usual = column.rows(lambda text: len(text) < 40 and _CODE.fullmatch(text) is not None)
    return RuleFinding() if usual >= _NEARLY_ALL * column.filled else None


RULE = RepairRule(
    name="hyphens_for_dashes_in_{columns}",
    issue="Some codes in {columns} have a dash where most have a hyphen.",
    doc="Write codes with hyphens, not with dashes.",
    fix=_with_hyphens,
    look=_look,
    imports=("re",),
)
