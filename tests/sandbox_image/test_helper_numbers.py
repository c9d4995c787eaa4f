"""`cleanroom_numbers_v1` reads numbers by a declared convention, digit by digit, and never drops a unit unasked."""

import csv
from decimal import Decimal

import pytest
from cleanroom_numbers_v1 import parse_number, scale_number, split_number
from hypothesis import given
from hypothesis import strategies as st

from tests.support.shared_data import DATA, needs_shared_data

DECIMALS = st.sampled_from([".", ","])
WRITTEN = st.from_regex(r"[-+(]?[$€]?[0-9., '_]{0,20}[)-]?( ?(EUR|kg|%|m²))?", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "decimal", "units", "number"),
    [
        ("1.234,50", ",", (), "1234.50"),
        ("1,234.50", ".", (), "1234.50"),
        ("1 234,5", ",", (), "1234.5"),
        ("1\u202f234,5", ",", (), "1234.5"),
        ("12'345.60", ".", (), "12345.60"),
        ("379,998", ".", (), "379998"),
        (" 7 ", ".", (), "7"),
        ("(45.00)", ".", (), "-45.00"),
        ("5-", ".", (), "-5"),
        ("\u22125", ".", (), "-5"),
        ("+5", ".", (), "5"),
        ("-0", ".", (), "0"),
        (".5", ".", (), "0.5"),
        ("12 EUR", ".", ("EUR", "€"), "12"),
        ("€ 1.234,5", ",", ("EUR", "€"), "1234.5"),
        ("-$5", ".", ("$",), "-5"),
        ("0.09%", ".", ("%",), "0.09"),
        ("12.0 oz", ".", ("oz",), "12.0"),
        ("95 KM/H", ".", ("km/h",), "95"),
        ("0." + "1" * 60, ".", (), "0." + "1" * 60),
    ],
)
def test_numbers_of_a_declared_convention_become_plain(
    text: str, decimal: str, units: tuple[str, ...], number: str
) -> None:
    """Marks go, every digit stays."""
    assert parse_number(text, decimal, *units) == number


@pytest.mark.parametrize(
    ("text", "decimal"),
    [
        ("1,23,456", "."),
        ("1,2", "."),
        ("1.234,50", "."),
        ("0,123,456", "."),
        ("007", "."),
        ("5.", "."),
        ("1e3", "."),
        ("1E3", "."),
        ("12 EUR", "."),
        ("EUR 12 EUR", "."),
        ("5 - 7", "."),
        ("1 2", "."),
        ("--5", "."),
        ("(-5)", "."),
        ("½", "."),
        ("٣", "."),
        ("nan", "."),
        ("1 234 567,8", ";"),
    ],
)
def test_what_is_no_number_or_has_misplaced_marks_is_refused(text: str, decimal: str) -> None:
    """None, so that the caller leaves it as it is."""
    assert parse_number(text, decimal) is None


def test_what_would_read_otherwise_the_next_time_is_refused() -> None:
    """1,125 with a decimal comma is 1.125, in which the point is a thousands mark."""
    assert parse_number("1,125", ",") is None
    assert parse_number("0,125", ",") == "0.125"
    assert parse_number("1.125", ",") == "1125"


def test_a_unit_is_kept_apart() -> None:
    """As it stands, for whoever wants to look at it."""
    assert split_number("12 EUR", ".") == ("12", "EUR")
    assert split_number("$1,000", ".") == ("1000", "$")
    assert split_number("5,5 %", ",") == ("5.5", "%")
    assert split_number("5", ".") == ("5", "")


@given(st.none() | st.integers() | st.text() | WRITTEN, DECIMALS | st.text(max_size=2), st.lists(st.text(max_size=3)))
def test_any_value_is_read_or_refused(value: object, decimal: str, units: list[str]) -> None:
    """No value raises; a result is plain, and reads as itself or not at all."""
    found = parse_number(value, decimal, *units)
    assert found is None or (Decimal(found).is_finite() and "E" not in found)
    assert found is None or parse_number(found, decimal, *units) in (None, found)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2))
def test_a_number_written_with_marks_is_the_same_number(number: Decimal) -> None:
    """English and German marks, exactly."""
    english = f"{number:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert Decimal(parse_number(english, ".") or "nan") == number
    assert Decimal(parse_number(german, ",") or "nan") == number


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3), st.sampled_from(["0.001", "2.54", "-7", "0"]))
def test_scaling_is_exact(number: Decimal, factor: str) -> None:
    """As integers of any length, with no rounding."""
    scaled = scale_number(f"{number:f}", factor)
    whole = int(f"{number:f}".replace(".", "")) * int(factor.replace(".", ""))
    places = 3 + len(factor.partition(".")[2])
    assert scaled is not None
    assert int(scaled.replace(".", "")) == whole
    assert len(scaled.partition(".")[2]) == places


@given(st.none() | st.text() | st.floats(), st.text(max_size=5))
def test_what_is_not_plain_is_not_scaled(number: object, factor: str) -> None:
    """Nothing raises, whatever comes in."""
    assert scale_number(number, "1,5") is None
    assert scale_number("1", factor) is None or factor.strip("-0123456789.") == ""


class TestRealNumbers:
    """Numbers of real tables."""

    pytestmark = needs_shared_data

    def test_decimal_commas_of_a_public_table_are_read(self) -> None:
        """Every number of every country; only blanks are left."""
        with (DATA / "countries_of_the_world.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = [
                {key: text for key, text in row.items() if key not in ("Country", "Region")}
                for row in csv.DictReader(file)
            ]
        cells = [text for row in rows for text in row.values() if text]
        unread = {text for text in cells if parse_number(text, ",") is None}
        assert len(cells) > 3_900
        assert unread == set()
        assert all(Decimal(str(parse_number(text, ","))) == Decimal(text.replace(",", ".")) for text in cells)

    def test_counts_with_marks_become_those_of_the_truth(self) -> None:
        """The 379,998 votes of a film are 379998."""
        tables = []
        for name in ("dirty", "clean"):
            with (DATA / "movies_1_part" / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
                tables.append([row["rating_count"] for row in csv.DictReader(file)])
        marked = [(was, wanted) for was, wanted in zip(*tables, strict=True) if "," in was]
        assert len(marked) > 100
        assert all(parse_number(was, ".") == wanted for was, wanted in marked)
