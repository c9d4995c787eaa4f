"""Times of day with AM and PM get the form of most cells: "8:15am", "8:15 a.m." and "11 AM" → "8:15 AM", "11:00 AM".

Left alone: times of 24 hours, whose half of the day only some tell, seconds, and columns without a clear form.
"""

import re
from collections import Counter
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MAJORITY, _NEARLY_ALL = 0.6, 0.8
_DIFFERENT = 4


def _half_day_time(value: str, form: str, padded: bool) -> str:
    """The time in the form, in which 0 is the hour, 1 the minute and A the half's letter; any other text as it is."""
    match = re.fullmatch(r"(0?[1-9]|1[0-2])(?:[:.]([0-5]\d))? ?([ap])(?:m|\.m\.)", value, re.ASCII | re.IGNORECASE)
    if match is None:
        return value
    hour = match[1].lstrip("0")
    letter = match[3].upper() if "A" in form else match[3].lower()
    made = {"0": hour.zfill(2) if padded else hour, "1": match[2] or "00", "A": letter, "a": letter}
    return "".join(made.get(sign, sign) for sign in form)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: text[0].isdigit() and text.rstrip(".")[-1:] in ("m", "M")):
        return None
    forms, pads = Counter[str](), Counter[bool]()
    for text, count in column.counts.items():
        if _half_day_time(text, "\0", False) == text:
            continue
        forms[_form(text)] += count
        pads[text[0] == "0"] += count if re.match(r"0|\d\D", text) else 0
    form, rows = forms.most_common(1)[0] if forms else ("", 0)
    if "1" not in form or rows < _MAJORITY * column.filled or forms.total() < _NEARLY_ALL * column.filled:
        return None
    settings: dict[str, Any] = {"form": form, "padded": pads[True] > pads[False]}
    known = {text for text in column.counts if _half_day_time(text, **settings) == text and _form(text) == form}
    if len(known) < _DIFFERENT or all(_half_day_time(text, **settings) == text for text in column.counts):
        return None
    return RuleFinding(settings, words={"example": _half_day_time("8:15 am", **settings)})


def _form(text: str) -> str:
    """The time with 0 for the hour, 1 for the minute and A or a for the letter of its half."""
    signs = re.sub(r"[:.]\d\d(?!\d)", lambda found: found[0][0] + "1", re.sub(r"^\d+", "0", text))
    return signs.replace("P", "A").replace("p", "a")


RULE = RepairRule(
    name="times_of_half_days_in_{columns}",
    issue="Some times of day in {columns} are not written like {example!r}.",
    doc="Write times of day like {example!r}.",
    fix=_half_day_time,
    look=_look,
    imports=("re",),
)
