"""Where keys go: to their provider, or to the address for which they were named, and nowhere else."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from orchestrator.core.errors import ProposalError, UsageError
from orchestrator.model_choice import ModelChoice
from orchestrator.propose.llm.chat import Message
from orchestrator.propose.llm.key_hosts import is_of_provider
from orchestrator.propose.llm.litellm_chat import LiteLLMChat

KEY = "sk-very-secret-0123456789abcdef"
HELLO = [Message("user", "hello")]


@dataclass
class Heard:
    """A listener on loopback, and all that came in: path, headers and body as one text per request."""

    address: str
    requests: list[str] = field(default_factory=list)


@contextmanager
def listening(away: str = "") -> Iterator[Heard]:
    """Listens, and answers 400, or sends on to another address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            heard.requests.append(f"{self.path} {self.headers} {body!r}")
            self.send_response(307 if away else 400)
            if away:
                self.send_header("Location", away + self.path)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            """Nothing: the test looks at what was heard."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    heard = Heard(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield heard
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("anthropic/m", "ANTHROPIC_API_KEY"), ("groq/m", "GROQ_API_KEY"), ("mistral/m", "MISTRAL_API_KEY"),
        ("poe/m", "OPENAI_API_KEY"), ("gemini/m", "GEMINI_API_KEY"), ("huggingface/m", "HF_TOKEN"),
    ],
)  # fmt: skip
def test_no_providers_key_goes_to_another_address(model: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the provider: the key of its variable stays here, and one that is named for the address arrives."""
    monkeypatch.setenv(variable, KEY)
    with listening() as heard:
        for key, arrives in ((None, False), (KEY, True)):
            with pytest.raises(ProposalError):
                LiteLLMChat(model, api_base=heard.address, api_key=key, timeout_s=5).complete(HELLO)
            assert (KEY in heard.requests[-1]) is arrives


@pytest.mark.parametrize(
    ("model", "address", "own"),
    [
        ("openai/m", "https://api.openai.com/v1", True),
        ("azure/m", "https://mine.openai.azure.com", True),
        ("openai/m", "http://api.openai.com/v1", False),
        ("openai/m", "https://api.openai.com.example.org/v1", False),
        ("openai/m", "https://api.openai.com@example.org/v1", False),
        ("openai/m", "https://example.org/api.openai.com", False),
        ("azure/m", "https://openai.azure.com.example.org", False),
        ("azure/m", "https://xopenai.azure.com", False),
        ("anthropic/m", "https://api.openai.com/v1", False),
        ("poe/m", "https://api.openai.com/v1", False),
    ],
)
def test_a_key_belongs_to_its_providers_host(model: str, address: str, own: bool) -> None:
    """Only the very host of the provider, by HTTPS, is its own."""
    assert is_of_provider(model, address) is own


def test_no_key_in_an_address_is_written_down() -> None:
    """A journal has the address without what is asked of it, and so has what is refused."""
    settled = ModelChoice(model="openai/m", api_base=f"https://me:{KEY}@host/v1?api_key={KEY}").settled()
    assert settled.api_base == "https://host/v1"
    with pytest.raises(UsageError, match=r"no http\(s\) address") as refused:
        LiteLLMChat("openai/m", api_base=f"ftp://me:{KEY}@host/v1?api_key={KEY}")
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("model", ["openai/m", "anthropic/m", "gemini/m", "azure/m"])
def test_no_redirect_is_followed(model: str) -> None:
    """Neither key nor question goes where a server sends them on to."""
    with listening() as target, listening(target.address) as server:
        with pytest.raises(ProposalError):
            LiteLLMChat(model, api_base=server.address, api_key=KEY, timeout_s=5).complete(HELLO)
        assert KEY in server.requests[0]
        assert target.requests == []
