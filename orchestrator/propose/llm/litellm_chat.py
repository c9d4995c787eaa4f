"""The real ChatModel: any provider or local server through LiteLLM. Wired by `wiring`.

LiteLLM is imported only when the first question is asked (it takes seconds), with everything that would phone home,
print or call back switched off before. Its exceptions do not leave this package: see `litellm_errors`.
"""

import functools
import os
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from orchestrator.core.errors import ModelRefused, ModelUnavailable, ProposalError, UsageError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.propose.llm.chat import ChatReply, ContentFiltered, Message, ReplySchema
from orchestrator.propose.llm.egress import Egress, asked, watch_requests
from orchestrator.propose.llm.key_hosts import is_of_provider
from orchestrator.propose.llm.litellm_errors import (
    FILTERED_ADVICE,
    Target,
    mapped,
    search_only_beginnings,
    without_keys,
)
from orchestrator.propose.llm.litellm_stream import BrokenOff, Received, pieces, whole
from orchestrator.propose.llm.model_address import without_secrets
from orchestrator.propose.llm.model_route import refuse_unknown, routed
from orchestrator.propose.llm.server_limits import ServerLimits
from orchestrator.propose.llm.timeout import within
from orchestrator.propose.llm.token_counts import from_cache, said, thoughts_beside

_import_lock = threading.Lock()
_NO_KEY = "none"  # what local servers are given: the client insists on some key
_NAME_THE_KEY = "docs/models.md says what may go where; --api-key-env names the key that is meant."
_LONGEST = 10  # times the timeout may an answer take in all that comes in pieces
_GRACE_S = 10.0  # for what LiteLLM loads at its first question, and for the client's own timeout, which says more
_STARTED_QUIETLY = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # prices from the installed table, not from the network
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_MODE": "PRODUCTION",  # no .env of the working directory is read
    "LITELLM_TELEMETRY": "False",
    "LITELLM_LOG": "CRITICAL",
}


@functools.cache
def load_litellm() -> Any:
    """The litellm module, silent."""
    with _import_lock:
        os.environ.update(_STARTED_QUIETLY)
        with warnings.catch_warnings():  # its own use of its own libraries is no business of the user
            warnings.filterwarnings("ignore", category=DeprecationWarning)
            _hush()
            import litellm

            litellm.ModelResponse()  # its models are built, and warn, at their first use
        litellm.telemetry = False
        litellm.suppress_debug_info = True
        litellm.turn_off_message_logging = True
        litellm.callbacks = []
        litellm.success_callback = []
        litellm.failure_callback = []
        litellm.disable_hf_tokenizer_download = True  # tokens are counted with what is installed
        watch_requests()
        search_only_beginnings()
        litellm.drop_params = True  # a provider that does not know a parameter goes without it
        return litellm


def _hush() -> None:
    """Pydantic warns of how LiteLLM's types are written, and of answers that are not of these types, quoting them."""
    warnings.filterwarnings("ignore", category=UserWarning, module="pydantic")
    warnings.filterwarnings("ignore", message="Accessing the 'model_", category=DeprecationWarning)


