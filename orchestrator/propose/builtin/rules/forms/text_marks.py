"""What programs put around a cell to keep it a text goes: "'00123" and '="00123"' → "00123", '"Essen"' → "Essen".

Left alone: years such as '24, texts in quotes where half of them do not occur without (a title may have them), and
columns in which this is no exception.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_FEW = 0.3  # of the cells
_LEAST = 2  # different texts that occur without quotes, too


def _without_marks(value: str, quotes: bool) -> str:
    """The text of a spreadsheet's formula or behind its apostrophe, and with `quotes` what stands between them."""
    if match := re.fullmatch(r'="([^"=]+)"', value):
        return match[1]
    if match := re.fullmatch(r"'(\d[\d .,/-]{2,})", value):
        return match[1]
    match = re.fullmatch(r'"([^"\s](?:[^"]*[^"\s])?)"', value) if quotes else None
    return match[1] if match else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    bare = {text: made for text in column.counts if (made := _without_marks(text, quotes=True)) != text}
    if not bare or sum(map(column.counts.__getitem__, bare)) > _FEW * column.filled:
        return None
    quoted = [made for text, made in bare.items() if text[0] == '"']
    also = sum(made in column.counts for made in quoted)
    quotes = also >= max(_LEAST, 0.5 * len(quoted))
    return RuleFinding({"quotes": quotes}) if quotes or len(quoted) < len(bare) else None


RULE = RepairRule(
    name="text_marks_in_{columns}",
    issue="Some cells in {columns} have signs around them that say they are texts.",
    doc="Take away the signs by which programs mark a text.",
    fix=_without_marks,
    look=_look,
    imports=("re",),
)
