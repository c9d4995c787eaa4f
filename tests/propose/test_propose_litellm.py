"""The real client against a scripted server over real HTTP: what each answer and each fault becomes."""

import inspect
import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path

import httpx
import openai
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import (
    BudgetExceeded,
    ModelRefused,
    ModelUnavailable,
    ProposalError,
    ReplyError,
    UsageError,
)
from orchestrator.core.proposals import ChunkStatus
from orchestrator.core.requests import ProposalRequest
from orchestrator.propose.llm.budget import Budget, BudgetLimits
from orchestrator.propose.llm.chat import ContextTooLong, Message, RateLimited
from orchestrator.propose.llm.litellm_chat import LiteLLMChat, load_litellm
from orchestrator.propose.llm.litellm_errors import BY_CLASS, Target, kind_of, mapped
from orchestrator.propose.llm.retrying import RetryingChat
from orchestrator.propose.replies.structured import analysis_tool
from orchestrator.propose.roles.model_proposer import ModelProposer
from tests.support.scripted_server import (
    Answer,
    Entry,
    ScriptedServer,
    cut,
    dropped,
    empty,
    malformed,
    no_choices,
    slow,
    status,
    text,
    tool_call,
)

KEY = "sk-very-secret-0123456789abcdef"
HELLO = [Message("user", "hello")]
XML = """<cleaning_analysis>
<issues_detected><issue id="1" solved="false">Stray blanks</issue></issues_detected>
<function_to_generate><name>trim_city</name><docstring>Strip city.</docstring><columns>["city"]</columns>
<detector><![CDATA[
def detect(df):
    return df["city"].str.strip() != df["city"]
]]></detector>
<code><![CDATA[
def trim_city(df):
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
]]></code></function_to_generate>
<chunk_status>needs_work</chunk_status></cleaning_analysis>"""
HOSTILE = XML.replace("    out = df.copy()\n", '    import os; os.system("id")\n    out = df.copy()\n')
TOOL = {
    "issues_detected": [{"id": "1", "description": "Stray blanks", "solved": False}],
    "function": {
        "name": "trim_city",
        "docstring": "Strip city.",
        "columns": ["city"],
        "detector": "def detect(df):\n    return df['city'].str.strip() != df['city']\n",
        "code": "def trim_city(df):\n    out = df.copy()\n    out['city'] = out['city'].str.strip()\n    return out\n",
        "examples": [{"input": {"city": " a"}, "output": {"city": "a"}}],
    },
    "chunk_status": "needs_work",
}


def request() -> ProposalRequest:
    return ProposalRequest(rows=pa.table({"city": [" Ulm", "Bonn"]}), instruction="Trim the names.")


def chat_of(server: ScriptedServer, timeout_s: float = 10.0) -> LiteLLMChat:
    return LiteLLMChat("scripted", api_base=server.base_url, api_key=KEY, timeout_s=timeout_s)


def fails(*script: Entry, timeout_s: float = 10.0) -> ProposalError:
    """The error that one question to a server with this script raises; it never holds the key."""
    with ScriptedServer(script) as server, pytest.raises(ProposalError) as caught:
        chat_of(server, timeout_s).complete(HELLO)
    error = caught.value
    shown = "".join(traceback.format_exception(error)) + error.message + error.advice
    assert KEY not in shown
    assert error.__cause__ is None
    assert error.__context__ is None
    assert error.advice
    assert "\n" not in error.message
    return error


def test_xml_comes_through() -> None:
    """A good answer becomes an analysis with its cost in tokens; the request carries model, messages and no tool."""
    with ScriptedServer([XML]) as server:
        analysis = ModelProposer(chat_of(server)).analyse(request())
    assert analysis.source is not None
    assert "def trim_city" in analysis.source
    assert analysis.reply == XML
    assert (analysis.usage.calls, analysis.usage.prompt_tokens, analysis.usage.completion_tokens) == (1, 100, 50)
    assert analysis.usage.cost_usd is None
    sent = server.requests[0]
    assert sent.json["model"] == "scripted"
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert "Trim the names." in sent.text
    assert "tools" not in sent.json
    assert KEY not in sent.text


