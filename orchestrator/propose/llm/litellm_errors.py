"""Maps what LiteLLM and the libraries under it throw to this project's errors. Called by `litellm_chat` alone.

By HTTP status where the class is general, by class otherwise. A message says in one sentence what happened and never
holds a key; what the server said is quoted short, on one line and without control characters.
"""

import os
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from orchestrator.core.errors import ModelRefused, ModelUnavailable, ProposalError
from orchestrator.propose.llm.chat import ContentFiltered, ContextTooLong, RateLimited
from orchestrator.propose.llm.model_address import without_secrets

_KEYS = re.compile(r"(?:sk|pk|rk|gsk|xai|key|AIza|hf|Bearer)[-_ ][\w.*-]{4,}|\b[\w-]{32,}\b", re.IGNORECASE)
_SECRET = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)S?$", re.IGNORECASE)  # names in the environment
_SHORTEST_KEY = 16
_TOO_LONG = re.compile(r"context[ _](?:length|window|size)|too many tokens|prompt is too long", re.IGNORECASE)
_FILTERED = re.compile(r"content[ _]?(?:filter|management|policy)|\bfiltered\b|safety", re.IGNORECASE)
_NO_KEY = re.compile(
    r"missing credentials|missing \w+ api key|api[_ ]key.{0,40}(?:must be set|not set|missing|required)", re.IGNORECASE
)
_BAD_KEY = re.compile(r"api[_ ]key (?:is )?(?:not valid|invalid)|(?:invalid|incorrect) api[_ ]key", re.IGNORECASE)
_SAID = re.compile(r"""['"]message['"]: (?:'([^']+)'|"([^"]+)")""")  # of a body that is quoted as it is
_NO_PROVIDER = re.compile(r"LLM Provider NOT provided", re.IGNORECASE)
_NO_CONNECTION = re.compile(
    r"connection (?:error|refused|reset)|connect(?:ion)? (?:call|attempts?) failed|cannot connect|disconnected",
    re.IGNORECASE,
)

_SEARCHED = 4_000  # characters of a message

# Every class that litellm.exceptions offers, by what it means for us; a test keeps this complete.
BY_CLASS: dict[str, str] = {
    "AuthenticationError": "key",
    "PermissionDeniedError": "forbidden",
    "NotFoundError": "unknown-model",
    "ModelNotMappedError": "unknown-model",
    "LiteLLMUnknownProvider": "unknown-model",
    "ContextWindowExceededError": "too-long",
    "ContentPolicyViolationError": "filtered",
    "RejectedRequestError": "filtered",
    "GuardrailRaisedException": "filtered",
    "BlockedPiiEntityError": "filtered",
    "ModifyResponseException": "filtered",
    "SensitiveDataRouteException": "filtered",
    "PaymentRequiredError": "payment",
    "BudgetExceededError": "payment",
    "BadRequestError": "request",
    "InvalidRequestError": "request",
    "UnprocessableEntityError": "request",
    "UnsupportedParamsError": "request",
    "ImageFetchError": "request",
    "VectorStoreSearchError": "request",
    "RateLimitError": "rate",
    "Timeout": "timeout",
    "APITimeoutError": "timeout",
    "APIConnectionError": "connection",
    "ServiceUnavailableError": "server",
    "MidStreamFallbackError": "server",
    "BadGatewayError": "server",
    "InternalServerError": "server",
    "APIResponseValidationError": "unreadable",
    "JSONSchemaValidationError": "unreadable",
    "MockException": "server",
    "APIStatusError": "server",
    "APIError": "server",
    "OpenAIError": "server",
}
_TIMED_OUT = re.compile(r"\btimed out\W*$")
_OF_THE_SERVER = 500  # LiteLLM's own for what it made up; what is above was sent
_BY_STATUS = {
    400: "request", 401: "key", 402: "payment", 403: "forbidden", 404: "unknown-model", 408: "timeout", 413: "too-long",
    422: "request", 429: "rate", 504: "timeout",
}  # fmt: skip


class Target(NamedTuple):
    """Whom we asked, for messages; the key only so that it can be struck out."""

    model: str
    api_base: str | None = None
    api_key: str | None = None

    def __repr__(self) -> str:
        return f"Target({self.model!r})"


def search_only_beginnings() -> None:
    """Have LiteLLM search no more of an error's text for secrets than somebody may read.

    The text may hold a whole answer: of 3 MB the search takes minutes, in which no other thread runs, and no signal.
    """
    from litellm.litellm_core_utils import litellm_logging, secret_redaction

    # It searches as much again, for logs that nobody keeps.
    litellm_logging.Logging.failure_handler = lambda *_, **__: None  # type: ignore[method-assign]
    search = secret_redaction.python_redact_string  # all its searches end here; no option shortens what they are given
    secret_redaction.python_redact_string = lambda value: search(value[:_SEARCHED])


def mapped(error: BaseException, target: Target) -> ProposalError:
    """The error of this project that says what happened."""
    kind = kind_of(error)
    quoted = _quoted(error, target)
    pause = _retry_after(error)
    who = target.model + (f" at {without_secrets(target.api_base)}" if target.api_base else "")
    if kind == "rate":
        asked = f": it asks for a pause of {pause:,.0f} s" if pause else ""
        return RateLimited(
            f"{who} answers no more requests for now (rate limit){asked}.",
            advice=f"Wait {'that long' if pause else 'a while'}, or raise --patience.",
            retry_after=pause,
        )
    if kind == "too-long":
        return ContextTooLong(f"The prompt is too long for {who}.", advice="Use a model with a longer context.")
    if kind == "filtered":
        return ContentFiltered(f"The content filter of {who} refused the request.", advice=FILTERED_ADVICE)
    if kind in _REFUSED:
        message, advice = _REFUSED[kind]
        return ModelRefused(message.format(who=who, said=quoted), advice=advice)
    message, advice = _UNAVAILABLE.get(kind, _UNAVAILABLE["unreadable"])
    message = message.format(who=who, said=quoted)
    if kind == "server" and pause:  # overloaded, and says for how long
        return RateLimited(message, advice=advice, retry_after=pause)
    return ModelUnavailable(message, advice=advice)


