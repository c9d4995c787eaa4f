"""Finds the JSON that is the answer in a text: as a whole, in fences, between words, in the marks of tool calls.

Called by `parser`. What the JSON says is read by `structured`.
"""

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from orchestrator.core.errors import ReplyError
from orchestrator.propose.replies.fences import fences_in
from orchestrator.propose.replies.reply_parts import load_json_or_none
from orchestrator.propose.replies.structured import HUMP, WRAPPINGS

_KEYS = frozenset({
    "issues", "issues_detected", "chunk_status", "function", "functions", "more_functions", "function_to_generate",
    "functions_to_generate", "cleaning_analysis", "cleaning_function", "cleaning_functions",
})  # fmt: skip
_FIRST_KEY = re.compile(r"""\{\s*["'](?:issues|chunk_status|function|status|code|name|cleaning)""")
_OPEN = re.compile(r"""\{\s*["']""")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\]]', re.DOTALL)
_MOST_BROKEN = 3  # objects without an end in one text: each costs a walk to its end
_CALL = re.compile(r"<function=[\w.:-]+>|<invoke\s+name=[^<>]{1,200}>|<tool_call>")
_PARAMETER = re.compile(
    r"<parameter(?:=|\s+name=)[\"']?([\w.-]{1,100})[\"']?[^<>]{0,200}>"
    r"|<arg_key>\s*+([\w.-]{1,100})\s*+</arg_key>\s*+<arg_value>"
)
_BETWEEN = re.compile(r"[ \t\r\n,;]*+")
_MOST = 500  # objects and calls of one text: each is read as an answer of its own
_TOO_MANY = f"The answer has more than {_MOST} JSON objects or calls of the tool: answer with one."


def json_answers(text: str) -> list[str]:
    """The texts of all JSON objects that are answers or parts of one, in their order; several where it holds several.

    Where no object has an end, what looks like the beginning of an answer is the answer: it was cut off.
    """
    for candidate in ([text], [fence.body for fence in fences_in(text)]):
        stripped = [one.strip() for one in candidate]
        whole = [one for one in stripped if one.startswith(("{", "[{")) and one.endswith(("}", "}]"))]
        if found := [one for one in whole if len(whole) == 1 or _is_answer(one)] or whole[:1]:
            return [part for one in found for part in consecutive(one)]
    found = [one for one in _objects(text) if _is_answer(one)]
    if not found and (first := _FIRST_KEY.search(text)) is not None:
        end = text.rfind("}")
        found = [text[first.start() : end + 1] if end > first.start() else text[first.start() :]]
    return found


def called_with(text: str) -> list[str]:
    """The arguments of tool calls whose parameters stand in elements of their own, as JSON: an object for each call."""
    starts = [found.start() for found in _CALL.finditer(text)]
    answers = []
    for start, end in pairwise([*starts, len(text)]):
        if given := dict(_parameters(text, start, end)):
            answers.append(json.dumps(given))
    return _few(answers)


def _parameters(text: str, start: int, end: int) -> Iterator[tuple[str, object]]:
    """The names and values of the parameters between two places."""
    endless = set[str]()  # ends that do not come any more: they are looked for once
    while (opened := _PARAMETER.search(text, start, end)) is not None:
        name, other = opened.groups()
        mark = "</parameter>" if name else "</arg_value>"
        start = opened.end()
        at = -1 if mark in endless else text.find(mark, start, end)
        if at < 0:
            endless.add(mark)
            continue
        yield name or other, _value(text[start:at].strip())
        start = at + len(mark)


def consecutive(text: str) -> list[str]:
    """The objects of a text that holds nothing but objects, one behind the other; else the text as it is."""
    if not text.startswith("{") or load_json_or_none(text) is not None:
        return [text]
    objects, at = [], 0
    while at < len(text) and text[at] == "{":
        end = end_of(text, at) or len(text)
        objects.append(text[at:end])
        at = _BETWEEN.match(text, end).end()  # type: ignore[union-attr]
    return _few(objects) if at >= len(text) else [text]


def _few(answers: list[str]) -> list[str]:
    """The answers. Raises ReplyError where there are more than anybody means."""
    if len(answers) > _MOST:
        raise ReplyError(_TOO_MANY)
    return answers


def _is_answer(text: str) -> bool:
    """Whether the object has a key of an answer, itself or in what it wraps; one that cannot be read: by its first."""
    value = load_json_or_none(text)
    if value is None:
        return _FIRST_KEY.match(text) is not None
    for _ in range(3):
        if isinstance(value, dict):
            if _KEYS & {HUMP.sub("_", str(key)).lower() for key in value} or {"name", "code"} <= set(value):
                return True
            value = next((value[key] for key in WRAPPINGS if key in value), None)
        elif isinstance(value, str):
            value = load_json_or_none(value)
    return False


def _objects(text: str) -> Iterator[str]:
    """The objects in the text that have an end, the outermost ones."""
    at = broken = count = 0
    while broken < _MOST_BROKEN and (start := _OPEN.search(text, at)) is not None:
        count += 1
        if count > _MOST:
            raise ReplyError(_TOO_MANY)
        end = end_of(text, start.start())
        if end:
            yield text[start.start() : end]
        else:
            broken += 1
        at = end or start.end()


def end_of(text: str, start: int) -> int:
    """Where the object that begins here ends; 0 where it does not."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        mark = token.group()
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
            if depth == 0:
                return token.end()
    return 0


def _value(text: str) -> object:
    """The value of a parameter: JSON where it is, else the text."""
    value = load_json_or_none(text) if text.startswith(("{", "[", '"')) or text in {"true", "false", "null"} else None
    return text if value is None and text != "null" else value
