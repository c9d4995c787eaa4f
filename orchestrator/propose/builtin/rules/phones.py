"""Telephone numbers of ten digits in several formats become the most frequent one: "555.123.4567" → "(555) 123-4567".

Left alone: numbers that are not North American, and columns in which most are bare digits, which may be anything.
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MAJORITY = 0.4  # of the numbers are bare digits, or it is no format
_SHARE = 0.2  # of the numbers are in the most frequent format
_EXTENSION = re.compile(r",? ?(?:[eE]xt|x)\.? ?\d{1,6}$")  # stays behind its number
_ZEROS = str.maketrans("123456789", "000000000")


def _same_phone(value: str, form: str) -> str:
    """The ten digits of a North American number in the column's form; any other text as it is."""
    number = r"(?:\+?1[ .-]?)?\(?(\d{3})\)?[ ./-]{0,2}(\d{3})[ .-]?(\d{4})"
    match = re.fullmatch(number + r"(,? ?(?:[eE]xt|x)\.? ?\d{1,6})?", value, re.ASCII)
    if match is None:
        return value
    digits = iter(match[1] + match[2] + match[3])
    return "".join(next(digits) if sign == "0" else sign for sign in form) + (match[4] or "")


def looks_like_phone(text: str) -> bool:
    return re.match(r"0{10}(?!0)", _same_phone(text, "0" * 10).translate(_ZEROS)) is not None


def _look(column: TextColumn, convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(looks_like_phone):
        return None
    forms, punctuated = Counter[str](), 0
    extended = column.rows(lambda text: looks_like_phone(text) and _EXTENSION.search(text) is not None)
    for text, count in column.counts.items():
        if looks_like_phone(text) and not _EXTENSION.search(text):
            forms[_form(text)] += count
            punctuated += count * (not text.isdecimal())
    e164 = convention.phones == "e164"
    if (
        forms.total() + extended < 0.9 * column.filled
        or not forms
        or (len(forms) < 2 and not e164)
        or punctuated < 0.2 * column.filled
    ):
        return None
    form, rows = ("+10000000000", forms.total()) if e164 else forms.most_common(1)[0]
    if form.isdecimal() and rows < _MAJORITY * forms.total():
        form, rows = next(found for found in forms.most_common() if not found[0].isdecimal())
    if rows < _SHARE * forms.total() or form.count("0") != 10:
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
