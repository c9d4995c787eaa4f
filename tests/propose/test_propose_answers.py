"""Where servers put an answer, how long they may take, and what they may not give back: over real HTTP."""

import json
import time
import warnings
from typing import Any

import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import ModelRefused, ModelUnavailable
from orchestrator.propose.llm import litellm_chat
from orchestrator.propose.llm.chat import ChatReply, ContentFiltered, Message, RateLimited
from orchestrator.propose.llm.custom_chat import CustomChat
from orchestrator.propose.llm.litellm_chat import LiteLLMChat
from orchestrator.propose.llm.retrying import RetryingChat
from orchestrator.propose.replies.structured import analysis_tool
from tests.support.scripted_server import (
    Answer,
    ScriptedServer,
    completion,
    dripping,
    events,
    status,
    text,
)

HELLO = [Message("user", "hello")]
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
ARGUMENTS = json.dumps({"issues_detected": [], "chunk_status": "clean"})
TOOL = analysis_tool(Shape.TABLE)


def asked(answer: Answer, *, in_pieces: bool = False, key: str = "any", timeout_s: float = 10.0) -> ChatReply:
    with ScriptedServer([answer], repeat_last=True) as server:
        report = (lambda _: None) if in_pieces else None
        chat = LiteLLMChat("m", api_base=server.base_url, api_key=key, timeout_s=timeout_s, on_progress=report)
        return chat.complete(HELLO, TOOL)


