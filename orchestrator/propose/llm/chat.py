"""The port to language models: what the proposer asks for and what it gets, whatever stands behind it.

`litellm_chat` is the real thing, `scripted_models.ScriptedChat` the shipped fake; `retrying` and `budget` wrap either.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from orchestrator.core.errors import ModelRefused, ModelUnavailable
from orchestrator.core.exchanges import TokenUsage

Role = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    """One message of a conversation."""

    role: Role
    content: str


class ReplySchema(NamedTuple):
    """A tool that the model must call with its answer; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ChatReply(NamedTuple):
    """What the model answered. `tool_arguments`: JSON text as it came; `truncated`: cut off at the length limit.

    `more_arguments`: those of further calls of the same tool in one answer.
    """

    text: str
    tool_arguments: str | None = None
    usage: TokenUsage = TokenUsage()
    truncated: bool = False
    more_arguments: tuple[str, ...] = ()


class ChatModel(Protocol):
    """A language model that answers one conversation at a time. Safe to call from several threads."""

    @property
    def name(self) -> str: ...

    @property
    def structured(self) -> bool:
        """True where the model is known to answer by calling a tool."""
        ...

    def complete(self, messages: Sequence[Message], schema: ReplySchema | None = None) -> ChatReply:
        """One answer. Raises ModelUnavailable (worth another try) or ModelRefused (not)."""
        ...


class RateLimited(ModelUnavailable):
    """The provider asks for a pause; `retry_after` is in seconds where it says how long."""

    def __init__(self, message: str, *, advice: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, advice=advice)
        self.retry_after = retry_after


class ContentFiltered(ModelRefused):
    """The provider's filter objects to the prompt or to the answer: other rows may pass."""


class ContextTooLong(ModelRefused):
    """The prompt does not fit into the model's context: the proposer shows fewer rows and asks again."""
