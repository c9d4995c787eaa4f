"""What a refusal or a failed answer is taken for: the server's status and words say it, not LiteLLM's class."""

import json

import pytest

from orchestrator.core.errors import ModelRefused, ModelUnavailable
from orchestrator.propose.llm.chat import Message
from orchestrator.propose.llm.litellm_chat import LiteLLMChat
from tests.support.scripted_server import Answer, ScriptedServer, status

HELLO = [Message("user", "hello")]


@pytest.mark.parametrize(
    ("code", "words", "kind"),
    [(402, "no money left", ModelRefused), (401, "refused the key", ModelRefused), (529, "failed", ModelUnavailable)],
)
def test_the_status_says_what_happened(code: int, words: str, kind: type[Exception]) -> None:
    """Whatever word of another kind is in the body."""
    fault = status(code, "Sorry", error_code="invalid_request_error")
    with ScriptedServer([fault], repeat_last=True) as server, pytest.raises(kind, match=words):
        LiteLLMChat("m", api_base=server.base_url, api_key="any").complete(HELLO)


def test_a_key_that_a_server_calls_invalid_is_told_as_that() -> None:
    """Also by Gemini, whose status says that the request is bad and whose body is a list."""
    body = [{"error": {"code": 400, "message": "API key not valid. Please pass a valid one.", "status": "X"}}]
    answer = Answer(400, json.dumps(body).encode())
    with ScriptedServer([answer]) as server, pytest.raises(ModelRefused, match="refused the key"):
        LiteLLMChat("m", api_base=server.base_url, api_key="any").complete(HELLO)


def test_an_answer_that_a_gateway_calls_failed_is_worth_another_try() -> None:
    """It is no empty answer of the model."""
    message = {"role": "assistant", "content": ""}
    failed = {"index": 0, "finish_reason": "error", "error": {"code": 502, "message": "x"}, "message": message}
    body = {"id": "g", "object": "chat.completion", "created": 1, "model": "m", "choices": [failed]}
    answer = Answer(200, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with ScriptedServer([answer]) as server, pytest.raises(ModelUnavailable, match="without content"):
        LiteLLMChat("m", api_base=server.base_url, api_key="any").complete(HELLO)
