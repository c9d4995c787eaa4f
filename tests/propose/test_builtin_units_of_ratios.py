"""Units with figures or a stroke behind numbers: litres for a hundred kilometres, grams per mole."""

from typing import Any

import pytest

from tests.propose.builtin_help import settled

LITRES = [f"{number / 10:.1f}" for number in range(35, 115)]


@pytest.mark.parametrize("unit", [" l/100km", " L/100 km", "l/100km"])
def test_litres_for_a_hundred_kilometres_go_among_numbers(unit: str) -> None:
    """Whatever the column is called."""
    assert settled([*LITRES, f"8.1{unit}", f"6.4{unit}"], "consumption") == [*LITRES, "8.1", "6.4"]


def test_grams_per_mole_go_among_numbers() -> None:
    """The weight of a molecule has hardly another unit."""
    weights = [f"{number}.{number % 90 + 10}" for number in range(40, 120)]
    assert settled([*weights, "81.35 g/mol", "60.05 g/mol"], "mw") == [*weights, "81.35", "60.05"]


@pytest.mark.parametrize("odd", [["25 mpg"], ["0.3 g/kg"], ["8.1 l/100kg"], ["8 l/h"], ["8/100"]])
def test_other_ratios_stay(odd: list[Any]) -> None:
    """Among numbers whose unit nobody says they may be something else."""
    assert settled([*LITRES, *odd], "consumption") == [*LITRES, *odd]


def test_a_unit_that_most_have_is_kept() -> None:
    """It is written as most write it."""
    cells = [f"{number} l/100km" for number in LITRES]
    assert settled([*cells, "8.1l/100km", "6.4 L/100 km"], "consumption") == [*cells, "8.1 l/100km", "6.4 l/100km"]
