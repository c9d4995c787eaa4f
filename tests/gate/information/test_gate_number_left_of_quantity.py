"""A number that is left of a quantity is shown by witnesses of its own kind alone."""

from typing import Any

import pytest

from orchestrator.gate.information.suspicions import suspicions

METRES = ("400 m", 400)
HALF = ("1/2", "0.5")


@pytest.mark.parametrize(
    ("change", "shown", "found"),
    [
        (("400 ft", 400), [METRES], True),
        (("400 ft", 400), [METRES, ("300 ft", 300)], False),
        (("400 metres", 400), [METRES], False),
        (("120 m", 120), [METRES], False),
        (("1 1/2", "0.5"), [HALF], True),
        (("1 1/2", "1.5"), [HALF], False),
        (("1 1/2", "0.5"), [HALF, ("2 1/4", "0.25")], False),
    ],
)
def test_another_unit_and_a_whole_number_are_not_shown(change: Any, shown: Any, *, found: bool) -> None:
    """Feet beside metres, and one and a half beside a half."""
    kinds = {one.kind for one in suspicions([*shown, change], shown)}
    assert bool({"quantity-changed", "number-changed"} & kinds) is found
