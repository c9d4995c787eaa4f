"""Keys and questions leave for where they belong, whatever LiteLLM makes of a model's name: over real HTTP."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from orchestrator import bootstrap
from orchestrator.core.errors import ModelRefused, ProposalError, UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.settings import Settings
from orchestrator.model_choice import ModelChoice
from orchestrator.propose.llm.chat import Message
from orchestrator.propose.llm.egress import Egress
from orchestrator.propose.llm.key_hosts import OWNERS, may_have_key
from orchestrator.propose.llm.litellm_chat import LiteLLMChat, load_litellm
from tests.propose.test_propose_keys import KEY, listening

HELLO = [Message("user", "hello")]
# Providers that speak OpenAI's protocol, and the variable with which LiteLLM is told another address for them.
OPENAI_LIKE = {
    "perplexity": "PERPLEXITY_API_BASE", "sambanova": "SAMBANOVA_API_BASE", "nebius": "NEBIUS_API_BASE",
    "dashscope": "DASHSCOPE_API_BASE", "moonshot": "MOONSHOT_API_BASE",
}  # fmt: skip


@pytest.mark.parametrize("provider", OPENAI_LIKE)
def test_openais_key_goes_to_no_other_provider(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """LiteLLM falls back to OPENAI_API_KEY where a provider has no key. The request does not leave."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with listening() as heard:
        monkeypatch.setenv(OPENAI_LIKE[provider], heard.address)
        with pytest.raises(ModelRefused, match=r"OPENAI_API_KEY to 127\.0\.0\.1"):
            LiteLLMChat(f"{provider}/m", timeout_s=5).complete(HELLO)
        assert heard.requests == []
        with pytest.raises(ProposalError):  # the control: a key that is named for it arrives, be it the same one
            LiteLLMChat(f"{provider}/m", api_key=KEY, timeout_s=5).complete(HELLO)
        assert KEY in heard.requests[0]


def test_without_the_watch_the_key_would_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """The positive control: LiteLLM alone sends OpenAI's key to another provider.

    In a thread, as the product asks: in the main one LiteLLM leaves an event loop open, whose sockets a later test
    would be blamed for.
    """
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with listening() as heard:
        monkeypatch.setenv("MOONSHOT_API_BASE", heard.address)
        with ThreadPoolExecutor(1) as thread:
            messages = [{"role": "user", "content": "hello"}]
            asked = thread.submit(load_litellm().completion, model="moonshot/m", messages=messages)
            with pytest.raises(Exception, match=r"(?i)moonshot"):
                asked.result()
        assert KEY in heard.requests[0]


def test_no_provider_of_litellm_gets_anothers_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """All providers, with a key of each in the environment: no request carries one that is not its host's."""
    import httpx

    sent: list[tuple[str, str]] = []

    def answer(_: object, request: httpx.Request) -> httpx.Response:
        sent.append((str(request.url), "\n".join([str(request.url), *request.headers.values()])))
        return httpx.Response(400, json={"error": {"message": "no"}})

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", answer)
    for variable in OWNERS:
        monkeypatch.setenv(variable, f"sk-{variable}-0123456789")
    providers = sorted({str(getattr(each, "value", each)) for each in load_litellm().provider_list})
    assert len(providers) > 100
    for provider in providers:
        with pytest.raises(ProposalError):
            LiteLLMChat(f"{provider}/m", timeout_s=5).complete(HELLO)
    assert len({address for address, _ in sent}) > 20
    for address, text in sent:
        for variable in OWNERS:
            assert f"sk-{variable}-0" not in text or may_have_key(variable, address), f"{variable} to {address}"


def test_where_the_environment_says_that_a_provider_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """OPENAI_BASE_URL beside OPENAI_API_KEY names the address for that key; another port of it is another address."""
    assert not may_have_key("OPENAI_API_KEY", "http://127.0.0.1:4000/v1/chat")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:4000/v1")
    assert may_have_key("OPENAI_API_KEY", "http://127.0.0.1:4000/v1/chat")
    assert not may_have_key("OPENAI_API_KEY", "http://127.0.0.1:4001/v1/chat")
    assert not may_have_key("MISTRAL_API_KEY", "http://127.0.0.1:4000/v1/chat")


