"""Dates with a year of two digits beside others, and columns in which a few odd cells say nothing of the rest."""

from calendar import month_name
from datetime import date, timedelta

import pytest

from tests.propose.builtin_help import settled


def days(first: int, last: int) -> list[date]:
    """Every thirteenth day of these years."""
    number = (date(last, 12, 31) - date(first, 1, 1)).days
    return [date(first, 1, 1) + timedelta(days=day) for day in range(0, number, 13)]


def by_name(day: date) -> str:
    return f"{day:%d-%b-%y}"


def month_first(day: date) -> str:
    return f"{day.month}/{day.day}/{day:%y}"


def day_first(day: date) -> str:
    return f"{day:%d/%m/%y}"


@pytest.mark.parametrize(
    "stand_in", ["1900-01-01", "1899-12-30", "1800-01-01", "2099-12-31", "9999-12-31", "0001-01-01"]
)
def test_a_date_that_stands_for_none_says_nothing_of_the_time_of_the_others(stand_in: str) -> None:
    """One or several of them, among dates of three years."""
    iso = [str(day) for day in days(2018, 2020)]
    few = days(2018, 2020)[5:12]
    made = settled([*iso, *map(by_name, few), *[stand_in] * 3])
    assert made == [*iso, *map(str, few), *[stand_in] * 3]


@pytest.mark.parametrize("written", [month_first, day_first])
@pytest.mark.parametrize(("first", "last"), [(1995, 2014), (2001, 2012), (2018, 2021)])
def test_days_above_twelve_tell_the_order_of_years_of_two_digits_too(written: object, first: int, last: int) -> None:
    """Where the year is of the time of the other dates, and no other order makes dates of that time of all."""
    assert callable(written)
    iso = [str(day) for day in days(first, last)]
    few = days(first, last)[3:40:2]
    assert settled([*iso, *map(written, few)]) == [*iso, *map(str, few)]


@pytest.mark.parametrize(
    "odd",
    [
        ["03/04/05", "05/06/07", "11/12/10"],  # any order
        ["13/05/11", "14/05/11", "15/06/12"],  # 13 May 2011 or 11 May 2013
        ["3/15/11", "4/16/12"],  # two are too few
        ["3/15/11", "4/16/12", "5/17/10", "17/5/10"],  # both orders
        ["3/15/11", "4/16/12", "5/17/10", "5/17/55"],  # of no time that the others tell
        ["15/16/17", "31/32/33", "40/41/42"],
    ],
)
def test_years_of_two_digits_stay_where_nothing_tells_what_comes_first(odd: list[str]) -> None:
    """All of them do, also the clear ones: a column in two orders cannot be read."""
    cells = [*(str(day) for day in days(1995, 2014)), *odd]
    assert settled(cells) == cells


def test_dates_far_from_the_others_keep_years_of_two_digits_as_they_are() -> None:
    """Persons born in 1903 and in 2003: only a date that no program writes for none counts."""
    iso = [str(day) for day in days(1990, 2005)]
    for old in (["1903-04-05", "1912-01-09"], ["1899-12-29"], ["1900-01-02"]):
        cells = [*iso, *old, "12-Mar-03", "14-May-02", "02-Jun-01"]
        assert settled(cells) == cells


def test_a_date_that_stands_for_none_may_have_a_year_of_two_digits() -> None:
    """01-Jan-00 is no day of 2000 where 1900-01-01 stands for no date."""
    cells = [*(str(day) for day in days(1995, 2014)), *["1900-01-01"] * 2, "01-Jan-00", "12-Mar-03", "14-May-02"]
    assert settled(cells) == cells


NAMES = list(month_name)[1:]


def test_a_few_slips_leave_months_to_be_written_as_most_are() -> None:
    """They stay themselves, or are the next rule's."""
    made = settled([*NAMES * 20, *(name[:3] for name in NAMES), "Setp", "Ocotber", "Ferbuary", "Janury", "My"])
    assert made[:-5] == [*NAMES * 20, *NAMES]
    assert made[-5:] == ["Setp", "October", "February", "January", "My"]


@pytest.mark.parametrize(
    "others",
    [
        ["Easter", "Ramadan"],  # other words
        ["May", "June", "Julia", "Dawn"],
        ["Maggio", "Luglio"],  # of another language
        ["Jam", "Fed", "Max"] * 10,  # too many
        ["Total"],
        ["arch", "pril"],  # what begins otherwise
    ],
)
def test_months_among_other_words_stay(others: list[str]) -> None:
    """Months that are written in two ways may be meant so where the column holds other things, too."""
    cells = [*NAMES * 10, "Jan", "Feb", "Nov", *others]
    assert settled(cells) == cells