def kind_of(error: BaseException) -> str:
    """What the error means, as one of the words of the tables above."""
    text = str(error)[:_SEARCHED]
    if _NO_KEY.search(text):
        return "no-key"
    if _NO_PROVIDER.search(text):
        return "no-provider"
    names = [cls.__name__ for cls in type(error).__mro__]
    kind = next((BY_CLASS[name] for name in names if name in BY_CLASS), None)
    status = getattr(error, "status_code", None)
    if kind in {"server", "connection"} and _timed_out(error):
        return "timeout"  # in the middle of an answer that comes in pieces
    if kind in {"server", "connection"} and _NO_CONNECTION.search(text):
        return "connection"
    if kind == "connection":
        return "unreadable"  # LiteLLM calls everything that it did not expect a connection error
    body = getattr(error, "body", None)
    if kind == "rate" and isinstance(body, dict) and body.get("code") == "insufficient_quota":
        return "payment"
    if kind in {"server", "request"} and isinstance(status, int):  # LiteLLM's class follows words in the body
        kind = _BY_STATUS.get(status, "server" if status > _OF_THE_SERVER else kind)
    if kind == "server" and names[0] == "InternalServerError" and _made_up(error):
        return "unreadable"
    if kind == "request" and _BAD_KEY.search(text):
        return "key"
    if kind == "request" and _TOO_LONG.search(text):
        return "too-long"
    if kind == "request" and _FILTERED.search(text):
        return "filtered"
    if kind is None:
        return (
            "timeout"
            if isinstance(error, TimeoutError)
            else "connection"
            if isinstance(error, OSError)
            else "unreadable"
        )
    return kind


FILTERED_ADVICE = "Use another model, or show it less of the data."
_REFUSED = {
    "no-key": ("No key is given for {who}.", "Set the provider's key, for example OPENAI_API_KEY."),
    "no-provider": (
        "{who} names no provider.",
        "Write provider/model, such as openai/gpt-4o-mini, or give --api-base.",
    ),
    "key": ("{who} refused the key.", "Check the key and that it belongs to this provider."),
    "forbidden": ("{who} does not allow this request.", "Check what the key and the account may use."),
    "payment": ("The account for {who} has no money left.", "Add credit, or use another model."),
    "unknown-model": ("There is no model {who}.", "Check the spelling of --model and --api-base."),
    "request": ("{who} refused the request: {said}", "Check --model and --api-base, or try --protocol xml."),
}
_UNAVAILABLE = {
    "timeout": ("{who} did not answer in time.", "Try again, or raise --timeout."),
    "connection": ("{who} cannot be reached.", "Check the network and --api-base, and that the server runs."),
    "server": ("The server of {who} failed: {said}", "Try again later, or use another model."),
    "unreadable": ("{who} sent an answer that is not of its protocol.", "Check --api-base, or try again."),
}


def _timed_out(error: BaseException) -> bool:
    """Whether the time was up while an answer was read: LiteLLM may say so in an error of another class."""
    if _TIMED_OUT.search(str(error)[:_SEARCHED]):
        return True
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    return any(isinstance(one, TimeoutError) or type(one).__name__.endswith("Timeout") for one in causes)


def _made_up(error: BaseException) -> bool:
    """LiteLLM reports an unreadable body as a 500 that no server sent."""
    return getattr(error, "litellm_response_headers", None) is None


def _retry_after(error: Any) -> float | None:
    headers = getattr(error, "litellm_response_headers", None) or {}
    try:
        value = str(headers.get("retry-after", "")).strip()
        if value.replace(".", "", 1).isdigit():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())  # RFC 9110: seconds or a date
    except (TypeError, ValueError, AttributeError, OverflowError):
        return None


def without_keys(text: str, key: str | None) -> str:
    """The text without the key and those of the environment: a server may repeat what it was sent.

    What is shorter than real keys are ("none", "ollama") may be a word of any answer, and stays.
    """
    known = {value for name, value in os.environ.items() if _SECRET.search(name)} | {key or ""}
    for secret in sorted(known, key=len, reverse=True):
        text = text.replace(secret, "[key]") if len(secret) >= _SHORTEST_KEY else text
    return text


def quotable(text: str) -> str:
    """The text without anything that is a key, or looks like one."""
    return _KEYS.sub("[key]", without_keys(text, None))


def _quoted(error: BaseException, target: Target) -> str:
    text = str(getattr(error, "message", None) or error)
    if target.api_key:
        text = text.replace(target.api_key, "[key]")
    text = quotable(without_keys(text, None)[:_SEARCHED])
    text = re.sub(r"^(?:litellm\.\w+: |\w+Error: |\w+Exception - )+", "", text)
    if text.startswith("Error code: ") and (said := _SAID.search(text)):
        text = said.group(1) or said.group(2)
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return (text[:200] + "…" if len(text) > 200 else text) or type(error).__name__
