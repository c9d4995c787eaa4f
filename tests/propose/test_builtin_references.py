"""Columns of references: DOIs and pages."""

from typing import Any

import pytest

from tests.propose.builtin_help import settled

DOIS = [f"10.{1000 + number}/j.{number}.AbC" for number in range(60)]
PAGES = [f"{number}-{number + 12}" for number in range(100, 160)]


def test_dois_are_written_alone_as_most_are() -> None:
    """Without the address and without the label; its letters stay."""
    odd = ["https://doi.org/10.8276/j.390091.AbC", "http://dx.doi.org/10.7038/x(9)", "doi:10.3704/j.533966.AbC"]
    right = ["10.8276/j.390091.AbC", "10.7038/x(9)", "10.3704/j.533966.AbC"]
    assert settled([*DOIS, *odd], "doi") == [*DOIS, *right]


def test_other_addresses_and_columns_of_addresses_stay() -> None:
    """Another host is another thing, and where most are addresses they are the form."""
    odd = ["https://example.org/10.8276/j.390091", "doi pending", "doi:10.12"]
    assert settled([*DOIS, *odd], "doi") == [*DOIS, *odd]
    addresses = [f"https://doi.org/{doi}" for doi in DOIS]
    assert settled([*addresses, *DOIS[:5]], "doi") == [*addresses, *DOIS[:5]]


def test_pages_are_joined_by_a_hyphen_beside_single_ones_too() -> None:
    """By a dash or two hyphens in a few cells."""
    odd = ["533\u2013545", "332--344", "S186\u2013S190", "1024\u201341"]
    singles = ["e755", "S12", "e140", "17"] * 6
    right = ["533-545", "332-344", "S186-S190", "1024-41"]
    assert settled([*PAGES, *singles, *odd], "pages") == [*PAGES, *singles, *right]


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        ([cell.replace("-", "\u2013") for cell in PAGES], ["17--19", "21"] * 12),  # dashes are usual
        ([*PAGES, *["e755", "S12", "x9", "17"] * 6], ["12 \u2013 17 missing", "545\u2013533", "5\u2013"]),  # no ranges
        (PAGES, ["98--100"]),  # a single one
        ([str(number) for number in range(60)], ["17\u201319", "21--40", "e5"]),  # hardly any hyphen
    ],
)
def test_other_signs_stay(usual: list[Any], odd: list[str]) -> None:
    """Where hyphens are not usual, and where no range is."""
    assert settled([*usual, *odd], "code") == [*usual, *odd]
