"""The budget: by role, in calls, tokens, money and wall time; a price is whole or unknown."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator import bootstrap
from orchestrator.core.errors import BudgetExceeded
from orchestrator.core.exchanges import Exchange, ModelRole, TokenUsage, usage_by_role
from orchestrator.core.policy import Policy
from orchestrator.model_choice import ModelChoice
from orchestrator.propose import wiring
from orchestrator.propose.llm.budget import Budget, BudgetLimits

ROLES: list[ModelRole] = ["proposer", "explorer", "tester", "planner"]
USAGES = st.builds(
    TokenUsage,
    calls=st.integers(0, 3),
    prompt_tokens=st.integers(0, 100),
    completion_tokens=st.integers(0, 100),
    cost_usd=st.none() | st.sampled_from([0.0, 0.25, 1.5]),
)


def paid(cost: float | None) -> TokenUsage:
    return TokenUsage(calls=1, prompt_tokens=10, completion_tokens=5, cost_usd=cost)


def test_an_unknown_price_is_unknown_in_every_sum() -> None:
    """A sum never shows the known part of a price as if it were the whole; no call at all changes nothing."""
    assert (paid(0.5) + paid(0.25)).cost_usd == 0.75
    assert (paid(0.5) + paid(None)).cost_usd is None
    assert (paid(None) + paid(0.5)).cost_usd is None
    assert (TokenUsage() + paid(0.5)).cost_usd == 0.5
    assert (TokenUsage() + TokenUsage()).cost_usd is None


@given(st.lists(USAGES, max_size=5))
def test_the_order_of_adding_does_not_matter(usages: list[TokenUsage]) -> None:
    """Sums from either end are equal."""
    assert sum(usages, TokenUsage()) == sum(reversed(usages), TokenUsage())


def test_the_limits_hold_for_all_calls_together() -> None:
    """Whichever role asked; the steps say what each has cost."""
    budget = Budget(BudgetLimits(max_calls=4))
    for _ in range(4):
        budget.start_call()
        budget.add(paid(0.25))
    assert budget.used == TokenUsage(calls=4, prompt_tokens=40, completion_tokens=20, cost_usd=1.0)
    with pytest.raises(BudgetExceeded, match="All 4 model calls"):
        budget.start_call()


def test_time_ends_the_calls() -> None:
    """Wall time counts from the start, whatever it was spent on."""
    now = [100.0]
    budget = Budget(BudgetLimits(max_seconds=30), clock=lambda: now[0])
    budget.start_call()
    now[0] = 129.9
    budget.start_call()
    now[0] = 130.0
    with pytest.raises(BudgetExceeded, match="30 s of the budget have passed"):
        budget.start_call()


@pytest.mark.parametrize(
    "limits", [BudgetLimits(max_calls=1), BudgetLimits(max_tokens=15), BudgetLimits(max_cost_usd=0.5)]
)
def test_a_resumed_run_goes_on_counting(limits: BudgetLimits) -> None:
    """What was spent before the interruption is spent."""
    with pytest.raises(BudgetExceeded):
        Budget(limits, paid(0.5)).start_call()


def test_a_resumed_run_names_the_limit_that_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 100 s, 60 had passed before: the message named the other 40, or 0, as the limit."""
    budgets: list[Budget] = []

    def side(_roles: object, _access: object, budget: Budget, **_: object) -> Any:
        budgets.append(budget)
        return SimpleNamespace(name="openai/x")

    monkeypatch.setattr(wiring, "model_side", side)
    opening = SimpleNamespace(data_sha256="", gate_secret="")
    past: Any = SimpleNamespace(
        seconds=60.0, policy=Policy(), used=TokenUsage(), opening=opening, check_proposer=lambda _: None
    )
    services: Any = None
    for limit in (100.0, 59.0):
        choice = ModelChoice(model="openai/x", budget=BudgetLimits(max_seconds=limit))
        bootstrap.proposer_again(past, choice, services)
    enough, too_little = budgets
    enough.start_call()
    with pytest.raises(BudgetExceeded, match=r"The 59 s of the budget have passed\."):
        too_little.start_call()


def test_exchanges_add_up_by_role() -> None:
    """The journal's exchanges give the same account as the budget."""
    exchanges = [Exchange(role=role, model="m", about="x", usage=paid(0.5)) for role in (*ROLES, "tester")]
    found = usage_by_role(exchanges)
    assert found["tester"].calls == 2
    assert found["proposer"].cost_usd == 0.5
    assert sum(found.values(), TokenUsage()).calls == 5
