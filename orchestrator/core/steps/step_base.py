"""What all steps share. Used by the modules in this folder."""

from typing import Literal, NamedTuple

from pydantic import AwareDatetime, ConfigDict

from orchestrator.core.exchanges import Exchange, TokenUsage
from orchestrator.core.value import Value


class StepMessage(NamedTuple):
    """A step as a turn of the conversation with a model. The content holds untrusted text: fence it."""

    role: Literal["assistant", "user"]
    content: str


class Step(Value):
    """What all steps share. `error` is one sentence when the step failed; the run goes on.

    `exchanges` are the questions to models behind the step, by role; `usage` is their sum.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    at: AwareDatetime
    seconds: float = 0.0
    usage: TokenUsage = TokenUsage()
    exchanges: tuple[Exchange, ...] = ()
    error: str | None = None

    def to_messages(self, *, summary: bool = False) -> tuple[StepMessage, ...]:
        """How the step appears in a later prompt: in full, or as one line without cells of the data. May be empty."""
        del summary
        return ()
