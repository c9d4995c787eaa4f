"""Hexadecimal codes get the form of most cells: addresses of network cards, UUIDs, colours ("FF8800" → "#ff8800").

Left alone: columns in which not nearly all are such codes, short colours where the long ones are not the form, and bare
codes that may be numbers or words: without letters, or without digits, in many of them.
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_NEARLY_ALL, _MAJORITY = 0.95, 0.6
_DIFFERENT = 5
_MIXED, _PLACES = 0.6, 4  # of the bare codes; ways in which letters and digits follow each other in them


def _same_code(value: str, form: str, upper: bool) -> str:
    """The code with the signs of the form (0 for each digit) and in its case; any other text as it is."""
    short = re.fullmatch(r"#([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])", value)
    if short and form == "#000000":
        value = "#" + "".join(digit * 2 for digit in short.groups())
    bare = r"#?[0-9A-Fa-f]{6}|\{?[0-9A-Fa-f]{8}(?:-?[0-9A-Fa-f]{4}){3}-?[0-9A-Fa-f]{12}\}?"
    card = r"[0-9A-Fa-f]{2}(?:[:. -]?[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}"
    digits = re.sub(r"[^0-9A-Fa-f]", "", value)
    if not re.fullmatch(f"{bare}|{card}", value) or len(digits) != form.count("0"):
        return value
    left = iter(digits.upper() if upper else digits.lower())
    return "".join(next(left) if sign == "0" else sign for sign in form)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: re.fullmatch(r"[0-9A-Fa-f#{}:. -]{4,38}", text) is not None):
        return None
    forms, cases = Counter[str](), Counter[bool]()
    for text, count in column.counts.items():
        forms[re.sub(r"[0-9A-Fa-f]", "0", text)] += count
        if text.upper() != text.lower():
            cases[text == text.upper()] += count
    form, rows = forms.most_common(1)[0]
    if rows < _MAJORITY * column.filled or len(column.counts) < _DIFFERENT or not cases:
        return None
    if not _is_known(form) or (form.isdigit() and not _have_both(form, column)):
        return None
    upper, cased = cases.most_common(1)[0]
    settings = {"form": form, "upper": upper}
    are_form = {text: re.sub(r"[0-9A-Fa-f]", "0", _same_code(text, form, upper)) == form for text in column.counts}
    known = sum(column.counts[text] for text, is_form in are_form.items() if is_form)
    if known < _NEARLY_ALL * column.filled or cased < _MAJORITY * cases.total():
        return None
    return RuleFinding(settings) if any(_same_code(t, form, upper) != t for t in column.counts) else None


def _is_known(form: str) -> bool:
    """Whether the form is that of a card, a UUID or a colour: in `00-00`, too, each digit may be hexadecimal."""
    code = form.replace("0", "a")
    return _same_code(code, form, upper=True) != code


def _have_both(form: str, column: TextColumn) -> bool:
    """Whether most codes without any sign (d73a4a) have letters as well as digits, at several places: no B22003."""
    bare = [text for text in column.counts if len(text) == len(form) and text.isalnum()]
    places = {tuple(map(str.isalpha, text)) for text in bare}
    mixed = sum(not text.isdigit() and not text.isalpha() for text in bare)
    return len(places) >= _PLACES and mixed >= _MIXED * len(bare)


RULE = RepairRule(
    name="same_hexadecimal_form_in_{columns}",
    issue="Some hexadecimal codes in {columns} are written in another form than most.",
    doc="Write hexadecimal codes in the form {form!r}.",
    fix=_same_code,
    look=_look,
    imports=("re",),
)