@pytest.mark.parametrize(
    ("hosts", "address", "allowed"),
    [
        (None, "https://anywhere.example", True),
        (("api.openai.com",), "https://api.openai.com/v1", True),
        (("api.openai.com",), "https://API.OPENAI.COM./v1", True),
        (("api.openai.com",), "https://api.openai.com.example.org/v1", False),
        (("api.openai.com",), "https://api.openai.com@example.org/v1", False),
        (("*.openai.azure.com",), "https://mine.openai.azure.com/x", True),
        (("*.openai.azure.com",), "https://openai.azure.com/x", False),
        (("*.openai.azure.com",), "https://xopenai.azure.com/x", False),
        (("localhost:11434",), "http://localhost:11434/v1", True),
        (("localhost:11434",), "http://localhost:80/v1", False),
        (("localhost:443",), "https://localhost/v1", True),
        ((), "https://api.openai.com/v1", False),
    ],
)
def test_hosts_of_the_policy(hosts: tuple[str, ...] | None, address: str, allowed: bool) -> None:
    """A name is that host, on any port unless one is given; `*.` stands for all below it, and nothing else."""
    assert Egress("m", hosts, None).allows(address, {}) is allowed


def test_no_question_leaves_for_a_host_that_the_policy_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to --api-base, which is refused at once, nor to where LiteLLM would ask; what is on the list is asked."""
    with listening() as heard:
        with pytest.raises(UsageError, match="does not let"):
            LiteLLMChat("openai/m", api_base=heard.address, egress=("api.openai.com",))
        monkeypatch.setenv("OPENAI_BASE_URL", heard.address)
        with pytest.raises(ModelRefused, match=r"model\.egress"):
            LiteLLMChat("openai/m", api_key=KEY, egress=("api.openai.com",), timeout_s=5).complete(HELLO)
        assert heard.requests == []
        with pytest.raises(ProposalError):
            LiteLLMChat("openai/m", api_key=KEY, egress=("127.0.0.1",), timeout_s=5).complete(HELLO)
        assert len(heard.requests) == 1


def test_the_policys_list_reaches_every_role(tmp_path: Path) -> None:
    """A run whose address is not on the list is refused before anything is asked."""
    policy = Policy.model_validate({"model": {"egress": ["api.openai.com"]}})
    choice = ModelChoice(model="m", api_base="http://127.0.0.1:9/v1")
    with pytest.raises(UsageError, match="does not let"):
        bootstrap.proposer(choice, policy)
    assert bootstrap.proposer(choice, Policy()).name


def test_a_key_is_named_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """--api-key-env takes the place of CLEANROOM_API_KEY; a variable that is not set is an error, not another key."""
    monkeypatch.setenv("CLEANROOM_API_KEY", "sk-general-0123456789")
    monkeypatch.setenv("TEAM_KEY", KEY)
    assert ModelChoice().key() == "sk-general-0123456789"
    assert ModelChoice(api_key_env="TEAM_KEY").key() == KEY
    assert ModelChoice(api_key_env="TEAM_KEY", keyless=True).key() == "none"
    with pytest.raises(UsageError, match="NOT_SET holds no key"):
        ModelChoice(api_key_env="NOT_SET").key()
    with pytest.raises(UsageError, match="api_key_env"):
        ModelChoice().with_key("NO NAME")


@pytest.mark.parametrize(
    ("choice", "sent"),
    [({"model": "openai/m"}, True), ({"model": "pinstripes/m"}, False), ({"tester": "pinstripes/m"}, False)],
)
def test_the_general_key_is_not_for_a_provider_that_a_found_file_names(
    choice: dict[str, Any], sent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: an archive's cleanroom.toml names a model of a provider of its author's choice."""
    monkeypatch.setattr(Settings, "read", lambda: Settings(api_key=SecretStr(KEY)))
    assert ModelChoice(**choice).key() == KEY
    assert (ModelChoice(**choice, found_model=True).key() == KEY) is sent


def test_other_requests_of_this_process_are_let_through() -> None:
    """The watch is for questions to models: a program that uses the library may ask what it wants."""
    import httpx

    load_litellm()
    with listening() as heard:
        answers: list[int] = []
        thread = threading.Thread(target=lambda: answers.append(httpx.post(heard.address).status_code))
        thread.start()
        thread.join()
        assert answers == [400]