def test_a_tool_call_comes_through() -> None:
    """In structured mode the tool is offered, demanded, and its arguments are read; nothing internal is sent along."""
    with ScriptedServer([tool_call(TOOL)]) as server:
        analysis = ModelProposer(chat_of(server), protocol="structured").analyse(request())
    assert analysis.source is not None
    assert "CONTRACT" in analysis.source
    sent = server.requests[0].json
    assert sent["tool_choice"]["function"]["name"] == analysis_tool(Shape.TABLE).name
    assert set(sent) == {"model", "messages", "tools", "tool_choice", "max_tokens", "temperature"}


def test_structured_mode_reads_xml_too() -> None:
    """A model that ignores the tool and answers in XML is understood."""
    with ScriptedServer([XML]) as server:
        assert ModelProposer(chat_of(server), protocol="structured").analyse(request()).source is not None


def test_garbage_is_shown_back_and_repaired() -> None:
    """An unreadable answer costs a retry that shows the model its answer and what was wrong."""
    with ScriptedServer(["I think it is fine?", XML]) as server:
        analysis = ModelProposer(chat_of(server)).analyse(request())
    assert analysis.source is not None
    assert analysis.usage.calls == 2
    assert "I think it is fine?" in server.requests[1].text
    assert "neither a <cleaning_analysis>" in server.requests[1].text


def test_garbage_without_end_is_a_reply_error() -> None:
    """After three unreadable answers the proposer stops and says so."""
    with ScriptedServer(["no"], repeat_last=True) as server, pytest.raises(ReplyError, match="3 unreadable answers"):
        ModelProposer(chat_of(server)).analyse(request())
    assert len(server.requests) == 3


def test_hostile_code_is_only_text_here() -> None:
    """The proposer hands hostile code on as text; nothing of it runs."""
    with ScriptedServer([HOSTILE]) as server:
        analysis = ModelProposer(chat_of(server)).analyse(request())
    assert analysis.source is not None
    assert 'os.system("id")' in analysis.source


def test_an_empty_answer_is_asked_again() -> None:
    """Content null, then a good answer."""
    with ScriptedServer([text(None), text(""), XML]) as server:
        assert ModelProposer(chat_of(server)).analyse(request()).source is not None


def test_a_cut_answer_says_so_to_the_model() -> None:
    """The length limit is named in the retry."""
    with ScriptedServer([text(XML[:400], finish="length"), XML]) as server:
        ModelProposer(chat_of(server)).analyse(request())
    assert "length limit" in server.requests[1].text


def test_rate_limit_then_good() -> None:
    """A 429 is waited out for as long as the provider says, then asked again."""
    pauses: list[float] = []
    with ScriptedServer([status(429, retry_after=7), XML]) as server:
        chat = RetryingChat(chat_of(server), sleep=pauses.append)
        analysis = ModelProposer(chat).analyse(request())
    assert analysis.chunk_status is ChunkStatus.NEEDS_WORK
    assert len(pauses) == 1
    assert pauses[0] >= 7


@pytest.mark.parametrize(
    "fault", [status(500), status(502), status(503), status(529), empty(), malformed(), dropped(), cut()]
)
def test_passing_faults_are_tried_again(fault: Answer) -> None:
    """Server errors and broken answers are temporary: one bad, one good."""
    with ScriptedServer([fault, XML]) as server:
        chat = RetryingChat(chat_of(server), sleep=lambda _: None)
        assert ModelProposer(chat).analyse(request()).source is not None
    assert len(server.requests) == 2


def test_a_server_that_stays_broken_ends_the_retries() -> None:
    """As many tries as allowed, then the error."""
    with ScriptedServer([status(500, "boom")], repeat_last=True) as server:
        chat = RetryingChat(chat_of(server), attempts=3, sleep=lambda _: None)
        with pytest.raises(ModelUnavailable, match="boom"):
            chat.complete(HELLO)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (status(401, f"Incorrect API key provided: {KEY}"), "refused the key"),
        (status(403, f"key {KEY} may not"), "does not allow"),
        (status(402), "no money"),
        (status(404, "model not found"), "There is no model"),
        (status(400, f"bad thing with {KEY}"), "refused the request: bad thing with"),
        (status(400, "filtered due to the content management policy", error_code="content_filter"), "content filter"),
    ],
)
def test_lasting_faults_are_not_tried_again(fault: Answer, words: str) -> None:
    """Wrong key, unknown model and bad request: one call, one clear sentence, no key in it."""
    error = fails(fault)
    assert isinstance(error, ModelRefused)
    assert words in error.message
    with ScriptedServer([fault], repeat_last=True) as server, pytest.raises(ModelRefused):
        RetryingChat(chat_of(server), sleep=lambda _: None).complete(HELLO)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (status(500), "failed"),
        (status(503), "failed"),
        (empty(), "not of its protocol"),
        (malformed(), "not of its protocol"),
        (malformed(b"<html>hello</html>"), "not of its protocol"),
        (malformed(b"{}"), "not of its protocol"),
        (malformed(b"[1]"), "not of its protocol"),
        (no_choices(), "no answer|without content"),
        (dropped(), "cannot be reached"),
        (cut(), "cannot be reached"),
    ],
)
def test_temporary_faults_are_named(fault: Answer, words: str) -> None:
    """Each fault is one clear sentence of the right class."""
    error = fails(fault)
    assert type(error) is ModelUnavailable
    assert any(word in error.message for word in words.split("|"))


