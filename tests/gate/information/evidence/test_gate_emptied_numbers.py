"""Numbers that become empty, and empty cells that become numbers: outliers are values, and zero is made up."""

from collections.abc import Callable
from typing import Any

import pytest

from orchestrator.gate.information.emptied import emptied_like_others
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.row_evidence.filled import made_up

STAY = [float(number) for number in range(1, 46)]


@pytest.mark.parametrize("written", [float, str])
def test_numbers_beside_those_that_stay_are_missed(written: Callable[[float], object]) -> None:
    """Whether they are numbers or their texts; `detect` has no say in it."""
    stay = [written(number) for number in STAY]
    gone = [written(number) for number in (46.0, 47.0, 48.0)]
    assert emptied_like_others([*stay, *gone], [*stay, None, None, None]) == [45, 46, 47]


@pytest.mark.parametrize(
    "gone",
    [
        [150.0, 200.0, 130.0],
        [-5.0, -1.0, -3.0],
        [999.0, 999.0, 999.0],
        [46.0, 46.0, 46.0],
        [46.0, 47.0],
    ],
)
def test_numbers_that_may_stand_for_nothing_are_not(gone: list[float]) -> None:
    """Far off, of another sign, one number again and again, two."""
    assert emptied_like_others([*STAY, *gone], [*STAY, *[None] * len(gone)]) == []


def test_a_zero_is_not_said_by_the_zeros_of_other_numbers() -> None:
    """0.0 where the row has 6.0; a whole number of the row is said by it."""
    cells = [(12.0, 12.0), (15.5, 15.5), (8.0, 8.0), (9.0, 9.0), (None, 0.0), (None, 6.0)]
    prices = [3.0, 4.0, 5.0, 6.0, 6.0, 6.0]
    assert made_up(cells, [4, 5], [prices]) == [4]


def test_a_number_beyond_every_float_is_a_number() -> None:
    """It stays, or goes, among others, as JSON may have it."""
    huge = 10**400
    assert emptied_like_others([huge, *STAY, 46.0], [huge, *STAY, None]) == []
    assert emptied_like_others([huge, *STAY], [None, *STAY]) == []
    assert emptied_like_others([huge, *STAY, 150.0, 200.0, 130.0], [huge, *STAY, None, None, None]) == []


def test_lists_and_objects_are_emptied_as_texts_are() -> None:
    """One with anything in it is a value; an empty one holds nothing, and is none where it becomes null."""
    cells: list[Any] = [["a"], [], {}, {"x": 1}, "text", None, ["b"], 5]
    assert emptied_like_others(cells, [None] * 8)[:3] == [0, 3, 6]
    assert emptied_like_others(cells, [["a"], None, None, {"x": 1}, *cells[4:]]) == []
    assert emptied_like_others(cells, cells) == []
    assert [holds_something(one) for one in cells] == [True, False, False, True, True, False, True, True]
