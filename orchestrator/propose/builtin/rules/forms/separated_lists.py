"""Lists get the separator of most cells: "red;blue" → "red, blue", where "red" and "blue" are items of such lists.
Separators without an item go: ", red" → "red".

Left alone: texts of which a part is no item of the column's other lists, columns with few lists, and strokes:
"red/blue" may be either of them. Separators stay where all lists have as many items: an empty place may be one.
"""

import re
from collections import Counter
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_SEPARATOR = re.compile(r" ?[;,|] ?")
_LEAST = 5  # different lists with the usual separator
_MOST_ITEMS = 300
_MAJORITY, _SOME = 0.7, 0.25  # of the lists; where all the others have the same items


def _same_list(value: str, separator: str, items: list[str]) -> str:
    """A list of known items with the column's separator between them; any other text as it is."""
    parts = re.split(r" ?[;,|] ?", value)
    if len({*re.findall("[;,|]", value)}) != 1 or any(part not in items for part in parts):
        return value  # of "Beck, Ada; Booch, Jan" the comma parts something else
    return separator.join(parts)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    rows = Counter[str]()
    lists: dict[str, list[str]] = {}
    for text, count in column.counts.items():
        signs = set(_SEPARATOR.findall(text))
        if len(signs) == 1 and re.search(r"[^\W\d_]", text):
            [sign] = signs
            rows[sign] += count
            lists.setdefault(sign, []).append(text)
    separator, most = rows.most_common(1)[0] if rows else ("", 0)
    if most < _SOME * rows.total() or len(lists.get(separator, ())) < _LEAST:
        return None
    items = Counter[str]()
    for text in lists[separator]:
        items.update(dict.fromkeys(text.split(separator), column.counts[text]))
    known = sorted(item for item, count in items.items() if count > 1 and re.search(r"[^\W\d_]", item))
    others = [text for sign, texts in lists.items() if sign != separator for text in texts]
    if most < _MAJORITY * rows.total() and not all(_same_list(text, separator, known) != text for text in others):
        return None
    settings: dict[str, Any] = {"separator": separator, "items": known}
    needed = len(known) <= _MOST_ITEMS and any(_same_list(text, **settings) != text for text in column.counts)
    return RuleFinding(settings) if needed else None


def _without_empty_items(value: str, mark: str, separator: str, items: list[str]) -> str:
    """A list of known items without the separators that part nothing; any other text as it is."""
    parts = [part.strip() for part in value.split(mark)]
    found = [part for part in parts if part]
    if not found or len(found) == len(parts) or any(part not in items for part in found):
        return value
    return separator.join(found)


def _look_for_empty_items(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    separators = Counter[str]()
    for text, count in column.counts.items():
        for sign in set(_SEPARATOR.findall(text)):
            separators[sign] += count
    separator = max(separators, key=separators.__getitem__, default="")
    mark = separator.strip()
    if not any(text[0] == mark or text[-1] == mark or mark * 2 in text for text in column.counts if mark and text):
        return None
    items = Counter[str]()
    lengths = Counter[int]()
    for text, count in column.counts.items():
        parts = text.split(separator)
        if mark not in "".join(parts):  # `a,` among `a, b` is what is looked for
            items.update(dict.fromkeys(parts, count))
            lengths[len(parts)] += 1
    lists = sum(count for length, count in lengths.items() if length > 1)
    known = sorted(item for item, count in items.items() if count > 1 and re.search(r"[^\W\d_]", item))
    if lists < _LEAST or len(lengths) < 2 or len(known) > _MOST_ITEMS:
        return None
    settings: dict[str, Any] = {"mark": mark, "separator": separator, "items": known}
    needed = any(_without_empty_items(text, **settings) != text for text in column.counts)
    return RuleFinding(settings) if needed else None


EMPTY_ITEMS = RepairRule(
    name="lists_without_empty_items_in_{columns}",
    issue="Separators without an item stand in lists of {columns}.",
    doc="Leave out separators that part nothing.",
    fix=_without_empty_items,
    look=_look_for_empty_items,
)
RULE = RepairRule(
    name="same_list_separator_in_{columns}",
    issue="Some lists in {columns} have another separator than most.",
    doc="Separate the items of a list by {separator!r}.",
    fix=_same_list,
    look=_look,
    imports=("re",),
)
