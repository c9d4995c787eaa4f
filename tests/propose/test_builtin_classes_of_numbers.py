"""Classes of numbers, some of them open at one end."""

from typing import Any

import pytest

from tests.propose.builtin_help import settled

YEARS = ["<1", "1-3", "4-6", "7-10", "10+"] * 15


def test_classes_are_joined_as_most_are_beside_open_ones() -> None:
    """Less than two thirds of the cells join two numbers."""
    assert settled([*YEARS, "4 to 6", "1 to 3", "7\u201310"], "years") == [*YEARS, "4-6", "1-3", "7-10"]
    few = ["5+", "0-1", "2-4"] * 20
    assert settled([*few, "0 to 1", "2 to 4"], "experience") == [*few, "0-1", "2-4"]


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        (YEARS, ["2 to 9"]),  # no class of the column
        (["<1", "5", "7", "10+", "1-3"] * 15, ["1 to 3"]),  # hardly any is joined
        (["1-3", "red", "blue", "4-6"] * 15, ["1 to 3"]),  # words
        (YEARS, ["4:6", "1/3"]),  # other signs
    ],
)
def test_other_texts_stay(usual: list[Any], odd: list[str]) -> None:
    """What is no frequent class, and columns of other things."""
    assert settled([*usual, *odd], "years") == [*usual, *odd]
