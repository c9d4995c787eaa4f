"""How many questions the models of a run were asked and what they cost, by role. Called by `summary`."""

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.core.exchanges import ModelRole, TokenUsage, usage_by_role
from orchestrator.core.steps import AnyStep


@dataclass(frozen=True)
class RoleCost:
    """One role. `failed`: questions without a usable answer; they cost money, too."""

    role: ModelRole
    models: tuple[str, ...]
    usage: TokenUsage
    failed: int


def accounts(steps: Sequence[AnyStep]) -> list[RoleCost]:
    """The roles in the order in which they were first asked; empty if no model was asked."""
    exchanges = [exchange for step in steps for exchange in step.exchanges]
    found = []
    for role, usage in usage_by_role(exchanges).items():
        own = [exchange for exchange in exchanges if exchange.role == role]
        models = tuple(dict.fromkeys(exchange.model for exchange in own))
        found.append(RoleCost(role, models, usage, sum(exchange.error is not None for exchange in own)))
    return found
