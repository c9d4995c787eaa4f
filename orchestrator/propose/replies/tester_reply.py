"""Reads what the tester says should become of rows in doubt. Called by `roles.tester`.

Rows are named by their number, so that none has to be copied; what names no row or column that was asked about is an
error, whose message is shown to the model.
"""

import re
from collections.abc import Sequence
from typing import Any

from orchestrator.core.candidate import Example
from orchestrator.core.errors import ReplyError
from orchestrator.core.requests import RowInQuestion
from orchestrator.propose.llm.chat import ChatReply, ReplySchema
from orchestrator.propose.replies import code_extraction
from orchestrator.propose.replies.parser import MAX_REPLY_CHARS
from orchestrator.propose.replies.reply_parts import load_json
from orchestrator.propose.replies.thoughts import without_thoughts

_ELEMENT = re.compile(r"<testimony>(.*?)(?:</testimony>|\Z)", re.DOTALL | re.IGNORECASE)
_ROW = {
    "type": "object",
    "properties": {"row": {"type": "integer"}, "after": {"type": "object"}},
    "required": ["row", "after"],
}
TESTIMONY_TOOL = ReplySchema(
    "testimony",
    "Say what should become of the rows; leave out those of which you are not certain.",
    {"type": "object", "properties": {"rows": {"type": "array", "items": _ROW}}, "required": ["rows"]},
)


def read_testimony(reply: ChatReply, rows: Sequence[RowInQuestion]) -> tuple[Example, ...]:
    """One example for each row that the tester is certain of; an empty list is a valid answer. Raises ReplyError."""
    return tuple(_example(item, rows) for item in _items(reply))


def _items(reply: ChatReply) -> list[Any]:
    raw = code_extraction.as_unicode(reply.tool_arguments or reply.text)
    if len(raw) > MAX_REPLY_CHARS:
        raise ReplyError(f"The answer has {len(raw)} characters; the limit is {MAX_REPLY_CHARS}. Answer shorter.")
    text = raw if reply.tool_arguments else without_thoughts(raw)
    body = found.group(1) if (found := _ELEMENT.search(text)) else text
    start, end = min((at for at in map(body.find, "[{") if at >= 0), default=-1), max(map(body.rfind, "]}"))
    value = load_json(body[start : end + 1]) if 0 <= start <= end else None
    if isinstance(value, dict):
        value = value.get("rows", value.get("testimony", [value] if "row" in value else None))
    if value is None and found and not body.strip():
        value = []
    if not isinstance(value, list):
        raise ReplyError('The answer holds no JSON list of rows: [{"row": 1, "after": {…}}].')
    return value


def _example(item: Any, rows: Sequence[RowInQuestion]) -> Example:
    number, after = (item.get("row"), item.get("after")) if isinstance(item, dict) else (None, None)
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(rows):
        raise ReplyError(f"Each item names one of the rows 1 to {len(rows)} as `row`.")
    row = rows[number - 1]
    if not isinstance(after, dict) or not after or not set(after) <= set(row.columns):
        raise ReplyError(f"`after` of row {number} holds cells of {', '.join(row.columns)[:300]} and of nothing else.")
    try:
        return Example.model_validate({"input": row.cells, "output": after})
    except ValueError as error:
        raise ReplyError(f"`after` of row {number} holds a value that no column can hold.") from error