def test_an_unprocessable_request_is_refused() -> None:
    """LiteLLM answers None for a 422; that is a refusal, not a crash."""
    assert isinstance(fails(status(422), status(422)), ModelRefused)


def test_a_rate_limit_carries_the_pause() -> None:
    """Retry-After reaches whoever waits."""
    error = fails(status(429, retry_after=3))
    assert isinstance(error, RateLimited)
    assert error.retry_after == 3.0


def test_a_slow_server_times_out() -> None:
    """The timeout is ours and holds."""
    error = fails(slow(30, XML), timeout_s=0.3)
    assert isinstance(error, ModelUnavailable)
    assert "did not answer in time" in error.message


def test_nobody_listens() -> None:
    """A refused connection names the address."""
    with ScriptedServer() as server:
        address = server.base_url
    with pytest.raises(ModelUnavailable, match="cannot be reached") as caught:
        LiteLLMChat("m", api_base=address, api_key=KEY).complete(HELLO)
    assert address in caught.value.message


def test_a_prompt_too_long_is_shortened() -> None:
    """The proposer shows less and asks again."""
    too_long = status(400, "This model's maximum context length is 10 tokens", error_code="context_length_exceeded")
    rows = pa.table({"city": [f" {chr(97 + i % 26) * (i % 40)} {i}" for i in range(500)]})
    with ScriptedServer([too_long, too_long, XML]) as server:
        assert ModelProposer(chat_of(server)).analyse(ProposalRequest(rows=rows)).source is not None
    sizes = [len(r.text) for r in server.requests]
    assert sizes[0] > sizes[1] > sizes[2]
    assert isinstance(fails(too_long), ContextTooLong)


def test_a_budget_ends_the_calls() -> None:
    """Retries for unreadable answers count too."""
    with ScriptedServer(["no"], repeat_last=True) as server:
        proposer = ModelProposer(chat_of(server), budget=Budget(BudgetLimits(max_calls=2)))
        with pytest.raises(BudgetExceeded, match="All 2 model calls"):
            proposer.analyse(request())
    assert len(server.requests) == 2
    assert proposer.budget.used.calls == 2


def test_no_key_and_no_provider_are_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key, or without a provider, nothing is sent and the sentence says what to give."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(ModelRefused, match="No key is given"):
        LiteLLMChat("openai/gpt-4o-mini").complete(HELLO)
    with pytest.raises(ModelRefused, match="No key is given"):
        LiteLLMChat("anthropic/claude-3-5-haiku-latest").complete(HELLO)
    with pytest.raises(ModelRefused, match="names no provider"):
        LiteLLMChat("no-such-model-anywhere").complete(HELLO)


def test_a_local_server_that_does_not_run() -> None:
    """A provider that speaks another protocol than OpenAI's is found missing in the same words."""
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        LiteLLMChat("ollama/nothing", api_base="http://127.0.0.1:1").complete(HELLO)


def test_a_key_of_the_environment_does_not_go_to_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """A local server gets no key that was meant for a provider."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ScriptedServer([XML, XML]) as server:
        for name in ("local", "openai/local"):
            LiteLLMChat(name, api_base=server.base_url).complete(HELLO)
    assert all(KEY not in str(r.headers) for r in server.requests)


@pytest.mark.parametrize(("name", "sent"), [("qwen", "qwen"), ("Qwen/Qwen2.5", "Qwen/Qwen2.5"), ("openai/x", "x")])
def test_names_at_an_own_address(name: str, sent: str) -> None:
    """At an address of its own any model name is spoken to in OpenAI's protocol."""
    with ScriptedServer([XML]) as server:
        LiteLLMChat(name, api_base=server.base_url).complete(HELLO)
    assert server.requests[0].json["model"] == sent


