"""Answers that LiteLLM quotes whole in an error: its search for secrets in them takes no minutes, and none is told."""

import time

import pytest

from orchestrator.core.errors import ProposalError
from orchestrator.propose.llm.chat import Message
from orchestrator.propose.llm.litellm_chat import LiteLLMChat, load_litellm
from tests.support.scripted_server import Answer, ScriptedServer

SLOW_TO_SEARCH = b"://a:" * 200_000  # LiteLLM alone takes more than a minute for it
MOST_S = 10  # of processor time: a fraction of a second on a quiet machine
KEY = "sk-0123456789abcdef0123"


@pytest.mark.parametrize("status", [200, 500])
def test_a_long_answer_that_is_an_error_is_told_at_once(status: int) -> None:
    """Whether the server calls it an error, or it is not of the protocol."""
    load_litellm()
    body = b'{"choices": [{"message": "' + SLOW_TO_SEARCH + b'"}]}'
    before = time.process_time()
    with ScriptedServer([Answer(status, body)]) as server, pytest.raises(ProposalError):
        LiteLLMChat("m", api_base=server.base_url, api_key="any").complete([Message("user", "hello")])
    assert time.process_time() - before < MOST_S


@pytest.mark.parametrize("at", [0, 3_990, 20_000])
def test_no_key_is_told_wherever_it_stands_in_a_long_error(at: int) -> None:
    """Also where only the beginning of the text is looked at, and the key is parted by its end."""
    said = '{"error": {"message": "' + "a " * (at // 2) + KEY + '"}}'
    with ScriptedServer([Answer(400, said.encode())]) as server, pytest.raises(ProposalError) as caught:
        LiteLLMChat("m", api_base=server.base_url, api_key=KEY).complete([Message("user", "hello")])
    told = str(caught.value) + str(caught.value.advice)
    assert not any(KEY[:length] in told for length in range(6, len(KEY)))
