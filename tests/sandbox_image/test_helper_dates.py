"""`cleanroom_dates_v1` reads dates by declared orders, and leaves alone what is in doubt."""

import csv
from datetime import date

import pytest
from cleanroom_dates_v1 import parse_date
from hypothesis import given
from hypothesis import strategies as st

from tests.support.shared_data import DATA, needs_shared_data

ORDERS = st.sampled_from(["DMY", "MDY", "YMD", "DMY YMD", "DMY MDY YMD", "", "XYZ"])
ALL = "DMY MDY YMD"
PIVOTS = st.none() | st.integers(-5, 120)


@pytest.mark.parametrize(
    ("text", "orders", "iso"),
    [
        ("08/22/2017", "MDY", "2017-08-22"),
        ("3.4.2024", "DMY", "2024-04-03"),
        ("12. 5. 2024", "DMY", "2024-05-12"),
        ("2024/5/6", "DMY", "2024-05-06"),
        ("20240506", "YMD", "2024-05-06"),
        ("01022024", "DMY", "2024-02-01"),
        ("5. Mai 2024", "DMY", "2024-05-05"),
        ("May 5th, 2024", "MDY", "2024-05-05"),
        ("1er mars 2024", "DMY", "2024-03-01"),
        ("12 de enero de 2024", "DMY", "2024-01-12"),
        ("2 marca 2024", "DMY", "2024-03-02"),
        ("7 août 1999", "DMY", "1999-08-07"),
        ("3 maart 2001", "DMY", "2001-03-03"),
        ("Mon, 06 May 2024 10:00:00 +0000", "DMY", "2024-05-06 10:00:00 +0000"),
        ("2024-01-02T10:00:00.5Z", "DMY", "2024-01-02T10:00:00.5Z"),
        ("1.2.2024 9:05 PM", "DMY", "2024-02-01 21:05"),
        ("1/2/2024, 12:30 a.m.", "MDY", "2024-01-02 00:30"),
        ("29.02.2024", "DMY", "2024-02-29"),
    ],
)
def test_dates_of_a_declared_order_become_iso_dates(text: str, orders: str, iso: str) -> None:
    """Separators, month names of many languages and times, which are kept."""
    assert parse_date(text, orders) == iso


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("30.02.2023", "DMY"),
        ("2024-13-01", "YMD"),
        ("08/22/2017", "DMY"),
        ("Tue, 06 May 2024", "DMY"),  # a Monday
        ("3.4.24", "DMY"),  # of which century?
        ("1.2.2024 25:00", "DMY"),
        ("1.2.2024 13:00 PM", "DMY"),
        ("10:00", "DMY"),
        ("listopad 3 2024", "DMY"),  # November in one language, October in another
        ("1-2/2024", "DMY"),
        ("²/1/2024", "DMY"),
        ("١/٢/2024", "DMY"),
        ("5 May June 2024", "DMY"),
        ("about 5 May 2024", "DMY"),
        ("2024", "DMY"),
        ("0000-01-01", "YMD"),
        ("", "DMY"),
    ],
)
def test_what_is_no_date_or_contradicts_itself_is_refused(text: str, orders: str) -> None:
    """None, so that the caller leaves it as it is."""
    assert parse_date(text, orders) is None


def test_what_two_orders_read_differently_is_ambiguous() -> None:
    """Only a date that reads the same in all the orders is read."""
    assert parse_date("3/4/2024", ALL) is None
    assert parse_date("4/4/2024", ALL) == "2024-04-04"
    assert parse_date("22/4/2024", ALL) == "2024-04-22"
    assert parse_date("May 3, 2024", ALL) == "2024-05-03"


def test_years_of_two_digits_need_a_pivot() -> None:
    """The pivot says where one century ends and the other begins."""
    assert parse_date("3.4.69", "DMY", pivot=69) == "1969-04-03"
    assert parse_date("3.4.68", "DMY", pivot=69) == "2068-04-03"
    assert parse_date("05-MAY-24", "DMY", pivot=69) == "2024-05-05"
    assert parse_date("05-MAY-24", "DMY") is None


@given(st.none() | st.integers() | st.text() | st.from_regex(r"[0-9 ./:TZa-z,-]{0,70}"), ORDERS, PIVOTS)
def test_any_value_is_read_or_refused(value: object, orders: str, pivot: int | None) -> None:
    """No value raises, and a result reads as itself, however it is read again."""
    found = parse_date(value, orders, pivot=pivot)
    assert found is None or (parse_date(found, orders, pivot=pivot) == found and date.fromisoformat(found[:10]))


@given(st.dates(), st.sampled_from([("DMY", "%d{0}%m"), ("MDY", "%m{0}%d")]), st.sampled_from("./- "))
def test_every_day_is_read_in_its_order(day: date, how: tuple[str, str], separator: str) -> None:
    """Written in an order and read in it, a day is itself; read in all orders, it is itself or ambiguous."""
    order, form = how
    text = f"{day.strftime(form.format(separator))}{separator}{day.year:04d}"
    assert parse_date(text, order) == day.isoformat()
    assert parse_date(text, ALL) in (None, day.isoformat())


class TestRealDates:
    """Dates of real tables."""

    pytestmark = needs_shared_data

    def test_inspection_dates_become_those_of_the_truth(self) -> None:
        """All 720 of the city's food inspections but one of the year 20116, which stays as it is."""
        dirty, clean = (columns("autodcw_chi", name, "Inspection Date") for name in ("dirty", "clean"))
        read = [parse_date(text, "MDY") for text in dirty]
        assert [text for text, day in zip(dirty, read, strict=True) if day is None] == ["02/05/20116"]
        assert all(day in (None, wanted) for day, wanted in zip(read, clean, strict=True))

    def test_short_dates_are_read_one_by_one(self) -> None:
        """Each date of the literature table is a day or stays as it is; without a pivot none is read."""
        dirty = columns("rayyan", "dirty", "article_jcreated_at")
        read = [parse_date(text, "MDY", pivot=30) for text in dirty]
        assert sum(day is not None for day in read) >= 700
        assert all(day is None or day[2:4] == text.split("/")[-1][-2:] for day, text in zip(read, dirty, strict=True))
        assert not any(parse_date(text, "MDY") for text in dirty if len(text.split("/")[-1]) == 2)


def columns(folder: str, name: str, column: str) -> list[str]:
    with (DATA / folder / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        return [row[column] for row in csv.DictReader(file)]
