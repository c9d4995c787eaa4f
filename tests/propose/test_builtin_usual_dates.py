"""Which form dates get: that of most cells, also as to zeros and names of months."""

from datetime import date

import pytest

from orchestrator.data.writing.month_names import FOREIGN_MONTHS
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.value_kinds.moments import moments
from tests.propose.builtin_help import column, settle, settled


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


@pytest.mark.parametrize(
    ("odd", "mended"),
    [
        ("13 grudnia 2022", "13.12.2022"),
        ("The 6th of marzo, year 2022", "06.03.2022"),
        ("3 października 2022 r.", "03.10.2022"),
        ("08.09.2022 r.", "08.09.2022"),
        ("12 Mayıs 2022", "12.05.2022"),
        ("5. května 2022", "05.05.2022"),
        ("5 марта 2022 г.", "05.03.2022"),
        ("19 Αυγούστου 2022", "19.08.2022"),
        ("5 Μαΐου 2022", "05.05.2022"),
        ("19 fev 2022", "19.02.2022"),
        ("1er novembre 2022", "01.11.2022"),
        ("1º maggio 2022", "01.05.2022"),
        ("1° de maio de 2022", "01.05.2022"),
        ("2022. január 5.", "05.01.2022"),
        ("2022년 2월 13일", "13.02.2022"),
        ("2022. 07. 04.", "04.07.2022"),
    ],
)
def test_dates_of_other_languages_are_read_and_believed(odd: str, mended: str) -> None:
    """A month by its name in the case of a date, the word for the year behind it, Korean and Hungarian dates."""
    usual = [f"{day:02}.{month:02}.2022" for day in range(1, 25) for month in (3, 7, 12)]
    assert settled([*usual, odd], "paid") == [*usual, mended]
    assert suspicions([*((cell, cell) for cell in usual), (odd, mended)]) == []


@pytest.mark.parametrize("odd", ["13 lipsticks 2022", "32 grudnia 2022", "5 marzipan 2022"])
def test_what_is_no_date_of_another_language_stays(odd: str) -> None:
    """Words that begin like a month, and days that it does not have."""
    usual = [f"{day:02}.{month:02}.2022" for day in range(1, 25) for month in (3, 7, 12)]
    assert settled([*usual, "5. května 2022", odd], "paid")[-1] == odd


def test_months_of_the_language_that_the_sample_lacks_are_read_as_well() -> None:
    """A function made of rows with `Mai` reads `Juli`, too, which the rest of the file may have."""
    usual = [f"{day:02}.{month:02}.2022" for day in range(1, 25) for month in (3, 7, 12)]
    emitted = settle(column([*usual, "8. Mai 2023", "9. März 2023"], "paid"))[1]
    assert list(emitted[0].clean(column([*usual, "22. Juli 2022"], "paid"))["paid"])[-1] == "22.07.2022"


def test_dates_with_blanks_behind_their_points_are_read_and_written() -> None:
    """As Czech and Slovak typography wants them, and believed."""
    usual = [f"{day}. {month}. 1875" for day in range(1, 28) for month in range(1, 13)]
    odd = ["23. listopadu 1894", "3.6.1919", "1875-10-09", "03.06.1919"]
    mended = ["23. 11. 1894", "3. 6. 1919", "9. 10. 1875", "3. 6. 1919"]
    assert settled([*usual, *odd], "narozen") == [*usual, *mended]
    assert suspicions([*((cell, cell) for cell in usual), *zip(odd, mended, strict=True)]) == []
    plain = [f"{day:02}.{month:02}.1875" for day in range(1, 28) for month in range(1, 13)]
    assert settled([*plain, "3. 6. 1919"], "narozen")[-1] == "03.06.1919"


@pytest.mark.parametrize("name", FOREIGN_MONTHS)
def test_the_gate_reads_each_month_as_the_rule_does(name: str) -> None:
    """Also those that begin as another month of English."""
    assert {found[1] for found in moments(f"5 {name} 2022") if found[0] == "date"} == {
        date(2022, int(FOREIGN_MONTHS[name]), 5)
    }


def test_a_date_with_the_day_of_its_month_needs_no_order() -> None:
    """04/04/2024 is the same in both orders; what stands beside it stays, and needs an order."""
    usual = [f"2024-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29, 3)]
    assert settled([*usual, "04/04/2024", "7/7/2024", "03/04/2024"], "due") == [
        *usual, "2024-04-04", "2024-07-07", "03/04/2024",
    ]  # fmt: skip
    american = [f"{month:02}/{day:02}/2024" for month in range(1, 13) for day in range(1, 29, 3)]
    assert settled([*american, "04/04/2024", "2024-07-07"], "due") == [*american, "04/04/2024", "07/07/2024"]
