"""Telephone numbers of ten digits in several formats become the most frequent one: "555.123.4567" → "(555) 123-4567".

Left alone: numbers that are not North American, and columns in which most are bare digits, which may be anything.
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_ZEROS = str.maketrans("123456789", "000000000")


def _same_phone(value: str, form: str) -> str:
    """The ten digits of a North American number in the column's form; any other text as it is."""
    match = re.fullmatch(r"(?:\+?1[ .-]?)?\(?(\d{3})\)?[ ./-]{0,2}(\d{3})[ .-]?(\d{4})", value, re.ASCII)
    if match is None:
        return value
    digits = iter("".join(match.groups()))
    return "".join(next(digits) if sign == "0" else sign for sign in form)


def looks_like_phone(text: str) -> bool:
    return re.fullmatch(r"0{10}", _same_phone(text, "0" * 10).translate(_ZEROS)) is not None


def _look(column: TextColumn, convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(looks_like_phone):
        return None
    forms, punctuated = Counter[str](), 0
    for text, count in column.counts.items():
        if looks_like_phone(text):
            forms[_form(text)] += count
            punctuated += count * (not text.isdecimal())
    e164 = convention.phones == "e164"
    if forms.total() < 0.9 * column.filled or (len(forms) < 2 and not e164) or punctuated < 0.2 * column.filled:
        return None
    form, rows = ("+10000000000", forms.total()) if e164 else forms.most_common(1)[0]
    if rows < 0.4 * forms.total() or form.count("0") != 10:
        return None
    return RuleFinding({"form": form}, words={"forms": len(forms)})


def _form(text: str) -> str:
    """The format: 0 for each of the last ten digits, everything else as it is."""
    digits = sum(sign.isdecimal() for sign in text)
    seen = 0
    form = ""
    for sign in text:
        seen += sign.isdecimal()
        form += "0" if sign.isdecimal() and seen > digits - 10 else sign
    return form


RULE = RepairRule(
    name="same_phone_format_in_{columns}",
    issue="Telephone numbers in {columns} are written in {forms} formats.",
    doc="Write telephone numbers like {form!r}.",
    fix=_same_phone,
    look=_look,
    imports=("re",),
)