class LiteLLMChat:
    """One model of one provider. The key stays inside this object; its repr does not show it.

    With `on_progress` the answer is read while it is written: it is told the number of characters so far, and the
    timeout counts from one piece to the next. `egress`: the hosts that may be asked; None for any.
    """

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 120.0,
        max_tokens: int | None = 8_000,
        temperature: float | None = 0.2,
        on_progress: Callable[[int], None] | None = None,
        egress: Sequence[str] | None = None,
    ) -> None:
        if not model.strip():
            raise UsageError("The model has no name.", advice="Give one, for example --model openai/gpt-4o-mini.")
        if api_base is not None and not _is_address(api_base):
            raise UsageError(
                f"The address {without_secrets(api_base)!r} of the model server is no http(s) address.",
                advice="Give one like http://localhost:11434/v1.",
            )
        if api_base is not None:
            Egress(model, egress, api_key).check_address(api_base)
        self.name = model
        self._egress = egress
        self._api_base = api_base
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._on_progress = on_progress
        self._broken_off = False
        self._limits = ServerLimits()

    def __repr__(self) -> str:
        return f"LiteLLMChat({self.name!r})"

    @property
    def structured(self) -> bool:
        """True where LiteLLM's table says that the model calls tools; a model it does not know is asked for XML."""
        litellm = load_litellm()
        return bool(litellm.supports_function_calling(model=self._routed(litellm)))

    @property
    def priced(self) -> bool:
        """True where LiteLLM's local table has a price for what this model is asked and answers."""
        return self._cost(load_litellm(), 1_000, 1_000) is not None

    def check_provider(self) -> None:
        """Raise UsageError where the name tells no provider that LiteLLM knows."""
        refuse_unknown(load_litellm(), self.name, self._api_base)

    def complete(self, messages: Sequence[Message], schema: ReplySchema | None = None) -> ChatReply:
        """One answer from the provider, without any retry of its own."""
        litellm = load_litellm()
        started = time.monotonic()
        _hush()
        in_pieces = self._on_progress is not None and not self._broken_off
        arguments = self._arguments(litellm, messages, schema, in_pieces=in_pieces)
        tool = schema.name if schema else None

        egress = Egress(self.name, self._egress, self._api_key)

        def ask(gets_on: Callable[[], None]) -> Received:
            asked.set(egress)
            response = self._limits.answered(litellm.completion, arguments)
            return self._received(response, tool, gets_on if in_pieces else None)

        most_s = self._timeout_s * (_LONGEST if in_pieces else 1) + _GRACE_S
        try:
            received = within(self._timeout_s + _GRACE_S, most_s, ask)
            self._broken_off = False
        except ProposalError as error:
            self._broken_off = isinstance(error, BrokenOff)
            raise
        except Exception as error:  # noqa: BLE001 - the edge of the package: whatever LiteLLM throws is mapped
            failure = self._failure(error, egress)
        else:
            return self._reply(litellm, received, messages, time.monotonic() - started)
        raise failure  # outside of the handler: the original, which may hold the key, is not chained

    def _failure(self, error: Exception, egress: Egress) -> ProposalError:
        if egress.refusal:
            return ModelRefused(f"{self.name} was not asked: {egress.refusal}.", advice=_NAME_THE_KEY)
        if egress.flaw:
            return ModelRefused(f"{self.name} {egress.flaw}.", advice="Check --api-base.")
        return mapped(error, Target(self.name, self._api_base, self._api_key))

    def _arguments(
        self, litellm: Any, messages: Sequence[Message], schema: ReplySchema | None, *, in_pieces: bool
    ) -> dict[str, Any]:
        name = self._routed(litellm)
        key = self._api_key
        if key is None and self._api_base is not None and not is_of_provider(name, self._api_base):
            key = _NO_KEY  # never the key of a provider, found in the environment, to another address
        arguments: dict[str, Any] = {
            "model": name,
            "messages": [_message(m, kept=m.role == "system" and self._keeps_marked(litellm)) for m in messages],
            "api_base": self._api_base,
            "api_key": key,
            "timeout": self._timeout_s,
            "max_tokens": self._max_tokens,
            "temperature": self._temperature,
            "num_retries": 0,
            "max_retries": 0,
        }
        if in_pieces:
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
        if schema is not None:
            function = {"name": schema.name, "description": schema.description, "parameters": dict(schema.parameters)}
            arguments["tools"] = [{"type": "function", "function": function}]
            arguments["_skip_mcp_handler"] = (
                True  # else LiteLLM imports its MCP proxy, which needs more than it installs
            )
            arguments["tool_choice"] = {"type": "function", "function": {"name": schema.name}}
        return {name: value for name, value in arguments.items() if value is not None}

    def _keeps_marked(self, litellm: Any) -> bool:
        """Whether the provider keeps only those parts of a prompt that are marked: Anthropic's models."""
        return "claude" in self.name and bool(litellm.utils.supports_prompt_caching(model=self._routed(litellm)))

    def _routed(self, litellm: Any) -> str:
        return routed(litellm, self.name, self._api_base)

    def _received(self, response: Any, tool: str | None, gets_on: Callable[[], None] | None) -> Received:
        """What is in the response; `gets_on` is called for each of its pieces, if it comes in pieces."""
        if response is None:  # what LiteLLM makes of a 422 that it could not cure by leaving parameters out
            raise ModelRefused(f"{self.name} refused the request as unprocessable.", advice="Try --protocol xml.")
        if gets_on is None:
            received = whole(response, tool)
        else:

            def report(chars: int) -> None:
                gets_on()
                if self._on_progress is not None:
                    self._on_progress(chars)

            received = pieces(response, tool, self.name, report)
        if received is None:
            raise ModelUnavailable(
                f"{self.name} sent an answer without content.", advice="Try again, or another model."
            )
        return received

    def _reply(self, litellm: Any, received: Received, messages: Sequence[Message], seconds: float) -> ChatReply:
        text, arguments = without_keys(received.text, self._api_key), received.arguments
        if arguments is not None:
            arguments = without_keys(arguments, self._api_key)
        more = tuple(without_keys(one, self._api_key) for one in received.more)
        counted = received.counted
        asked = said(counted, "prompt_tokens") or _counted(litellm, *(m.content for m in messages))
        answered = said(counted, "completion_tokens") or _counted(litellm, text, arguments or "", *more)
        answered += thoughts_beside(counted)
        cached = min(asked, from_cache(counted))
        written = min(asked - cached, said(counted, "cache_creation_input_tokens"))
        usage = TokenUsage(
            calls=1,
            prompt_tokens=asked,
            completion_tokens=answered,
            cached_tokens=cached,
            cached_usd=self._cost(litellm, cached, 0, cached) if cached else None,
            cost_usd=self._cost(litellm, asked, answered, cached, written),
            seconds=seconds,
        )
        if received.finish == "content_filter":
            held = ContentFiltered(f"The content filter of {self.name} held the answer back.", advice=FILTERED_ADVICE)
            held.usage = usage
            raise held
        return ChatReply(text, arguments, usage, truncated=received.finish == "length", more_arguments=more)

    def _cost(self, litellm: Any, asked: int, answered: int, cached: int = 0, written: int = 0) -> float | None:
        """From LiteLLM's local table; None where it has no price. A server of one's own has no listed price."""
        if self._api_base is not None:
            return None
        try:
            prompt, completion = litellm.cost_per_token(
                model=self.name,
                prompt_tokens=asked,
                completion_tokens=answered,
                cache_read_input_tokens=cached,
                cache_creation_input_tokens=written,
            )
        except Exception:  # noqa: BLE001 - it raises plain Exception for a model without a price
            return None
        total = float(prompt) + float(completion)
        return total if total > 0 else None


def _message(message: Message, *, kept: bool) -> dict[str, Any]:
    """The message as it is sent; `kept`: marked as a beginning that is the same in every call."""
    if not kept:
        return {"role": message.role, "content": message.content}
    part = {"type": "text", "text": message.content, "cache_control": {"type": "ephemeral"}}
    return {"role": message.role, "content": [part]}


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def _counted(litellm: Any, *texts: str) -> int:
    """Tokens by LiteLLM's own tokenizer, for a server that does not count them: else no limit in tokens would hold."""
    return sum(litellm.token_counter(model="", text=text) for text in texts if text)
