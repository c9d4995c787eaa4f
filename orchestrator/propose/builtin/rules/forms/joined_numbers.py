"""Numbers joined by a sign get the sign of most cells: "3 to 7" → "3-7", "35 X 50" → "35x50", "4 of 5" → "4/5".
So do times of day: "8:00 to 16:00" → "8:00-16:00".

Left alone: signs of another meaning (5:3 among 5-3), a minus ("3 -7"), and columns without a clear majority.
"""

import re
from collections import Counter
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.dates import looks_like_date
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_USUAL, _MAJORITY, _NEARLY_ALL = 0.2, 0.6, 0.9
_DIFFERENT, _FEW = 5, 3  # texts of numbers that are joined; where all become frequent ones
_CLASSES = 0.3  # of the cells, where nearly all others are open classes: 1-3, 4-6, "<1" and "10+ years"
_OPEN = re.compile(r"[<>\u2264\u2265]? ?\d{1,7} ?\+?(?: [^\W\d_]{1,8})?")
_OFTEN = 4  # rows of a text that others become, where not nearly all join numbers: 18-24 beside "55+"
_ALIKE = (  # signs that say the same, and how many numbers they may join
    (("-", "–", "—", "to", "bis", " a ", " à "), 2),
    (("x", "X", "×", "*", "by"), 3),
    (("/", "of", "out of", "von", "over"), 2),
)


def _same_joint(value: str, joints: list[str], joint: str, most: int) -> str:
    """Two numbers or more with the column's sign between them; any other text as it is."""
    number = r"(?:\d\d?:[0-5]\d|\d{1,7}(?:[.,]\d{1,4})?)"
    one = "|".join(re.escape(sign) for sign in joints)
    joined = rf"{number}(?: ?(?:{one}) ?{number}){{1,{most - 1}}}(?: ?[^\W\d_]{{1,4}})?"
    if len(value) > 40 or not re.fullmatch(joined, value, re.ASCII) or re.search(r" -\d", value):
        return value
    return re.sub(rf"(?<=\d) ?(?:{one}) ?(?=\d)", joint, value)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: text[0].isdigit() and sum(map(str.isdigit, text)) > 1):
        return None
    for joints, most in _ALIKE:
        if (found := _settings(column, [*joints], most)) is not None:
            return found
    return None


def _settings(column: TextColumn, joints: list[str], most: int) -> RuleFinding | None:
    joined = [text for text in column.counts if _same_joint(text, joints, "\0", most) != text]
    joining = re.compile(rf"(?<=\d) ?(?:{'|'.join(map(re.escape, joints))}) ?(?=\d)")
    used = Counter[str]()
    for text in joined:
        used[joining.findall(text)[0]] += column.counts[text]
    signs = [sign for sign, count in used.items() if not sign.strip().isalpha() and count >= _USUAL * used.total()]
    joint = max(signs or used, key=used.__getitem__, default="")  # a word only where hardly a sign is used
    rows = used[joint]
    settings: dict[str, Any] = {"joints": joints, "joint": joint, "most": most}
    mended = [text for text in joined if _same_joint(text, **settings) != text]
    known = all(column.counts[_same_joint(text, **settings)] >= _OFTEN for text in mended)
    classes = used.total() + column.rows(lambda text: _OPEN.fullmatch(text) is not None)
    of_classes = known and used.total() >= _CLASSES * column.filled and classes >= _NEARLY_ALL * column.filled
    if used.total() < _MAJORITY * column.filled and not of_classes:
        return None
    if not known and used.total() < _NEARLY_ALL * column.filled:
        pairs = column.rows(lambda text: any(_same_joint(text, [*signs], "\0", n) != text for signs, n in _ALIKE))
        if pairs < _NEARLY_ALL * column.filled:
            return None
    if rows < _USUAL * used.total() or len(joined) < (_FEW if known else _DIFFERENT):
        return None
    return RuleFinding(settings) if mended and not any(map(looks_like_date, mended)) else None


RULE = RepairRule(
    name="same_sign_between_numbers_in_{columns}",
    issue="Numbers in {columns} are joined by other signs than most.",
    doc="Join numbers by {joint!r}.",
    fix=_same_joint,
    look=_look,
    imports=("re",),
)
