"""Thousands in short, beside cells that are neither short nor whole numbers."""

from typing import Any

import pytest

from tests.propose.builtin_help import settled

AMOUNTS = [str(1000 * number) for number in range(40, 140)]


@pytest.mark.parametrize("others", [["DOE"] * 4 + ["$27.40/hr", "$40.00/hr"], ["negotiable"] * 9])
def test_a_few_other_cells_keep_no_thousands_in_short(others: list[Any]) -> None:
    """Two groups of them together did: amounts on request, and wages by the hour, which stay."""
    cells = [*AMOUNTS, "$109K", "$72K", "$66K", *others]
    assert settled(cells, "salary_max") == [*AMOUNTS, "109000", "72000", "66000", *others]


def test_beside_many_other_cells_they_stay() -> None:
    """Then nobody knows what the column holds."""
    cells = [*AMOUNTS, "$109K", "$72K", "$66K", *["DOE"] * 30]
    assert settled(cells, "salary_max") == cells


def test_seats_beside_numbers_stay() -> None:
    """`12K` is a seat, also beside words."""
    cells = [*map(str, range(100, 200)), "12K", "14K", "31K", "none left", "closed"]
    assert settled(cells, "place") == cells
