"""Columns of Markdown or of subtitles: tags belong to these texts, and in Markdown so do the escapes of HTML.

Asked by the rules on tags and on escaped characters. "<br>" and "&lt;b&gt;" are how such a text says what it shows.
"""

import re

from orchestrator.propose.builtin.working_rows import TextColumn

_LINK = r"\[[^\[\]\n]{1,200}\]\((?:https?:|mailto:|[./#])[^()\s]{0,500}\)"
_MARKDOWN = re.compile(rf"^ {{0,3}}(?:```|~~~|#{{1,6}} +\S)|{_LINK}|(?<!`)`[^`\n]{{1,200}}`(?!`)", re.MULTILINE)
_CUE = re.compile(r"^(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3} +--> +\d", re.MULTILINE)
_SOME = 0.02  # of the texts: one that looks like it may be a slip


def is_markdown(column: TextColumn) -> bool:
    """Whether some texts have headings, links, or code as Markdown marks them."""
    return column.learnt(is_markdown, lambda one: _has_some(one, _MARKDOWN))


def is_marked_up(column: TextColumn) -> bool:
    """Whether the column is Markdown, or subtitles with their times."""
    return is_markdown(column) or column.learnt(is_marked_up, lambda one: _has_some(one, _CUE))


def _has_some(column: TextColumn, marks: re.Pattern[str]) -> bool:
    found = column.rows(lambda text: marks.search(text) is not None)
    return found >= 2 and found >= _SOME * column.filled
