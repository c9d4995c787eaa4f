"""Which form dates get: that of most cells, also as to zeros and names of months."""

import pytest

from tests.propose.builtin_help import settled


def test_a_few_full_names_of_months_do_not_change_all_short_ones() -> None:
    """Of `Oct 02, 2024` and a few `October 2, 2024` the few are rewritten."""
    usual = [f"{month} {day:02}, 2024" for month in ("Jan", "Mar", "Oct", "May") for day in range(1, 16)]
    assert settled([*usual, "October 25, 2024", "2024-03-05"], "booked") == [*usual, "Oct 25, 2024", "Mar 05, 2024"]


def test_a_few_short_names_of_months_do_not_change_all_full_ones() -> None:
    """Of `October 02, 2024` and a few `Oct 02, 2024` the few are rewritten."""
    usual = [f"{month} {day:02}, 2024" for month in ("January", "March", "October", "May") for day in range(1, 16)]
    assert settled([*usual, "Oct 25, 2024", "2024-03-05"], "booked") == [*usual, "October 25, 2024", "March 05, 2024"]


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        ("{day}/{month}/2023", ["02/05/2023", "17-8-2023", "2023-11-04"], ["2/5/2023", "17/8/2023", "4/11/2023"]),
        ("{day:02}/{month:02}/2023", ["2/5/2023", "17-8-2023"], ["02/05/2023", "17/08/2023"]),
    ],
)
def test_dates_are_padded_as_most_are(usual: str, odd: list[str], mended: list[str]) -> None:
    """A few dates with zeros give no zeros to all others, nor take a few dates without the zeros from these."""
    dates = [usual.format(day=day, month=month) for day in range(1, 25) for month in (3, 7, 12)]
    hyphens = [f"{day}-11-2023" for day in (21, 22, 23)]
    result = settled([*dates, *hyphens, *odd], "paid")
    assert result[: len(dates)] == dates
    assert result[len(dates) + len(hyphens) :] == mended