def call(arguments: Any, name: str = TOOL.name, **more: Any) -> dict[str, Any]:
    return {"id": f"id-{name}", "type": "function", "function": {"name": name, "arguments": arguments}} | more


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "function_call": {"name": TOOL.name, "arguments": ARGUMENTS}},
        {"content": None, "tool_calls": [call('{"thought": 1}', "think"), call(ARGUMENTS)]},
        {"content": None, "tool_calls": [call(json.loads(ARGUMENTS))]},
        {"content": ARGUMENTS, "tool_calls": [call("{}")]},
        {"content": "", "reasoning_content": ARGUMENTS},
        {"content": [{"type": "text", "text": ARGUMENTS[:9]}, {"type": "text", "text": ARGUMENTS[9:]}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "{"}]}, {"text": ARGUMENTS}]},
    ],
)
def test_an_answer_is_found_where_servers_put_it(message: dict[str, Any]) -> None:
    """In the call that was wanted, in what came before tools, beside an empty call, or in what is called thinking."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        reply = asked(completion(message))
    assert json.loads(reply.tool_arguments or reply.text) == json.loads(ARGUMENTS)
    assert caught == []


@pytest.mark.parametrize(
    "deltas",
    [
        [
            {"function_call": {"name": TOOL.name, "arguments": ARGUMENTS[:9]}},
            {"function_call": {"arguments": ARGUMENTS[9:]}},
        ],
        [{"tool_calls": [call('{"t": 1}', "think", index=0)]}, {"tool_calls": [call(ARGUMENTS, index=0)]}],
        [{"tool_calls": [call('{"t": 1}', "think", index=0)]}, {"tool_calls": [call(ARGUMENTS, index=1)]}],
        [{"tool_calls": [call(ARGUMENTS, index=1)]}],
        [{"reasoning_content": ARGUMENTS[:9]}, {"reasoning_content": ARGUMENTS[9:]}],
        [
            {"content": [{"type": "text", "text": ARGUMENTS[:9]}]},
            {"content": [{"type": "text", "text": ARGUMENTS[9:]}]},
        ],
    ],
)
def test_an_answer_in_pieces_is_found_there_too(deltas: list[dict[str, Any]]) -> None:
    """Also where a server numbers all its calls alike, or begins with the second."""
    reply = asked(events(*deltas), in_pieces=True)
    assert json.loads(reply.tool_arguments or reply.text) == json.loads(ARGUMENTS)


@pytest.mark.parametrize("in_pieces", [False, True])
def test_all_calls_of_the_tool_count(in_pieces: bool) -> None:
    """Each holds a function of its own; what is called besides, or twice alike, does not."""
    other = ARGUMENTS.replace("clean", "needs_work")
    calls = [call("{}", "think"), call(ARGUMENTS, index=1), call(other, id="b", index=2), call(other, id="c", index=3)]
    answer = events({"tool_calls": calls}) if in_pieces else completion({"content": None, "tool_calls": calls})
    reply = asked(answer, in_pieces=in_pieces)
    assert (reply.tool_arguments, reply.more_arguments) == (ARGUMENTS, (other,))


def test_a_server_that_cannot_stream_is_asked_for_one_piece_next() -> None:
    """A run on a terminal works with every server with which it works in a pipe."""
    with ScriptedServer([Answer(200, b" " + text(CLEAN).body)], repeat_last=True) as server:
        chat = LiteLLMChat("m", api_base=server.base_url, api_key="any", on_progress=lambda _: None)
        assert RetryingChat(chat, sleep=lambda _: None).complete(HELLO).text == CLEAN
        assert [request.json.get("stream", False) for request in server.requests] == [True, False]


@pytest.mark.parametrize("in_pieces", [False, True])
def test_a_server_that_only_keeps_its_connection_alive_times_out(
    in_pieces: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """White space and comments are no answer, however long they come."""
    monkeypatch.setattr(litellm_chat, "_GRACE_S", 0.5)
    asked(text(CLEAN), in_pieces=in_pieces)  # everything is loaded
    answer = dripping(b": ping\n\n", "text/event-stream") if in_pieces else dripping(b" \n", "application/json")
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match="did not answer in time"):
        asked(answer, in_pieces=in_pieces, timeout_s=0.5)
    assert time.monotonic() - started < 60  # the server would go on for ever


@pytest.mark.parametrize("in_pieces", [False, True])
def test_an_answer_that_a_filter_cut_off_is_a_filtered_one(in_pieces: bool) -> None:
    """Half an answer is not shown to the model as its mistake."""
    with pytest.raises(ContentFiltered):
        asked(text(CLEAN[:30], finish="content_filter"), in_pieces=in_pieces)


@pytest.mark.parametrize("counted", [-1_000_000, 10**30])
def test_an_impossible_count_of_tokens_is_not_believed(counted: int) -> None:
    """A server cannot count backwards, so that no limit is ever reached: tokens are counted here then."""
    usage = asked(text(CLEAN, prompt_tokens=counted, completion_tokens=counted)).usage
    assert 0 < usage.prompt_tokens < 100
    assert 0 < usage.completion_tokens < 100


def test_a_server_cannot_give_the_key_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in an answer nor in an error, be it the key that was given or one of the environment."""
    monkeypatch.setenv("OTHER_API_KEY", "plain-words-of-the-environment")
    said = "you sent an-odd-key-without-a-pattern and plain-words-of-the-environment"
    reply = asked(text(f"<issue>{said}</issue>"), key="an-odd-key-without-a-pattern")
    assert reply.text == "<issue>you sent [key] and [key]</issue>"
    with pytest.raises(ModelRefused, match=r"you sent .key. and .key.") as caught:
        asked(status(400, said), key="an-odd-key-without-a-pattern")
    assert "odd" not in caught.value.message


def test_a_pause_that_is_too_long_is_told() -> None:
    """The message says how long the server wants to be left alone, be it by rate limit or overload."""
    with pytest.raises(RateLimited, match="a pause of 3,600 s"):
        asked(status(429, retry_after=3600))
    with pytest.raises(RateLimited) as caught:
        asked(status(503, retry_after=3600))
    assert caught.value.retry_after == 3600


def test_a_used_up_quota_is_no_pause() -> None:
    """No waiting brings money back: the run ends at once and says why."""
    with pytest.raises(ModelRefused, match="no money left"):
        asked(status(429, "You exceeded your current quota", error_code="insufficient_quota"))


def test_an_error_of_a_model_of_ones_own_is_told_without_its_key() -> None:
    """What looks like a key is struck out of whatever the object raises."""

    class Failing:
        def generate(self, messages: list[dict[str, str]]) -> str:
            raise ValueError(f"{len(messages)}: bad key sk-abcdefghijkl")

    with pytest.raises(ModelRefused, match=r"raised ValueError: 1: bad \[key\]\.$"):
        CustomChat(Failing()).complete(HELLO)
