"""Questions to models and what answering them cost. Written by propose/, counted by run/ and kept in steps.

Apart from `proposals`, because errors of the model side say what it cost as well.
"""

from typing import TYPE_CHECKING, Literal

from orchestrator.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

ModelRole = Literal["proposer", "explorer", "tester", "planner"]


class TokenUsage(Value):
    """What answering cost. `cost_usd` is None where the price of any of the calls is not known: never a part of it."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        paid = [one for one in (self, other) if one.calls or one.cost_usd]
        costs = [one.cost_usd for one in paid if one.cost_usd is not None]
        return TokenUsage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost_usd=sum(costs) if costs and len(costs) == len(paid) else None,
            seconds=self.seconds + other.seconds,
        )


class Exchange(Value):
    """One question to a model and what came of it. `about` is a sentence for people; `error` when it went wrong."""

    role: ModelRole
    model: str
    about: str
    usage: TokenUsage = TokenUsage()
    error: str | None = None


def usage_by_role(exchanges: "Iterable[Exchange]") -> dict[ModelRole, TokenUsage]:
    """What each role cost, in the order in which the roles first spoke."""
    found: dict[ModelRole, TokenUsage] = {}
    for exchange in exchanges:
        found[exchange.role] = found.get(exchange.role, TokenUsage()) + exchange.usage
    return found
