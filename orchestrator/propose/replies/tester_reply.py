"""Reads what the tester says should become of rows in doubt. Called by `roles.tester`.

Rows are named by their number, so that none has to be copied; what names no row or column that was asked about is an
error, whose message is shown to the model.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from orchestrator.core.candidate import Example
from orchestrator.core.errors import ReplyError
from orchestrator.core.requests import RowInQuestion
from orchestrator.propose.llm.chat import ChatReply, ReplySchema
from orchestrator.propose.replies.json_answers import end_of
from orchestrator.propose.replies.parser import bounded
from orchestrator.propose.replies.reply_parts import load_json, load_json_or_none
from orchestrator.propose.replies.thoughts import without_thoughts

_ELEMENT = re.compile(r"<testimony>(.*?)(?:</testimony>|\Z)", re.DOTALL | re.IGNORECASE)
_START = re.compile(r"""\[\s*[{\]]|\{\s*["']""")
_NUMBER = re.compile(r"[0-9]{1,4}")
_NOTHING = re.compile(
    r"[\W_]*(?:(?:nothing|none(?: of (?:them|these|the rows))?) is (?:certain|sure)[\W_]*)?", re.IGNORECASE
)
_MOST_LISTS = 50
_MOST_BROKEN = 3  # lists without an end: each costs a walk to the end of the text
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
    """One example for each row that the tester is certain of; an empty list is a valid answer. Raises ReplyError.

    What cannot be used is left out where something else can be; of two about one row the last one counts.
    """
    found: dict[int, Example] = {}
    problems = []
    for item in _items(reply):
        try:
            number, example = _example(item, rows)
        except ReplyError as error:
            problems.append(error)
        else:
            found[number] = example
    if problems and not found:
        raise problems[0]
    return tuple(found.values())


def _items(reply: ChatReply) -> list[Any]:
    raw = bounded(reply.tool_arguments or reply.text)
    text = raw if reply.tool_arguments else without_thoughts(raw)
    elements = _ELEMENT.findall(text)
    body = elements[-1] if elements else text
    if _NOTHING.fullmatch(body) and (elements or body.strip()):
        return []
    if lists := list(_lists(body)):
        return lists[-1]
    start, end = min((at for at in map(body.find, "[{") if at >= 0), default=-1), max(map(body.rfind, "]}"))
    value = load_json(body[start : end + 1]) if 0 <= start <= end else None
    if (items := _rows_of(value)) is None:
        raise ReplyError('The answer holds no JSON list of rows: [{"row": 1, "after": {…}}].')
    return items


def _lists(text: str) -> Iterator[list[Any]]:
    """The lists of rows in the text, whatever words and brackets stand around them."""
    at = broken = 0
    for _ in range(_MOST_LISTS):
        if broken == _MOST_BROKEN or (start := _START.search(text, at)) is None:
            return
        end = end_of(text, start.start())
        broken += not end
        items = _rows_of(load_json_or_none(text[start.start() : end])) if end else None
        if items is not None and all(isinstance(item, dict) and "row" in item for item in items):
            yield items
        at = end or start.end()


def _rows_of(value: Any) -> list[Any] | None:
    if isinstance(value, dict):
        value = value.get("rows", value.get("testimony", [value] if "row" in value else None))
    return value if isinstance(value, list) else None


def _example(item: Any, rows: Sequence[RowInQuestion]) -> tuple[int, Example]:
    """Which row the item is about, and what should become of it."""
    number, after = (item.get("row"), item.get("after")) if isinstance(item, dict) else (None, None)
    if isinstance(number, str) and _NUMBER.fullmatch(number):
        number = int(number)
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(rows):
        raise ReplyError(f"Each item names one of the rows 1 to {len(rows)} as `row`.")
    row = rows[number - 1]
    if isinstance(after, dict):
        after = {name: _of_kind(cell, row.cells.get(name)) for name, cell in after.items()}
        # cells beside those in question may stand there as they are
        after = {k: v for k, v in after.items() if k in row.columns or k not in row.cells or v != row.cells[k]}
    if not isinstance(after, dict) or not after or not set(after) <= set(row.columns):
        raise ReplyError(f"`after` of row {number} holds cells of {', '.join(row.columns)[:300]} and of nothing else.")
    try:
        return number, Example.model_validate({"input": row.cells, "output": after})
    except ValueError as error:
        raise ReplyError(f"`after` of row {number} holds a value that no column can hold.") from error


def _of_kind(cell: Any, before: Any) -> Any:
    """The cell; a list or an object that is written as its JSON text as what it is, if it was one before."""
    if not isinstance(before, list | dict) or not isinstance(cell, str):
        return cell
    value = load_json_or_none(cell)
    return value if isinstance(value, type(before)) else cell
