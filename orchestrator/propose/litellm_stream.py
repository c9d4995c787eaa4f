"""One answer of LiteLLM, whole or in pieces as it is written, as one value. Called by `litellm_chat` alone."""

from collections.abc import Callable
from typing import Any, NamedTuple

from orchestrator.core.errors import ModelUnavailable


class Received(NamedTuple):
    """What a provider sent. `finish`: why it stopped, in OpenAI's words; `counted`: its count of tokens, if any."""

    text: str
    arguments: str | None
    finish: str | None
    counted: Any


def whole(response: Any) -> Received | None:
    """An answer that came in one piece; None when it holds none."""
    if not response.choices:
        return None
    choice = response.choices[0]
    calls = choice.message.tool_calls or []
    arguments = calls[0].function.arguments if calls else None
    text = choice.message.content
    return Received(
        text if isinstance(text, str) else "",
        arguments if isinstance(arguments, str) else None,
        choice.finish_reason,
        getattr(response, "usage", None),
    )


def pieces(stream: Any, name: str, on_progress: Callable[[int], None]) -> Received | None:
    """An answer that comes piece by piece; `on_progress` is told how many characters there are so far.

    Raises ModelUnavailable when the connection ends before the answer does: half an answer is none.
    """
    text: list[str] = []
    arguments: list[str] = []
    called = False
    counted, length = None, 0
    for piece in stream:
        counted = getattr(piece, "usage", None) or counted
        for choice in piece.choices[:1]:
            said = [choice.delta.content] if isinstance(choice.delta.content, str) else []
            written = [call.function.arguments or "" for call in choice.delta.tool_calls or () if not call.index]
            called = called or bool(written)
            text += said
            arguments += written
            length += sum(map(len, said)) + sum(map(len, written))
        on_progress(length)
    finish = stream.received_finish_reason
    if finish is None:  # LiteLLM itself ends a stream that just stops as if it were complete
        raise ModelUnavailable(f"{name} broke off in the middle of its answer.", advice="Try again, or another model.")
    return Received("".join(text), "".join(arguments) if called else None, finish, counted)
