"""A run that is finished for functions that were held, of which none waits, says what became of them."""

import pytest

from orchestrator.core.steps import HeldEntryStep
from orchestrator.run.loop.run_summary import PROMOTED, no_longer_held


@pytest.mark.parametrize(
    ("reasons", "told"),
    [
        (
            ["effective: the issue does not occur in the sample"],
            "leave no row for it.",
        ),
        (
            ["idempotent: a second pass changes rows"],
            "decide: idempotent: a second pass changes rows.",
        ),
        ([PROMOTED], ""),
        ([""], ""),  # it waits
        (["a function of the same name was held after it", ""], ""),  # the later one waits
    ],
)
def test_functions_that_are_not_held_any_more_are_told(reasons: list[str], told: str) -> None:
    """The summary said "finished" and not why, and `cleanroom review` had nothing to decide."""
    steps = [HeldEntryStep.model_construct(name="mend", entered=not one, reason=one) for one in reasons]
    said = no_longer_held(steps)
    assert len(said) == bool(told)
    assert all(one.startswith("mend was held") and one.endswith(told) for one in said)
