"""Questions to models and what answering them cost. Written by propose/, counted by run/ and kept in steps.

Apart from `proposals`, because errors of the model side say what it cost as well.
"""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from orchestrator.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

ModelRole = Literal["proposer", "explorer", "tester", "planner"]


class TokenUsage(Value):
    """What answering cost. `cost_usd` is None where the price of any of the calls is not known: never a part of it.

    `cached_tokens`: those of the prompt tokens that the provider had in its cache; `cached_usd`: what they cost.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = Field(default=0, exclude_if=lambda tokens: not tokens)
    cached_usd: float | None = Field(default=None, exclude_if=lambda cost: cost is None)
    cost_usd: float | None = None
    seconds: float = 0.0

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        paid = [one for one in (self, other) if one.calls or one.cost_usd]
        costs = [one.cost_usd for one in paid if one.cost_usd is not None]
        return TokenUsage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cached_usd=_sum_known([one.cached_usd for one in (self, other) if one.cached_tokens]),
            cost_usd=sum(costs) if costs and len(costs) == len(paid) else None,
            seconds=self.seconds + other.seconds,
        )


def _sum_known(costs: list[float | None]) -> float | None:
    """The sum; None where any is not known, and where there is none."""
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known and len(known) == len(costs) else None


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
