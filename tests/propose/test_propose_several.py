"""Several functions in one answer, and what a provider had in its cache."""

import json
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.cli.views.figures import usage_text
from orchestrator.core.errors import ReplyError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.proposals import Analysis
from orchestrator.core.requests import ProposalRequest
from orchestrator.propose.llm.chat import ChatReply, Message
from orchestrator.propose.llm.litellm_chat import LiteLLMChat
from orchestrator.propose.replies.parser import read_reply
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.scripted_models import ScriptedChat
from tests.support.scripted_server import ScriptedServer, counting, text, tool_call

ROWS = pa.table({"city": [" Ulm", "Bonn"], "zip": ["89073 ", "53111"]})


def function(name: str, column: str, body: str = "    return df\n") -> str:
    return (
        f"<function_to_generate><name>{name}</name><docstring>Tidy {column}.</docstring>"
        f'<columns>["{column}"]</columns><code><![CDATA[\ndef {name}(df):\n{body}]]></code></function_to_generate>'
    )


def answer(*functions: str) -> str:
    issues = (
        '<issue id="1" columns=\'["city"]\' solved="false">Blanks in city</issue>'
        '<issue id="2" columns=\'["zip"]\' solved="false">Blanks in zip</issue>'
    )
    return (
        f"<cleaning_analysis><issues_detected>{issues}</issues_detected>{''.join(functions)}"
        "<chunk_status>needs_work</chunk_status></cleaning_analysis>"
    )


TWO = answer(function("tidy_zip", "zip"), function("tidy_city", "city"))


def sources(analysis: Analysis) -> list[str]:
    return [analysis.source or "", *(one.source for one in analysis.more)]


def test_an_answer_holds_several_functions() -> None:
    """Each becomes a candidate with the issue that it is for; the question says how many there may be."""
    chat = ScriptedChat([TWO])
    analysis = ModelProposer(chat).analyse(ProposalRequest(ROWS))
    assert [source.split("\n")[0] for source in sources(analysis)] == ['"""Blanks in zip"""', '"""Blanks in city"""']
    assert ["def tidy_zip(df)" in sources(analysis)[0], "def tidy_city(df)" in sources(analysis)[1]] == [True, True]
    assert "up to 4 functions" in chat.asked[0].messages[1].content
    assert "up to 4" not in chat.asked[0].messages[0].content, "the system message is the same for all limits"


def test_a_tool_call_holds_several_functions() -> None:
    """The further ones stand in a field of their own, over real HTTP."""

    def described(name: str) -> dict[str, Any]:
        return {"name": name, "docstring": "d", "columns": ["city"], "code": f"def {name}(df):\n    return df\n"}

    arguments = {
        "issues_detected": [],
        "chunk_status": "needs_work",
        "function": described("one"),
        "more_functions": [described("two"), described("three")],
    }
    with ScriptedServer([tool_call(arguments)]) as server:
        chat = LiteLLMChat("scripted", api_base=server.base_url, api_key="any")
        analysis = ModelProposer(chat, protocol="structured").analyse(ProposalRequest(ROWS))
        offered = server.requests[0].json["tools"][0]["function"]["parameters"]["properties"]
    assert [
        f"def {name}(df)" in source for name, source in zip(("one", "two", "three"), sources(analysis), strict=True)
    ]
    assert offered["more_functions"]["type"] == "array"


def test_no_more_functions_than_were_asked_for() -> None:
    """The rest is left out, which the user is told; where one is asked for, it must be one."""
    many = answer(*(function(f"f{n}", "city", f"    return df  # {n}\n") for n in range(6)))
    read = read_reply(ChatReply(many), most=4)
    assert len(sources(read)) == 4
    assert [note.split(":")[0] for note in read.notes] == ["2 functions of an answer were not looked at (f4, f5)"]
    assert read_reply(ChatReply(many), most=6).notes == ()
    with pytest.raises(ReplyError, match="6 functions: send exactly one"):
        read_reply(ChatReply(many))
    chat = ScriptedChat([many, answer(function("one", "city"))])
    assert len(sources(ModelProposer(chat, functions=1).analyse(ProposalRequest(ROWS)))) == 1


def test_one_unreadable_function_does_not_cost_the_others() -> None:
    """It is left out, and the user is told; where none can be read, the model is asked again."""
    broken = function("broken", "city", "    return (\n")
    chat = ScriptedChat([answer(broken, function("tidy_zip", "zip")), answer(broken), TWO])
    proposer = ModelProposer(chat)
    first = proposer.analyse(ProposalRequest(ROWS))
    assert len(sources(first)) == 1
    assert "A function of an answer was left out: `broken`: The code is not valid Python" in first.notes[0]
    assert len(sources(proposer.analyse(ProposalRequest(ROWS)))) == 2
    assert len(chat.asked) == 3


def test_what_came_from_a_cache_is_counted_and_priced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens that the provider had in its cache are shown with their price, and make the whole cheaper."""
    said = counting(text("hello", prompt_tokens=10_000), prompt_tokens_details={"cached_tokens": 8_000})
    with ScriptedServer([said, text("hello", prompt_tokens=10_000)]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        chat = LiteLLMChat("openai/gpt-4o")
        cached, whole = (chat.complete([Message("user", "hello")]).usage for _ in range(2))
    assert (cached.prompt_tokens, cached.cached_tokens, whole.cached_tokens) == (10_000, 8_000, 0)
    assert cached.cached_usd is not None
    assert cached.cost_usd is not None
    assert whole.cost_usd is not None
    assert whole.cost_usd - cached.cost_usd == pytest.approx(cached.cached_usd), "half the price for that model"
    assert "(8,000 cached for $0.0100)" in usage_text(cached + whole)
    assert "cached" not in json.dumps(whole.model_dump())


def test_a_cache_without_a_price_costs_unknown() -> None:
    """A price that is not known is never a part of a sum."""
    known = TokenUsage(calls=1, prompt_tokens=9, cached_tokens=5, cached_usd=0.5)
    assert (known + TokenUsage(calls=1)).cached_usd == 0.5
    assert (known + TokenUsage(calls=1, cached_tokens=1)).cached_usd is None


def test_models_that_cache_only_what_is_marked_get_the_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system message carries it, byte for byte the same; what such a provider says of its cache is understood."""
    said = counting(text(TWO, prompt_tokens=500), cache_read_input_tokens=2_000, cache_creation_input_tokens=0)
    with ScriptedServer([said] * 2) as server:
        monkeypatch.setenv("ANTHROPIC_API_BASE", server.base_url.removesuffix("/v1"))
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any")
        proposer = ModelProposer(LiteLLMChat("anthropic/claude-sonnet-4-5"), protocol="xml")
        first, second = (proposer.analyse(ProposalRequest(ROWS, instruction)) for instruction in ("Trim.", "Tidy."))
        systems = [request.json["system"] for request in server.requests]
    assert systems[0] == systems[1]
    assert systems[0][0]["cache_control"] == {"type": "ephemeral"}
    assert (first.usage.cached_tokens, first.usage.prompt_tokens, second.usage.calls) == (2_000, 2_500, 1)
