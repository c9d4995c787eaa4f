"""Faults of model servers over real HTTP, answers whole and in pieces: each by its class, and what is done about it."""

import gzip
import json
import time
from email.utils import formatdate
from pathlib import Path

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import BudgetExceeded, ModelRefused, ModelUnavailable, ReplyError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.requests import ProposalRequest
from orchestrator.propose.llm.budget import Budget, BudgetLimits
from orchestrator.propose.llm.chat import ContentFiltered, Message, RateLimited
from orchestrator.propose.llm.litellm_chat import LiteLLMChat
from orchestrator.propose.llm.recording import Recording, RecordingChat, ReplayChat
from orchestrator.propose.llm.retrying import RetryingChat
from orchestrator.propose.replies.structured import analysis_tool
from orchestrator.propose.roles.model_proposer import ModelProposer
from tests.support.scripted_server import (
    Answer,
    Entry,
    ScriptedServer,
    broken_off,
    cut,
    dropped,
    filtered,
    slow,
    status,
    text,
    tool_call,
    uncounted,
)

HELLO = [Message("user", "hello")]
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
ARGUMENTS = {"issues_detected": [], "chunk_status": "clean"}
ROWS = pa.table({"city": [f" {chr(97 + i % 26) * (i % 40)} {i}" for i in range(300)]})


def streaming(server: ScriptedServer, seen: list[int], timeout_s: float = 10.0) -> LiteLLMChat:
    return LiteLLMChat("m", api_base=server.base_url, api_key="any", timeout_s=timeout_s, on_progress=seen.append)


def whole(server: ScriptedServer) -> LiteLLMChat:
    return LiteLLMChat("m", api_base=server.base_url, api_key="any")


def test_an_answer_in_pieces_is_the_same_answer() -> None:
    """Text, tool arguments, token counts and the length mark arrive as in one piece; progress is told on the way."""
    script: list[Entry] = [CLEAN, tool_call(ARGUMENTS), text(CLEAN, finish="length")]
    seen: list[int] = []
    with ScriptedServer(script) as one, ScriptedServer(script) as other:
        for schema in (None, analysis_tool(Shape.TABLE), None):
            plain, piecemeal = whole(one).complete(HELLO, schema), streaming(other, seen).complete(HELLO, schema)
            assert plain._replace(usage=TokenUsage()) == piecemeal._replace(usage=TokenUsage())
            assert (piecemeal.usage.prompt_tokens, piecemeal.usage.completion_tokens) == (100, 50)
    assert other.requests[0].json["stream_options"] == {"include_usage": True}
    assert max(seen) >= len(CLEAN)
    assert len(set(seen)) > 3


@pytest.mark.parametrize(
    "fault", [broken_off(700, CLEAN), broken_off(0, CLEAN), cut(700, CLEAN), cut(3, CLEAN), dropped(), status(503)]
)
def test_a_stream_cut_in_the_middle_is_asked_again(fault: Answer) -> None:
    """Half an answer is none, whether the connection ends in good order or not; the next try counts."""
    seen: list[int] = []
    with ScriptedServer([fault, CLEAN]) as server:
        with pytest.raises(ModelUnavailable) as caught:
            streaming(server, seen).complete(HELLO)
        assert caught.value.advice
        assert "\n" not in caught.value.message
    with ScriptedServer([fault, CLEAN]) as server:
        reply = RetryingChat(streaming(server, seen), sleep=lambda _: None).complete(HELLO)
        assert reply.text == CLEAN
        assert len(server.requests) == 2


def test_a_stream_that_never_starts_times_out() -> None:
    """The timeout holds for streams too."""
    started = time.monotonic()
    with (
        ScriptedServer([slow(20, CLEAN)]) as server,
        pytest.raises(ModelUnavailable, match="did not answer in time"),
    ):
        streaming(server, [], timeout_s=0.3).complete(HELLO)
    assert time.monotonic() - started < 18  # the answer comes after 20


