"""Tags that only say how a text looks go where few cells have them: "<b>Nice</b> chair<br/>" → "Nice chair".

Left alone: columns in which more than a few cells have tags (they hold HTML), Markdown and subtitles, links and
pictures, raised and lowered figures, and what only looks like a tag.
"""

import re

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.rules.exemptions.marked_up import is_marked_up
from orchestrator.propose.builtin.working_rows import TextColumn

_FEW = 0.3  # of the cells


def _without_tags(value: str) -> str:
    """The text without tags for how it looks; a break between words becomes a blank."""
    if "<" not in value or re.search(r"(?i)<(?!/?(?:b|i|u|em|strong|p|br|span|font|div)\b)[a-z/!]", value):
        return value
    blank = re.sub(r"(?i)\s*(?:<br\s*/?>|</(?:p|div)>)\s*", " ", value)
    bare = re.sub(r'(?i)</?(?:b|i|u|em|strong|p|span|font|div)(?:\s+[a-z-]+="[^"<>]*")*\s*/?>', "", blank)
    return value if bare == value else bare.strip()


def _has_few_tags(column: TextColumn) -> bool:
    tagged = column.rows(lambda text: _without_tags(text) != text)
    return 0 < tagged <= _FEW * column.filled and not is_marked_up(column)


RULE = RepairRule(
    name="strip_tags_in_{columns}",
    issue="Some texts in {columns} hold HTML tags.",
    doc="Take away the tags that say how a text looks.",
    fix=_without_tags,
    look=where(_has_few_tags),
    imports=("re",),
)
