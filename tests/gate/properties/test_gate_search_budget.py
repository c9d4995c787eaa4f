"""A search for a smaller counterexample ends, and a busy machine does not end it before its work is done."""

import pytest

from orchestrator.core.jobs import ChildResult, Ended, Limits
from orchestrator.gate.properties import search_budget
from orchestrator.gate.properties.search_budget import PATIENCE, SearchBudget


class Clock:
    """A clock that stands still until it is moved."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(search_budget, "time", made)
    return made


def used(cpu_s: float) -> list[ChildResult]:
    return [ChildResult(Ended.OK, cpu_s=cpu_s)]


def test_processor_time_ends_the_search(clock: Clock) -> None:
    """What the attempts used counts, and nothing else; no attempt gets more than what is left."""
    budget = SearchBudget(10.0)
    budget.charge(used(9.0))
    assert not budget.used_up
    assert budget.within(Limits()).cpu_s == 1.0
    budget.charge(used(1.0))
    assert budget.used_up


def test_a_busy_machine_does_not_end_the_search(clock: Clock) -> None:
    """Attempts that took four times as long as they computed leave most of the budget."""
    budget = SearchBudget(10.0)
    for _ in range(9):
        clock.now += 4.0
        budget.charge(used(1.0))
    assert not budget.used_up


def test_attempts_that_sleep_end_too(clock: Clock) -> None:
    """The wall clock is the last resort, and bounds the attempt that is under way."""
    budget = SearchBudget(10.0)
    clock.now += PATIENCE * 10.0 - 2.0
    assert not budget.used_up
    assert budget.within(Limits(wall_s=30.0)).wall_s == 2.0
    clock.now += 2.0
    assert budget.used_up


def test_no_budget_allows_no_attempt(clock: Clock) -> None:
    """With `shrink_s: 0` the counterexample stays as it was found."""
    assert SearchBudget(0.0).used_up