@pytest.mark.parametrize("in_pieces", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_an_answer_without_an_end_is_not_read_to_the_end(in_pieces: bool, packed: bool) -> None:
    """A server that sends for ever, or packs 100 MB into 100 KB, does not fill the memory; nobody asks it again."""
    kind = {"Content-Type": "text/event-stream" if in_pieces else "application/json"}
    endless = Answer(200, b"data: ", kind, close=True, drip=b"a" * 4_000_000)
    bomb = Answer(200, gzip.compress(b"data: " + b"a" * 100_000_000, 1), {**kind, "Content-Encoding": "gzip"})
    with ScriptedServer([bomb if packed else endless], repeat_last=True) as server:
        on_progress = (lambda _: None) if in_pieces else None
        chat = LiteLLMChat("m", api_base=server.base_url, api_key="any", on_progress=on_progress)
        with pytest.raises(ModelRefused, match=r"m sent more than 32 MB in one answer"):
            RetryingChat(chat).complete(HELLO)
    assert len(server.requests) == 1


@pytest.mark.parametrize("when", ["date", "past", "seconds", "nonsense"])
def test_the_pause_that_a_server_asks_for(when: str) -> None:
    """Retry-After is read as seconds or as a date; a date gone by is no pause, nonsense is none said."""
    said = {
        "date": formatdate(time.time() + 60, usegmt=True),
        "past": formatdate(time.time() - 60, usegmt=True),
        "seconds": "7.5",
        "nonsense": "soon",
    }[when]
    limited = status(429)._replace(headers={"Retry-After": said})
    with ScriptedServer([limited]) as server, pytest.raises(RateLimited) as caught:
        whole(server).complete(HELLO)
    pause = caught.value.retry_after
    if when == "date":
        assert pause is not None
        assert 50 < pause <= 60
    else:
        assert pause == {"past": 0.0, "seconds": 7.5, "nonsense": None}[when]


@pytest.mark.parametrize(
    "fault",
    [filtered(), status(400, "filtered due to the content management policy", error_code="content_filter")],
)
@pytest.mark.parametrize("in_pieces", [False, True])
def test_a_content_filter_gets_fewer_rows_and_never_ends_the_run(fault: Answer, in_pieces: bool) -> None:
    """A smaller prompt is tried once; a filter that objects again speaks of these rows, not of the model."""
    with ScriptedServer([fault, CLEAN]) as server:
        chat = streaming(server, []) if in_pieces else whole(server)
        ModelProposer(RetryingChat(chat, sleep=lambda _: None)).analyse(ProposalRequest(rows=ROWS))
        assert len(server.requests[0].text) > len(server.requests[1].text)
    with ScriptedServer([fault], repeat_last=True) as server:
        with pytest.raises(ReplyError, match="content filter"):
            ModelProposer(whole(server)).analyse(ProposalRequest(rows=ROWS))
        with pytest.raises(ContentFiltered):
            whole(server).complete(HELLO)
        assert len(server.requests) == 3


def test_an_answer_that_a_filter_holds_back_counts(tmp_path: Path) -> None:
    """The provider bills its tokens, so that the limit in tokens holds for it too, also where it is played again."""
    file = tmp_path / "recording.jsonl"
    with ScriptedServer([filtered()], repeat_last=True) as server:
        for played in (False, True):
            chat = ReplayChat(file, "proposer") if played else RecordingChat(whole(server), "proposer", Recording(file))
            proposer = ModelProposer(chat, budget=Budget(BudgetLimits(max_tokens=300)))
            with pytest.raises(ReplyError, match="held the answer back") as caught:
                proposer.analyse(ProposalRequest(rows=ROWS))
            assert [one.usage.prompt_tokens for one in caught.value.exchanges] == [100, 100]
            assert (proposer.budget.used.calls, proposer.budget.used.prompt_tokens) == (2, 200)
            with pytest.raises(BudgetExceeded, match="300 of 300 tokens"):
                proposer.analyse(ProposalRequest(rows=ROWS))
        assert len(server.requests) == 2


def test_every_failed_question_is_accounted_for() -> None:
    """The error that ends a proposal carries what was asked and paid until then, by role, failures included."""
    with (
        ScriptedServer([text("no"), text("still no"), status(401)]) as server,
        pytest.raises(Exception, match="refused the key") as caught,
    ):
        ModelProposer(whole(server)).analyse(ProposalRequest(rows=ROWS))
    exchanges = getattr(caught.value, "exchanges", ())
    assert [(e.role, e.usage.calls, e.error is not None) for e in exchanges] == [
        ("proposer", 1, True), ("proposer", 1, True), ("proposer", 0, True)
    ]  # fmt: skip
    usage = getattr(caught.value, "usage", None)
    assert isinstance(usage, TokenUsage)
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (2, 200, 100)


def test_a_server_that_does_not_count_is_counted_here() -> None:
    """Without the server's count tokens are counted on this side, so that a limit in tokens holds."""
    with ScriptedServer([uncounted(CLEAN)], repeat_last=True) as server:
        proposer = ModelProposer(whole(server), budget=Budget(BudgetLimits(max_tokens=1_500)))
        proposer.analyse(ProposalRequest(rows=ROWS))
        with pytest.raises(BudgetExceeded, match="of 1500 tokens"):
            proposer.analyse(ProposalRequest(rows=ROWS))
        asked = json.dumps([m["content"] for m in server.requests[0].json["messages"]])
    assert len(asked) / 8 < proposer.budget.used.prompt_tokens / len(server.requests) < len(asked) / 2
    assert 5 < proposer.budget.used.completion_tokens / len(server.requests) < 40
    assert proposer.budget.used.cost_usd is None
