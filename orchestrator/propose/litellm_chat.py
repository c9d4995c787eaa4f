"""The real ChatModel: any provider or local server through LiteLLM. Wired by `bootstrap`.

LiteLLM is imported only when the first question is asked (it takes seconds), with everything that would phone home,
print or call back switched off before. Its exceptions do not leave this room: see `litellm_errors`.
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
from orchestrator.core.proposals import TokenUsage
from orchestrator.propose.chat import ChatReply, ContentFiltered, Message, ReplySchema
from orchestrator.propose.litellm_errors import FILTERED_ADVICE, Target, mapped
from orchestrator.propose.litellm_stream import Received, pieces, whole

_import_lock = threading.Lock()
_NO_KEY = "none"  # what local servers are given: the client insists on some key
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
        litellm.drop_params = True  # a provider that does not know a parameter goes without it
        return litellm


def _hush() -> None:
    """LiteLLM builds the types of a provider at its first call, and pydantic warns of how they are written."""
    warnings.filterwarnings("ignore", message=".*`ReadOnly` qualifier", category=UserWarning, module="pydantic")
    warnings.filterwarnings("ignore", message="Accessing the 'model_", category=DeprecationWarning)


class LiteLLMChat:
    """One model of one provider. The key stays inside this object; its repr does not show it.

    With `on_progress` the answer is read while it is written: it is told the number of characters so far, and the
    timeout counts from one piece to the next.
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
    ) -> None:
        if not model.strip():
            raise UsageError("The model has no name.", advice="Give one, for example --model openai/gpt-4o-mini.")
        if api_base is not None and urlsplit(api_base).scheme not in {"http", "https"}:
            raise UsageError(
                f"The address {api_base!r} of the model server is no http(s) address.",
                advice="Give one like http://localhost:11434/v1.",
            )
        self.name = model
        self._api_base = api_base
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._on_progress = on_progress

    def __repr__(self) -> str:
        return f"LiteLLMChat({self.name!r})"

    @property
    def structured(self) -> bool:
        """True where LiteLLM's table says that the model calls tools; a model it does not know is asked for XML."""
        litellm = load_litellm()
        return bool(litellm.supports_function_calling(model=self._routed(litellm)))

    def complete(self, messages: Sequence[Message], schema: ReplySchema | None = None) -> ChatReply:
        """One answer from the provider, without any retry of its own."""
        litellm = load_litellm()
        started = time.monotonic()
        _hush()
        try:
            response = litellm.completion(**self._arguments(litellm, messages, schema))
            received = self._received(response)
        except ProposalError:
            raise
        except Exception as error:  # noqa: BLE001 - the edge of the room: whatever LiteLLM throws is mapped
            failure = mapped(error, Target(self.name, self._api_base, self._api_key))
        else:
            return self._reply(litellm, received, messages, time.monotonic() - started)
        raise failure  # outside of the handler: the original, which may hold the key, is not chained

    def _arguments(self, litellm: Any, messages: Sequence[Message], schema: ReplySchema | None) -> dict[str, Any]:
        routed = self._routed(litellm)
        key = self._api_key
        if key is None and self._api_base is not None and routed.startswith("openai/"):
            key = _NO_KEY  # never the key of one provider, found in the environment, to another address
        arguments: dict[str, Any] = {
            "model": routed,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
            "api_base": self._api_base,
            "api_key": key,
            "timeout": self._timeout_s,
            "max_tokens": self._max_tokens,
            "temperature": self._temperature,
            "num_retries": 0,
            "max_retries": 0,
        }
        if self._on_progress is not None:
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
        if schema is not None:
            function = {"name": schema.name, "description": schema.description, "parameters": dict(schema.parameters)}
            arguments["tools"] = [{"type": "function", "function": function}]
            arguments["_skip_mcp_handler"] = (
                True  # else LiteLLM imports its MCP proxy, which needs more than it installs
            )
            arguments["tool_choice"] = {"type": "function", "function": {"name": schema.name}}
        return {name: value for name, value in arguments.items() if value is not None}

    def _routed(self, litellm: Any) -> str:
        """The model with its provider. At an address of its own, a name without a provider speaks OpenAI's protocol."""
        provider = self.name.split("/", 1)[0]
        if self._api_base is not None and ("/" not in self.name or provider not in litellm.provider_list):
            return f"openai/{self.name}"
        return self.name

    def _received(self, response: Any) -> Received:
        if response is None:  # what LiteLLM makes of a 422 that it could not cure by leaving parameters out
            raise ModelRefused(f"{self.name} refused the request as unprocessable.", advice="Try --protocol xml.")
        report = self._on_progress
        received = whole(response) if report is None else pieces(response, self.name, report)
        if received is None:
            raise ModelUnavailable(
                f"{self.name} sent an answer without content.", advice="Try again, or another model."
            )
        if received.finish == "content_filter" and not (received.text or received.arguments):
            raise ContentFiltered(f"The content filter of {self.name} held the answer back.", advice=FILTERED_ADVICE)
        return received

    def _reply(self, litellm: Any, received: Received, messages: Sequence[Message], seconds: float) -> ChatReply:
        asked = getattr(received.counted, "prompt_tokens", 0) or _counted(litellm, *(m.content for m in messages))
        answered = getattr(received.counted, "completion_tokens", 0) or _counted(
            litellm, received.text, received.arguments or ""
        )
        return ChatReply(
            text=received.text,
            tool_arguments=received.arguments,
            usage=TokenUsage(
                calls=1,
                prompt_tokens=asked,
                completion_tokens=answered,
                cost_usd=self._cost(litellm, asked, answered),
                seconds=seconds,
            ),
            truncated=received.finish == "length",
        )

    def _cost(self, litellm: Any, asked: int, answered: int) -> float | None:
        """From LiteLLM's local table; None where it has no price. A server of one's own has no listed price."""
        if self._api_base is not None:
            return None
        try:
            prompt, completion = litellm.cost_per_token(
                model=self.name, prompt_tokens=asked, completion_tokens=answered
            )
        except Exception:  # noqa: BLE001 - it raises plain Exception for a model without a price
            return None
        total = float(prompt) + float(completion)
        return total if total > 0 else None


def _counted(litellm: Any, *texts: str) -> int:
    """Tokens by LiteLLM's own tokenizer, for a server that does not count them: else no limit in tokens would hold."""
    return sum(litellm.token_counter(model="", text=text) for text in texts if text)
