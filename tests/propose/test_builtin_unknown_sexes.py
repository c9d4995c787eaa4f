"""The sexes beside a third word of which many cells are."""

from typing import Any

import pytest

from tests.propose.builtin_help import settled


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        (["M", "F", "U"], {"Male": "M", "Female": "F", "Unknown": "U"}),
        (["Male", "Female", "Unknown"], {"m": "Male", "F": "Female", "U": "Unknown"}),
        (["M", "F", "U"], {"Male": "M", "Female": "F"}),
    ],
)
def test_a_third_of_unknown_sexes_turns_the_rule_off_no_more(usual: list[str], odd: dict[str, str]) -> None:
    """They are named by their letters or in full as the sexes are."""
    assert settled([*usual * 30, *odd], "sex") == [*usual * 30, *odd.values()]


@pytest.mark.parametrize(
    "cells",
    [
        ["M", "F", "U"] * 30,  # one vocabulary only
        ["M", "F", "Unknown"] * 30,  # nobody writes it with a letter
        ["M", "L", "S", "U"] * 30 + ["Unknown"],  # sizes
        ["U", "R", "M"] * 30 + ["Unknown", "Male"],  # urban, rural, mixed
        ["H", "M", "U"] * 30 + ["Hombre", "Mujer", "Male"],
    ],
)
def test_letters_that_need_not_be_sexes_stay(cells: list[Any]) -> None:
    """Without both sexes, or with words of which a letter says the opposite, `U` says nothing."""
    assert settled(cells, "kind") == cells
