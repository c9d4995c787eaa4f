"""National telephone numbers get the usual sign behind the code of their area: "089/978551" among "089 978551".

Codes and numbers have any length, so the rule of separators, which compares lengths, does not see them. Left alone:
numbers with a country's code, with other signs or more of them (an extension), and columns without a usual sign.
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_USUAL, _NEARLY_ALL = 0.6, 0.95  # of the national numbers; of the cells are telephone numbers
_DIFFERENT = 5
_NUMBER = re.compile(r"(?:\+|00?)[1-9][\d ()./-]{5,20}", re.ASCII)


def _same_sign(value: str, sign: str) -> str:
    """The number with the sign behind its area's code; any other text as it is."""
    match = re.fullmatch(r"(?:(0[1-9]\d{1,4})(?: ?[/-] ?| )|\((0[1-9]\d{1,4})\) ?)(\d{4,9})", value, re.ASCII)
    return f"{match[1] or match[2]}{sign}{match[3]}" if match else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: text[0] in "+0("):
        return None
    signs = Counter[str]()
    national: list[str] = []
    for text, count in column.counts.items():
        if (bare := _same_sign(text, "")) != text:
            national.append(bare)
            signs["(" if text[0] == "(" else re.sub(r"\d", "", text)] += count
    sign, rows = signs.most_common(1)[0] if signs else ("", 0)
    others = column.rows(lambda text: _NUMBER.fullmatch(text) is not None and _same_sign(text, "") == text)
    if sign == "(" or rows < _USUAL * signs.total() or signs.total() + others < _NEARLY_ALL * column.filled:
        return None
    if len({*map(len, national)}) < 2 or len({*national}) < _DIFFERENT or rows == signs.total():
        return None  # of one length they may be any codes
    return RuleFinding({"sign": sign}, words={"sign": sign})


RULE = RepairRule(
    name="same_sign_behind_area_codes_in_{columns}",
    issue="Some telephone numbers in {columns} have another sign behind the code of their area than most.",
    doc="Write {sign!r} behind the code of an area.",
    fix=_same_sign,
    look=_look,
    imports=("re",),
)
