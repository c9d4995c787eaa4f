"""One answer of LiteLLM, whole or in pieces as it is written, as one value. Called by `litellm_chat` alone.

Where the answer stands differs between servers: in the text, as a list of parts of text, in the call of a tool, in the
function call that tools have replaced, or, when a server takes the whole answer for thinking, there.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from orchestrator.core.errors import ModelUnavailable
from orchestrator.propose.llm.answer_parts import words

MAX_CHARS = 2_000_000  # of an answer in pieces, its thinking included: more than anybody reads


class Received(NamedTuple):
    """What a provider sent. `finish`: why it stopped, in OpenAI's words; `counted`: its count of tokens, if any.

    `more`: the arguments of further calls of the tool.
    """

    text: str
    arguments: str | None
    finish: str | None
    counted: Any
    more: tuple[str, ...] = ()


class BrokenOff(ModelUnavailable):
    """A stream that does not come to its end; some servers cannot stream, and send the same in one piece."""


@dataclass
class _Called:
    """One call of a tool, perhaps still growing."""

    id: str | None
    name: str
    arguments: list[str] = field(default_factory=list)


def whole(response: Any, tool: str | None) -> Received | None:
    """An answer that came in one piece; None when it holds none. `tool` is the one that was to be called."""
    if not response.choices:
        return None
    choice = response.choices[0]
    message = choice.message
    called = [
        _Called(one.id, one.function.name or "", [_json(one.function.arguments)]) for one in message.tool_calls or ()
    ]
    if (old := getattr(message, "function_call", None)) is not None:
        called.append(_Called(None, old.name or "", [_json(old.arguments)]))
    finish = choice.finish_reason
    aside = _aside(message)
    return _received(words(message.content), aside, called, tool, finish, getattr(response, "usage", None))


def pieces(stream: Any, tool: str | None, name: str, on_progress: Callable[[int], None]) -> Received | None:
    """An answer that comes piece by piece; `on_progress` receives how many characters there are so far.

    Raises BrokenOff when the connection ends before the answer does: half an answer is none.
    """
    text: list[str] = []
    aside: list[str] = []
    called: list[_Called] = []
    growing: dict[Any, _Called] = {}  # by the place that the server gives it
    counted, length = None, 0
    for piece in stream:
        counted = getattr(piece, "usage", None) or counted
        for choice in piece.choices[:1]:
            delta = choice.delta
            text.append(words(delta.content))
            aside.append(_aside(delta))
            written = [_grow(call, called, growing) for call in delta.tool_calls or ()]
            if (old := getattr(delta, "function_call", None)) is not None:
                written.append(_grow(_Old(old), called, growing))
            length += len(text[-1]) + len(aside[-1]) + sum(map(len, written))
        on_progress(length)
        if length > MAX_CHARS:
            return Received("".join(text), "".join(called[0].arguments) if called else None, "length", counted)
    finish = stream.received_finish_reason
    if finish is None:  # LiteLLM itself ends a stream that just stops as if it were complete
        raise BrokenOff(f"{name} broke off in the middle of its answer.", advice="Try again, or another model.")
    return _received("".join(text), "".join(aside), called, tool, finish, counted)


class _Old:
    """The piece of a function call, as the piece of a call of a tool."""

    def __init__(self, function: Any) -> None:
        self.index, self.id, self.function = -1, None, function


def _grow(piece: Any, called: list[_Called], growing: dict[Any, _Called]) -> str:
    """Add a piece to its call. Servers that number all calls alike tell them apart by id and name."""
    name = piece.function.name or ""
    call = growing.get(piece.index)
    if call is None or (name and piece.id and piece.id != call.id):
        call = growing[piece.index] = _Called(piece.id, name)
        called.append(call)
    call.arguments.append(_json(piece.function.arguments))
    return call.arguments[-1]


def _received(
    text: str, aside: str, called: Sequence[_Called], tool: str | None, finish: str | None, counted: Any
) -> Received:
    wanted = [one for one in called if tool and one.name.endswith(tool)] or called
    written = list(dict.fromkeys("".join(one.arguments) for one in wanted))
    filled = [one for one in written if one.strip() not in {"", "{}", "null"}]
    if text.strip() and not filled:
        written = []  # an empty call beside the answer
    found = filled or written
    arguments = found[0] if found else None
    if arguments is None and not text.strip() and finish != "length":
        text = aside
    return Received(text, arguments, finish, counted, tuple(found[1:]))


def _aside(message: Any) -> str:
    """What stands beside the text: thinking, or a refusal."""
    more = getattr(message, "provider_specific_fields", None) or {}
    return words(getattr(message, "reasoning_content", None)) or words(more.get("refusal"))


def _json(arguments: Any) -> str:
    """Arguments as text; some servers send them as an object."""
    return arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
