"""Parts of dates that a witness shows: other dates become the same part of theirs."""

import datetime as dt

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

DAYS = [dt.date(2024, 1, 1) + dt.timedelta(days=37 * n) for n in range(30)] + [
    *(dt.date(2024, 2, 29), dt.date(2024, 12, 30), dt.date(2023, 1, 1), dt.date(2021, 1, 3), dt.date(2020, 12, 31)),
]
WITNESS = dt.date(2024, 5, 6)
ENDS = {4: 30, 6: 30, 9: 30, 11: 30}


def end(day: dt.date) -> int:
    return 29 if day.month == 2 and day.year % 4 == 0 else 28 if day.month == 2 else ENDS.get(day.month, 31)


def cells(form: object, days: list[dt.date]) -> list[Change]:
    return [(day.isoformat(), form(day)) for day in days]  # type: ignore[operator]


RIGHT = {
    "quarter": lambda day: f"Q{(day.month - 1) // 3 + 1} {day.year}",
    "fiscal quarter": lambda day: f"FQ{(day.month - 10) % 12 // 3 + 1}",
    "fiscal year": lambda day: f"FY{day.year + (day.month >= 10)}",
    "week": lambda day: "{}-W{:02}".format(*day.isocalendar()[:2]),
    "week of the year": lambda day: f"{day.year}/{int(day.strftime('%W'))}",
    "weekday": lambda day: day.strftime("%A"),
    "weekday in short": lambda day: day.strftime("%a"),
    "weekday as a number": lambda day: str(day.isoweekday()),
    "month": lambda day: day.strftime("%B"),
    "month and year": lambda day: day.strftime("%B %Y"),
    "half": lambda day: f"H{1 if day.month < 7 else 2}",
    "first of the month": lambda day: f"{day:%Y-%m}-01",
    "last of the month": lambda day: f"{day:%Y-%m}-{end(day)}",
    "day of the year": lambda day: f"{day:%Y}-{day:%j}",
    "year": lambda day: str(day.year),
}
WRONG = {
    "quarter": lambda day: f"Q{(day.month - 1) // 4 + 1} {day.year}",
    "week": lambda day: f"{day.year}-W{day.isocalendar().week:02}",
    "weekday": lambda day: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][(day.day + 1) % 7],
    "weekday as a number": lambda day: str(1 if day.weekday() in (0, 6) else day.isoweekday()),
    "month": lambda day: day.strftime("%B") if day.month != 2 else "March",
    "half": lambda day: f"H{1 if day.month < 6 else 2}",
    "last of the month": lambda day: f"{day:%Y-%m}-{28 if day.month == 2 else end(day)}",
    "no such day": lambda day: f"{day:%Y-%m}-31",
}


@pytest.mark.parametrize("part", RIGHT)
def test_the_part_that_a_witness_shows_is_believed(part: str) -> None:
    """Of all dates, leap days and the turn of the year among them."""
    assert suspicions(cells(RIGHT[part], DAYS), cells(RIGHT[part], [WITNESS, dt.date(2022, 11, 22)])) == []
    assert suspicions(cells(RIGHT[part], DAYS), cells(RIGHT[part], [WITNESS])) == []


@pytest.mark.parametrize("part", WRONG)
def test_another_part_of_other_dates_is_suspected(part: str) -> None:
    """Though the witness is right."""
    assert suspicions(cells(WRONG[part], DAYS), cells(WRONG[part], [WITNESS])) != []


def test_what_is_no_part_of_the_calendar_is_left_to_the_witness() -> None:
    """An age, or a price."""
    ages = [("1980-05-01", "44"), ("1990-11-30", "34"), ("2000-12-31", "24")]
    assert suspicions(ages, witnesses=[("1980-05-02", "44")]) == []


def test_a_day_that_no_month_has_is_suspected() -> None:
    """Also without a witness; the last days of other months are believed."""
    assert "value-misread" in {one.kind for one in suspicions([("2024-04-03", "2024-04-31")])}
    assert suspicions([("03.05.2024", "2024-05-03"), ("29.02.2024", "2024-02-29")]) == []


def test_dates_that_are_read_otherwise_are_left_to_the_witness() -> None:
    """Two figures of a year, counts of days, dates that are moved by a span."""
    assert suspicions([("4/28/38", "1938-04-28"), ("5/30/41", "1941-05-30")], [("6/21/37", "1937-06-21")]) == []
    moved = [("2021-10-23", "2025-10-24"), ("1992-06-15", "1996-06-16")]
    assert suspicions(moved, witnesses=[("2020-01-02", "2024-01-03"), ("2019-03-05", "2023-03-06")]) == []