def test_bad_settings_are_usage_errors() -> None:
    """No name, or an address that is none."""
    with pytest.raises(UsageError):
        LiteLLMChat(" ")
    for address in ("localhost:11434", "http://", "http://[::1", "file:///etc/passwd"):
        with pytest.raises(UsageError, match="no http"):
            LiteLLMChat("m", api_base=address)


def test_structured_follows_the_local_table() -> None:
    """Models known to call tools are asked that way, unknown ones in XML."""
    assert LiteLLMChat("openai/gpt-4o", api_key=KEY).structured
    assert not LiteLLMChat("qwen", api_base="http://127.0.0.1:1/v1").structured


def test_cost_comes_from_the_local_table() -> None:
    """A known model has a price; an unknown one has none, not zero."""
    litellm = load_litellm()
    cost = LiteLLMChat("openai/gpt-4o", api_key=KEY)._cost(litellm, 1000, 1000)
    assert cost is not None
    assert 0.001 < cost < 1
    assert LiteLLMChat("openai/no-such-model", api_key=KEY)._cost(litellm, 1000, 1000) is None


def test_repr_hides_the_key() -> None:
    """Neither the client nor the target of an error shows the key."""
    assert KEY not in repr(LiteLLMChat("m", api_key=KEY))
    assert KEY not in repr(Target("m", None, KEY))


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    """LiteLLM neither prints nor logs, not even on failure."""
    with caplog.at_level(logging.WARNING):
        fails(status(401))
        fails(status(500))
    out = capfd.readouterr()
    assert (out.out, out.err) == ("", "")
    assert [r for r in caplog.records if "litellm" in r.name.lower()] == []


def test_the_import_stays_off_the_network(tmp_path: Path) -> None:
    """In a process where every connection is an error, importing and pricing work, and no .env file is read."""
    program = """
import socket, os
def refuse(*a, **k): raise SystemExit("connects to " + repr(a))
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
open(".env", "w").write("PLANTED=1")
from orchestrator.propose.llm.litellm_chat import LiteLLMChat
assert LiteLLMChat("openai/gpt-4o", api_key="x").structured
assert "PLANTED" not in os.environ
"""
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning", "-c", program],
        capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120,
        env={k: v for k, v in os.environ.items() if not k.startswith("LITELLM")},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_exception_of_litellm_is_mapped() -> None:
    """A class that a new version brings must be given a meaning here."""
    load_litellm()
    import litellm.exceptions

    found = {n for n, c in vars(litellm.exceptions).items() if inspect.isclass(c) and issubclass(c, Exception)}
    assert found - set(BY_CLASS) == set()


def test_time_that_is_up_in_the_middle_of_an_answer_is_told_as_that() -> None:
    """Whatever class the error has in which it comes: by its words, or by what caused it."""
    load_litellm()
    from litellm.exceptions import InternalServerError

    for words, cause in (("timed out", None), ("the stream broke", httpx.ReadTimeout("x")), ("x", TimeoutError())):
        error = InternalServerError(words, "openai", "m")
        error.__cause__ = cause
        assert kind_of(error) == "timeout"
    assert kind_of(InternalServerError("it broke", "openai", "m")) != "timeout"


def test_every_exception_of_openai_and_httpx_is_mapped() -> None:
    """Foreign classes below LiteLLM become one of ours, by name or as unreadable or unreachable."""
    classes = [
        c for m in (openai, httpx) for c in list(vars(m).values()) if inspect.isclass(c) and issubclass(c, Exception)
    ]
    assert len(classes) > 20
    for cls in classes:
        error = cls.__new__(cls)
        assert isinstance(mapped(error, Target("m")), ModelRefused | ModelUnavailable), cls


@pytest.mark.parametrize(
    "error", [ValueError("x"), KeyError("choices"), RecursionError(), UnicodeError(), MemoryError()]
)
def test_anything_else_is_unreadable(error: Exception) -> None:
    """What a broken client throws over a broken answer is temporary and named."""
    assert kind_of(error) == "unreadable"
    assert isinstance(mapped(error, Target("m")), ModelUnavailable)


def test_what_a_server_says_is_quoted_short_and_plain() -> None:
    """Escape sequences, line breaks and lengths of a hostile server stay out of the terminal."""
    error = fails(status(400, "\x1b[31mred\n" + "long " * 1000))
    assert "\x1b" not in error.message
    assert len(error.message) < 400
