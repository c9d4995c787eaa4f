"""Months of a year and bounds get the form of most cells; what may mean something else stays."""

import pytest

from tests.propose.builtin_help import settled

MONTHS = [f"{year}-{month:02}" for year in (2021, 2022, 2023) for month in range(1, 13)]
NAMED = [f"{name} {year}" for year in (2021, 2022) for name in ("Jan", "Feb", "Mar", "Apr", "Jun", "Oct")]


@pytest.mark.parametrize(
    ("usual", "odd", "right"),
    [
        (MONTHS, "Feb 2022", "2022-02"),
        (MONTHS, "12/2021", "2021-12"),
        (MONTHS, "2021.3", "2021-03"),
        (MONTHS, "201911", "2019-11"),
        (MONTHS, "September, 2020", "2020-09"),
        (NAMED, "2022-05", "May 2022"),
        (NAMED, "Sept. 2021", "Sep 2021"),
    ],
)
def test_months_get_the_usual_form(usual: list[str], odd: str, right: str) -> None:
    """The month and the year stay."""
    assert settled([*usual, odd])[-1] == right


@pytest.mark.parametrize("odd", ["Jan-20", "13/2021", "1/2", "2021", "Q1 2021", "summer 2021"])
def test_what_is_no_clear_month_stays(odd: str) -> None:
    """Jan-20 may be a day, and a season is no month."""
    assert settled([*MONTHS, odd])[-1] == odd


def test_six_figures_alone_are_no_months() -> None:
    """Numbers of articles look like 202103."""
    cells = [f"20210{n}" for n in range(1, 10)] * 3
    assert settled([*cells, "2021-03"])[-1] == "2021-03"


@pytest.mark.parametrize(
    ("usual", "odd", "right"),
    [
        ([">5", "<0.5", "7", ">200"], "> 20", ">20"),
        (["< 5", "> 10", "7"], "<3", "< 3"),
        ([">5", "<1", "7"], "=> 3", "=> 3"),
    ],
)
def test_bounds_get_the_usual_form(usual: list[str], odd: str, right: str) -> None:
    """The sign and the number stay as they are."""
    assert settled([*usual * 8, odd])[-1] == right


def test_what_a_column_counts_goes_where_its_name_says_so() -> None:
    """Nights among nights; another word stays."""
    cells = [str(number) for number in range(1, 15)] * 4
    assert settled([*cells, "3 nights", "1 night"], "nights")[-2:] == ["3", "1"]
    assert settled([*cells, "3 weeks"], "nights")[-1] == "3 weeks"
    assert settled([*cells, "3 nights"], "stay")[-1] == "3 nights"
