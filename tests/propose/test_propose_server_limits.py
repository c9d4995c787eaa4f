"""Servers that refuse a parameter and say what they take: they are asked again with that, and it is remembered."""

from typing import Any

import pytest

from orchestrator.propose.llm.chat import ContextTooLong, Message
from orchestrator.propose.llm.litellm_chat import LiteLLMChat
from tests.support.scripted_server import ScriptedServer, status

HELLO = [Message("user", "hello")]
TEMPERATURE = (
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) is supported."
)
NAME = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
CONTEXT = (
    "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 8192 tokens "
    "and your request has PROMPT input tokens (8000 > 8192 - PROMPT)."
)
OPENAI = (
    "This model's maximum context length is 8192 tokens. However, you requested 12000 tokens (4000 in the messages, "
    "8000 in the completion). Please reduce the length of the messages or completion."
)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ([TEMPERATURE], {"max_tokens": 8000}),
        ([NAME], {"max_completion_tokens": 8000, "temperature": 0.2}),
        ([NAME, TEMPERATURE], {"max_completion_tokens": 8000}),
        (["max_tokens is too large: 8000. This model supports at most 4096 completion tokens."], {"max_tokens": 4096}),
        (["Invalid max_tokens value, the valid range of max_tokens is [1, 4,096]"], {"max_tokens": 4096}),
        (["max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens"], {"max_tokens": 4096}),
    ],
)
def test_a_server_is_asked_again_with_what_it_takes(said: list[str], wanted: dict[str, Any]) -> None:
    """One refusal for each parameter, and none for the next question."""
    with ScriptedServer([*(status(400, one) for one in said), "fine", "good"]) as server:
        chat = LiteLLMChat("m", api_base=server.base_url, api_key="any")
        assert [chat.complete(HELLO).text for _ in range(2)] == ["fine", "good"]
        sent = [{k: v for k, v in one.json.items() if k not in {"model", "messages"}} for one in server.requests]
    assert sent[-1] == sent[-2] == {"temperature": 0.2, **wanted} if TEMPERATURE not in said else wanted
    assert len(sent) == len(said) + 2


@pytest.mark.parametrize(("said", "room"), [(CONTEXT.replace("PROMPT", "3000"), 5128), (OPENAI, 4128)])
def test_an_answer_is_as_long_as_the_prompt_leaves_room_for(said: str, room: int) -> None:
    """A prompt that fits is not made shorter because the answer might not."""
    with ScriptedServer([status(400, said), "fine"]) as server:
        assert LiteLLMChat("m", api_base=server.base_url, api_key="any").complete(HELLO).text == "fine"
        assert server.requests[1].json["max_tokens"] == room


def test_a_prompt_that_leaves_no_room_is_too_long() -> None:
    """Nothing is asked again: a shorter prompt has to be."""
    with ScriptedServer([status(400, CONTEXT.replace("PROMPT", "8000"))]) as server, pytest.raises(ContextTooLong):
        LiteLLMChat("m", api_base=server.base_url, api_key="any").complete(HELLO)
