"""Any object with `generate(messages) -> str` as a ChatModel: the way in for models that LiteLLM does not know.

Wired by bootstrap for users of the library.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Protocol

from orchestrator.core.errors import ModelRefused, ProposalError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.data.text import clean_text
from orchestrator.propose.llm.chat import ChatReply, Message, ReplySchema
from orchestrator.propose.llm.litellm_errors import quotable


class GeneratesText(Protocol):
    """What a model of one's own must be able to do. Messages are dicts with the keys `role` and `content`."""

    def generate(self, messages: list[dict[str, str]]) -> str:
        """The model's answer to the conversation."""
        ...


class CustomChat:
    """Asks the object; it answers in XML, since it knows no tools. Calls are counted; tokens and prices are unknown."""

    structured = False

    def __init__(self, model: GeneratesText) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return f"custom/{type(self._model).__name__}"

    def complete(self, messages: Sequence[Message], schema: ReplySchema | None = None) -> ChatReply:
        """One answer. Raises ModelRefused when the object raises (a ProposalError passes as it is) or gives no text."""
        del schema
        start = perf_counter()
        try:
            text = self._model.generate([message._asdict() for message in messages])
        except ProposalError:
            raise
        except Exception as error:
            reason = clean_text(quotable(f"{type(error).__name__}: {error}"), 300)
            raise ModelRefused(f"{self.name} raised {reason}.", advice="Correct its `generate` method.") from error
        if not isinstance(text, str):
            raise ModelRefused(f"{self.name} gave {type(text).__name__} instead of text.", advice="Return a str.")
        return ChatReply(text, usage=TokenUsage(calls=1, seconds=perf_counter() - start))
