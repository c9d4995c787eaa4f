"""Makes answers that LiteLLM misreads into ones that it reads, before it sees them. Called by `egress`.

Magistral and some gateways send `"content": [{"type": "text", "text": …}]`. LiteLLM takes such an answer for broken,
and fails in the middle of a stream, in code that no option reaches: so the list becomes text where the bytes arrive.
OpenRouter says by `"finish_reason": "error"` that the provider behind it failed, which LiteLLM calls a good end: such
an answer has no choices here, which is worth another try.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_LIST = re.compile(rb'"content"\s*:\s*\[')
_FAILED = re.compile(rb'"finish_reason"\s*:\s*"error"')
_TEXTS = ("event-stream", "json", "text/plain")


def may_hold_parts(content_type: str) -> bool:
    """Whether the body is text of a kind in which an answer can stand."""
    return any(kind in content_type.lower() for kind in _TEXTS)


def with_joined_parts(pieces: Iterable[bytes], *, in_lines: bool) -> Iterator[bytes]:
    """The body with the parts of each answer as one text; `in_lines`: each line is an answer, as in a stream."""
    if not in_lines:
        yield _joined(b"".join(pieces))
        return
    held: list[bytes] = []  # of a line whose end is still to come
    for piece in pieces:
        held.append(piece)
        if b"\n" in piece:
            *lines, rest = b"".join(held).split(b"\n")
            held = [rest]
            yield b"".join(_joined(line) + b"\n" for line in lines)
    if last := b"".join(held):
        yield _joined(last)


def words(content: Any) -> str:
    """Text, also where it comes as a list of parts; parts of thinking are no text."""
    if isinstance(content, list):
        return "".join(words(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _joined(body: bytes) -> bytes:
    if b'"choices"' not in body or not (_LIST.search(body) or _FAILED.search(body)):
        return body
    head = body[: body.find(b"{")]
    try:
        value = json.loads(body[len(head) :])
        said = [choice[place] for choice in value["choices"] for place in ("message", "delta") if place in choice]
        if any(choice.get("finish_reason") == "error" for choice in value["choices"]):
            value["choices"] = []
        for one in said:
            if isinstance(one.get("content"), list):
                one["content"] = words(one["content"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return body  # for the client, which says what is wrong
    return head + json.dumps(value).encode()
