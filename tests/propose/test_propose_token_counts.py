"""What an answer costs, where servers count some of its tokens elsewhere."""

import pytest

from orchestrator.propose.llm.chat import Message
from orchestrator.propose.llm.litellm_chat import LiteLLMChat
from tests.support.scripted_server import ScriptedServer, counting, text

HELLO = [Message("user", "hello")]


def test_what_is_written_to_a_cache_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anthropic takes more for it than for other tokens of a prompt."""
    said = counting(text("hello", prompt_tokens=1_000, completion_tokens=500), cache_creation_input_tokens=4_000)
    with ScriptedServer([said]) as server:
        monkeypatch.setenv("ANTHROPIC_API_BASE", server.base_url.removesuffix("/v1"))
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any")
        usage = LiteLLMChat("anthropic/claude-sonnet-4-5").complete(HELLO).usage
    assert usage.prompt_tokens == 5_000
    assert usage.cost_usd == pytest.approx((1_000 * 3 + 4_000 * 3.75 + 500 * 15) / 1e6)


def test_thoughts_that_are_counted_beside_the_answer_count() -> None:
    """Where the total says that they are not among its tokens."""
    thoughts = {"completion_tokens_details": {"reasoning_tokens": 10_000}}
    beside = counting(text("x", prompt_tokens=2_000), total_tokens=12_050, **thoughts)
    within = counting(text("x", prompt_tokens=2_000, completion_tokens=10_050), total_tokens=12_050, **thoughts)
    with ScriptedServer([beside, within]) as server:
        chat = LiteLLMChat("m", api_base=server.base_url, api_key="any")
        assert [chat.complete(HELLO).usage.completion_tokens for _ in range(2)] == [10_050, 10_050]
