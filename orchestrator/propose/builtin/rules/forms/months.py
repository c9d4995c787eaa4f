"""Months of a year get the form of most cells: "Feb 2022", "2/2022" and "202202" → "2022-02".

Left alone: months with a year of two digits (Jan-20 may be a day), and columns without a clear form.
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.data.writing.month_names import ENGLISH_MONTHS
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_USUAL, _NEARLY_ALL = 0.25, 0.9
_DIFFERENT = 3
_FORMS = ("yyyy-mm", "yyyy/mm", "yyyy.mm", "mm/yyyy", "mm-yyyy", "mm.yyyy", "yyyymm", "Mon yyyy", "Month yyyy")


def _same_month(value: str, form: str, names: tuple[str, ...]) -> str:
    """The month and year in the form; any other text as it is."""
    year, month = r"(?P<year>(?:19|20)[0-9]{2})", r"(?P<month>0?[1-9]|1[0-2])"
    name = r"(?P<name>[A-Za-z]{3,9})\.?"
    ways = (
        f"{year}[-/. ]{month}",
        f"{month}[-/. ]{year}",
        f"{year}(?P<month>0[1-9]|1[0-2])",
        f"{name}[- ,]{{1,2}}{year}",
    )
    found = next((match for way in ways if (match := re.fullmatch(way, value))), None)
    if found is None:
        return value
    parts = found.groupdict()
    if "name" in parts:
        spelt = parts["name"].lower()
        known = [
            at for at, one in enumerate(names) if spelt in (one, one[:3]) or (spelt == "sept" and one[:4] == spelt)
        ]
        if not known:
            return value
        number = known[0] + 1
    else:
        number = int(parts["month"])
    title = names[number - 1].title()
    made = form.replace("Month", "\0").replace("Mon", title[:3]).replace("\0", title)
    return made.replace("yyyy", parts["year"]).replace("mm", f"{number:02}")


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: _same_month(text, "\1", ENGLISH_MONTHS) != text):
        return None
    known = [text for text in column.counts if _same_month(text, "\1", ENGLISH_MONTHS) != text]
    forms = Counter(
        {form: sum(column.counts[t] for t in known if _same_month(t, form, ENGLISH_MONTHS) == t) for form in _FORMS}
    )
    form, rows = forms.most_common(1)[0]
    all_rows = sum(column.counts[text] for text in known)
    needed = any(_same_month(text, form, ENGLISH_MONTHS) != text for text in known)
    if not needed or all_rows < _NEARLY_ALL * column.filled or rows < _USUAL * column.filled:
        return None
    if len(known) < _DIFFERENT or form == "yyyymm":  # six digits may be anything
        return None
    return RuleFinding(
        {"form": form, "names": ENGLISH_MONTHS}, words={"example": _same_month("2024-05", form, ENGLISH_MONTHS)}
    )


RULE = RepairRule(
    name="same_months_in_{columns}",
    issue="Some months in {columns} are written in another form than most.",
    doc="Write months like {example!r}.",
    fix=_same_month,
    look=_look,
    imports=("re",),
)
