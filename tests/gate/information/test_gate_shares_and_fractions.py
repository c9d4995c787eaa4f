"""Fractions with a unit and numbers of so many: the right number is the same, another one needs its own witness."""

from typing import Any

import pytest

from orchestrator.gate.information.suspicions import suspicions

SPOON, TEST = ("1/4 tsp", "0.25 tsp"), ("15/20", "75")
TEN = [("6/10", "6"), ("66%", "6.6")]


@pytest.mark.parametrize(
    ("change", "shown", "found"),
    [
        (("3/4 cup", "3.4 cup"), [SPOON, ("1/2 cup", "0.5 cup")], True),
        (("1 1/2 cups", "0.5 cups"), [SPOON], True),
        (("\u00be cup", "0.34 cup"), [("\u00bd cup", "0.5 cup")], True),
        (("1\u00bd hours", "60"), [("2 hrs", "120")], True),
        (("3/4 cup", "0.75 cup"), [], False),
        (("1 \u00bd cups", "1.5 cups"), [SPOON], False),
        (("1/3 cup", "0.33 cup"), [SPOON], False),
        (("1\u00bd hours", "90"), [("2 hrs", "120")], False),
        (("6.5/10", "6"), TEN, True),
        (("35 of 100", "175"), [TEST], True),
        (("8,5/20", "425"), [("86 of 100", "86"), ("17/20", "85")], True),
        (("49%", "49"), TEN, True),
        (("6.5/10", "6.5"), TEN, False),
        (("35 of 100", "35"), [TEST], False),
        (("2/3", "67"), [TEST], False),
        (("130/85", "130"), [("120/80", "120")], False),
    ],
)
def test_a_fraction_is_the_number_that_it_says(change: Any, shown: Any, *, found: bool) -> None:
    """Three quarters of a cup beside halves, and marks out of twenty beside marks out of a hundred."""
    assert any(one.at == len(shown) for one in suspicions([*shown, change], shown)) is found
