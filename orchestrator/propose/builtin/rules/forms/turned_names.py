"""Persons whose last name stands in front get the order of most cells: "Novak, Jan" → "Jan Novak". Where most are in
the order of a list, "Jan Novak" becomes "Novak, Jan" if another cell says so.

Needed as proof: the column's name says persons, the word behind the comma is the first word of another cell, and the
one before it is not. Left alone: first names of several words, and columns of which most are so.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.exemptions import spelling_exceptions
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_NEARLY_ALL, _FEW = 0.95, 0.5
_MOSTLY = 0.6  # of the rows are as in a list
_MOST = 2000  # first names, or names
_STRAIGHT = re.compile(r"[^\W\d_]+(?:[ .'\u2019-]{1,2}[^\W\d_]+)+")
_LISTED = re.compile(r"[^\W\d_][^,\d]*, [^\W\d_][^,\d]*")
_TURNED = re.compile(r"([^\W\d_]+(?:[ '\u2019-][^\W\d_]+){0,2}), ([^\W\d_]{2,})")


def _first_name_first(value: str, first_names: list[str]) -> str:
    """A last name, a comma and a known first name in the other order; any other text as it is."""
    match = re.fullmatch(r"([^\W\d_]+(?:[ '\u2019-][^\W\d_]+){0,2}), ([^\W\d_]{2,})", value)
    return f"{match[2]} {match[1]}" if match and match[2] in first_names and match[1] not in first_names else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    turned = [text for text in column.counts if _TURNED.fullmatch(text)]
    straight = [text for text in column.counts if _STRAIGHT.fullmatch(text)]
    odd, usual = (sum(map(column.counts.__getitem__, texts)) for texts in (turned, straight))
    if not turned or odd > _FEW * column.filled or odd + usual < _NEARLY_ALL * column.filled:
        return None
    rest = [cell for cell in column.cells if cell not in turned]
    if not spelling_exceptions.are_persons(TextColumn(column.name, rest)):
        return None  # Paris, Texas
    first_names = sorted({re.split(r"[ .]", text)[0] for text in straight})
    settings = {"first_names": first_names}
    needed = len(first_names) <= _MOST and any(_first_name_first(text, **settings) != text for text in turned)
    return RuleFinding(settings) if needed else None


def _last_name_first(value: str, listed: dict[str, str]) -> str:
    """The name as in a list where it is known so; any other text as it is."""
    return listed.get(value, value)


def _look_for_lists(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    """Most cells are a last name, a comma and the rest of the name, and the same name stands without the comma."""
    parts = {text: text.split(", ") for text in column.counts if _LISTED.fullmatch(text)}
    if sum(map(column.counts.__getitem__, parts)) < _MOSTLY * column.filled or len(parts) > _MOST:
        return None
    listed: dict[str, list[str]] = {}
    for text, (last, first) in parts.items():
        if column.counts[text] > column.counts[turned := f"{first} {last}"]:
            listed.setdefault(turned, []).append(text)
    settings = {"listed": {turned: texts[0] for turned, texts in sorted(listed.items()) if len(texts) == 1}}
    return RuleFinding(settings) if any(turned in column.counts for turned in settings["listed"]) else None


LISTS = RepairRule(
    name="last_names_first_in_{columns}",
    issue="Some persons in {columns} have their first name in front, without a comma.",
    doc="Write persons that are known with their last name in front in this way.",
    fix=_last_name_first,
    look=_look_for_lists,
)
RULE = RepairRule(
    name="first_names_first_in_{columns}",
    issue="Some persons in {columns} have their last name in front.",
    doc="Write the first name in front of the last one.",
    fix=_first_name_first,
    look=_look,
    imports=("re",),
)
