"""Telephone numbers of ten digits in several formats become the format that most of them have."""

import re
from collections import Counter
from collections.abc import Iterator

from orchestrator.propose.builtin.names import slug
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import WorkingRows

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


def find(table: WorkingRows, wishes: Preferences) -> Iterator[Remedy]:
    for column in table.columns:
        if not column.may_be(looks_like_phone):
            continue
        forms, punctuated = Counter[str](), 0
        for text, count in column.counts.items():
            if looks_like_phone(text):
                forms[_form(text)] += count
                punctuated += count * (not text.isdecimal())
        asked = wishes[column.name].phones == "e164"
        if forms.total() < 0.9 * column.filled or (len(forms) < 2 and not asked) or punctuated < 0.2 * column.filled:
            continue
        form, rows = ("+10000000000", forms.total()) if asked else forms.most_common(1)[0]
        if rows < 0.4 * forms.total() or form.count("0") != 10:
            continue
        yield Remedy(
            rule="phones",
            name=f"same_phone_format_in_{slug(column.name)}",
            issue=f"Telephone numbers in {column.name} are written in {len(forms)} formats.",
            doc=f"Write telephone numbers like {form!r}.",
            columns=(column.name,),
            fix=_same_phone,
            settings={"form": form},
            imports=("re",),
        )


def _form(text: str) -> str:
    """The format: 0 for each of the last ten digits, everything else as it is."""
    digits = sum(sign.isdecimal() for sign in text)
    seen = 0
    form = ""
    for sign in text:
        seen += sign.isdecimal()
        form += "0" if sign.isdecimal() and seen > digits - 10 else sign
    return form
