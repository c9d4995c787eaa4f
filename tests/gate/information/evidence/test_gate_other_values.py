"""A value that becomes another one than the column, its scale or the rest of its row say."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.row_evidence.exchanged import exchanged_rows
from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.row_evidence.measures import same_measure, shared_rows
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.value_kinds.spelled_numbers import spelled_number
from orchestrator.gate.information.value_kinds.units import same_quantity

QUICK = settings(max_examples=100, deadline=None)
BIRTHS = [(f"01/02/{year}",) * 2 for year in (1931, 1956, 1987, 2004, 2021)]
SALARIES = [(text, text) for text in ("41000", "52500", "60000", "75250")]
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


@pytest.mark.parametrize(
    "cells",
    [
        [("partially shipped", "shipped"), ("Shipped", "shipped"), ("pending", "pending")],
        [("A", "attended"), ("absent", "absent"), ("P", "present"), ("present", "present")],
        [("Japanese", "jp"), ("ja", "ja"), ("de", "de"), ("German", "de"), ("sv", "sv")],
        [(f"DE{n}1 2345", f"{n}12345") for n in range(4, 8)] + [("FR12 3456", "FR123456")],
        [(f"1234-56{n}X", f"1234-56{n}") for n in range(4)] + [("1234-5678", "1234-5678")],
        [("012345", "12345"), *((f"{n}23456",) * 2 for n in range(1, 5))],
        [(f"${n}.50", f"{n}.50") for n in range(1, 5)] + [(f"€{n}.25", f"{n}.25") for n in range(1, 5)],
        [(f"{n} F", f"{n}") for n in (97, 98, 99)] + [(f"{n} C", f"{n}") for n in (36, 37, 38)],
        [("19%", "19"), ("7 %", "7"), *((text, text) for text in ("0.19", "0.07", "0.2"))],
        [("5k", "5"), ("7 pcs", "7"), *((text, text) for text in ("12", "40", "300"))],
        [*BIRTHS, ("01/02/56", "01/02/2056")],
        [(f"{n}/{n + 12}/{1938 + 9 * n}", f"0{n}/{n + 12}/{1938 + 9 * n}") for n in range(1, 8)]
        + [("3/11/47", "03/11/2047")],
        [("Gr=C3=BC=C3=9Fe", "Gruse"), ("a = b", "a = b")],
        [("width=20px", "width px"), ("a = b", "a = b")],
        [("bad", "0"), *((str(n), str(n)) for n in (1, 2, 3, 4, 5))],
        [("有", "有"), ("無", "無"), ("あり", "無"), ("なし", "無")],
        [("Кaзaнь", "Рязань"), ("Омск", "Омск"), ("Рязань", "Рязань")],
        [("5. marraskuuta 2023", "2023-03-05"), ("2019-03-05", "2019-03-05")],
        [("2024年2月10日", "2024-10-02"), ("2019-03-05", "2019-03-05")],
        [("1,234 sq ft", "0 m²"), ("900 sq ft", "84 m²")],
        [("18 mm", "1 cm"), ("20 mm", "2 cm")],
        [("https://a.example/x?id=1&color=red", "https://a.example/x?id=1")],
        [("https://www.wool.example/", "wool"), ("www.lamp.example", "lamp")],
    ],
)
def test_what_the_column_contradicts_is_suspected(cells: list[Change]) -> None:
    """A word that told values apart, another value, another scale, another century, a part that is left out."""
    assert kinds(cells)


@pytest.mark.parametrize(
    "cells",
    [
        [*BIRTHS, ("01/02/35", "01/02/1935"), ("03/04/12", "03/04/2012")],
        [(f"{n}/{n + 12}/{1938 + 9 * n}", f"0{n}/{n + 12}/{1938 + 9 * n}") for n in range(1, 8)]
        + [("3/11/47", "03/11/1947")],
        [(f"1,{n} m", f"1.{n} m") for n in range(60, 90)] + [("1,69", "1.69")],
        [("Gr=C3=BC=C3=9Fe", "Grüße"), ("na=C3=AFv=\n", "naïv"), ("a = b", "a = b")],
        [("ÃƒÂ©clair", "éclair"), ("MÃ¼sli", "Müsli"), ("Tee", "Tee")],
        [("有", "有"), ("無", "無"), ("あり", "有"), ("なし", "無")],
        [("Кaзaнь", "Казань"), ("Омск", "Омск"), ("M\u043es\u0441ow", "Moscow")],
        [("5. marraskuuta 2023", "2023-11-05"), ("5. maaliskuuta 2023", "2023-03-05"), ("2019-03-05", "2019-03-05")],
        [("2024年2月10日", "2024-02-10"), ("2019-03-05", "2019-03-05"), ("2024년 12월 1일", "2024-12-01")],
        [*SALARIES, ("44.345 EUR", "44345"), ("€45k", "45000")],
        [("313 x 441 x 340 mm", "31.3 x 44.1 x 34 cm"), ("3 x 4 x 5 cm", "3 x 4 x 5 cm")],
        [("[09/Apr/2021:05:12:40 +0200]", "2021-04-09T03:12:40Z")],
        [("KW 27/2017", "2017-W27"), ("W38-17", "2017-W38")],
        [("5 janvier 2020", "2020-01-05"), ("3 de mayo de 2019", "2019-05-03")],
        [("38230.0", "2004-08-31"), ("2005-01-01", "2005-01-01")],
        [("ada [at] a [dot] org", "ada@a.org"), ("b@b.org", "b@b.org")],
        [("157 µg", "157 mcg"), ("0.2 g", "200 mg")],
        [("$(48.04)", "-48.04"), ("(3.50)", "-3.50")],
        [(7065, "07065"), *((text, text) for text in ("01234", "02345", "03456"))],
        [("5 (five)", "5"), ("7", "7")],
        [("7 mo", "0"), ("18 months", "1")],
    ],
)
def test_what_a_reader_of_the_column_knows_needs_no_witness(cells: list[Change]) -> None:
    """Forms that can be read, a century and a mark that the other cells decide, a number that joins texts."""
    assert kinds(cells) == set()


def test_zone_of_a_time_is_not_dropped() -> None:
    """A time without its zone is another one for everybody else."""
    assert kinds([("2021-05-03T14:30:00+02:00", "2021-05-03T14:30:00")])


@QUICK
@given(st.integers(0, 99), st.integers(1, 9), st.integers(0, 999))
def test_spelled_number_is_read_back(small: int, hundreds: int, thousands: int) -> None:
    """A number that is written in words is that number, and no other."""
    words = _spelled(small) if small else "zero"
    assert spelled_number(words) == small
    long = f"{_spelled(hundreds)} hundred and {words}" if small else f"{_spelled(hundreds)} hundred"
    assert spelled_number(long) == hundreds * 100 + small
    if thousands >= 1:
        assert spelled_number(f"{_spelled(thousands % 99 + 1)} thousand {long}") == (
            (thousands % 99 + 1) * 1000 + hundreds * 100 + small
        )


@pytest.mark.parametrize("text", ["", "hundred", "five six", "twenty ten", "forty-ten", "lamp", "twenty lamp"])
def test_other_words_are_no_number(text: str) -> None:
    assert spelled_number(text) is None


def _spelled(number: int) -> str:
    teens = ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
    if number < 10:
        return ONES[number]
    if 10 < number < 20:
        return teens[number - 11]
    return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")


@QUICK
@given(st.integers(1, 500), st.integers(1, 59))
def test_exact_units_are_converted_exactly(hours: int, minutes: int) -> None:
    """Minutes are a whole number of seconds: nobody rounds them, however many they are."""
    total = hours * 60 + minutes
    assert same_quantity(f"{hours}h {minutes}m", f"{total} min")
    assert not same_quantity(f"{hours}h {minutes}m", f"{total + 1} min")
    assert same_quantity(f"{hours}:{minutes:02}:00", f"{total * 60} s")
    assert not same_quantity(f"{total} min", f"-{total} min")


def _rows(*pairs: tuple[Any, Any], turned: int) -> tuple[list[Change], list[Change], list[int]]:
    """Two columns of which the last `turned` rows exchange their values."""
    stay = len(pairs) - turned
    cells = [(a, a if row < stay else b) for row, (a, b) in enumerate(pairs)]
    beside = [(b, b if row < stay else a) for row, (a, b) in enumerate(pairs)]
    return cells, beside, list(range(stay, len(pairs)))


def test_values_that_stood_in_the_wrong_column_may_be_exchanged() -> None:
    """A day in the column of times, an end before its beginning: all other rows say which is which."""
    days = [(f"2021-05-{n:02}", f"{n:02}:30") for n in range(10, 24)]
    cells, beside, rows = _rows(*days, ("08:15", "2021-06-01"), turned=1)
    assert exchanged_rows(cells, beside, rows) == rows
    stays = [(n, n + 3) for n in range(14)]
    cells, beside, rows = _rows(*stays, (9, 2), turned=1)
    assert exchanged_rows(cells, beside, rows) == rows


def test_values_of_one_kind_are_not_exchanged_without_a_reason() -> None:
    """Names in two columns, an order that rows break anyhow, and more exchanged rows than others."""
    people = [(f"Ada{n}", f"King{n}") for n in range(14)]
    cells, beside, rows = _rows(*people, ("Hopper", "Grace"), turned=1)
    assert exchanged_rows(cells, beside, rows) == []
    cells, beside, rows = _rows(*[(n, 20 - n) for n in range(14)], (9, 2), turned=1)
    assert exchanged_rows(cells, beside, rows) == []
    cells, beside, rows = _rows(*[(n, n + 3) for n in range(12)], *[(n + 3, n) for n in range(13)], turned=13)
    assert exchanged_rows(cells, beside, rows) == []


def test_share_of_another_number_is_the_same_share() -> None:
    """8 of 20 is 40 of 100, where other rows are of 100; it is not 45, and nothing where both grow alike."""
    of_hundred = [(100.0, 100.0)] * 3
    assert shared_rows([(8.0, 40.0), *[(5.0, 5.0)] * 3], [(20.0, 100.0), *of_hundred], [0]) == {0}
    assert shared_rows([(8.0, 45.0), *[(5.0, 5.0)] * 3], [(20.0, 100.0), *of_hundred], [0]) == set()
    assert shared_rows([(8.0, 80.0), (3.0, 3.0)], [(20.0, 200.0), (7.0, 7.0)], [0]) == set()


def test_cents_are_a_hundredth() -> None:
    """4795 cents are 47.95 euros, and not 479.5."""
    cents = {"amount": 4795.0, "unit": "ct"}
    assert same_measure(cents, {"amount": 47.95, "unit": "EUR"}) == {"amount", "unit"}
    assert same_measure(cents, {"amount": 479.5, "unit": "EUR"}) == frozenset()


def test_empty_cells_get_what_their_row_says() -> None:
    """A part of another cell, or what the other column tells everywhere else; anything else is made up."""
    assert made_up([(None, "TX")], [0], [["Austin, TX"]]) == []
    assert made_up([(None, "CA")], [0], [["Austin, TX"]]) == [0]
    assert made_up([(None, 0.0)], [0], [[3.5]]) == [0]
    assert made_up([(None, "g")], [0], [["4 g"]]) == []
    assert made_up([(None, "mg")], [0], [["4 g"]]) == [0]
    assert made_up([(None, "Ada Berg")], [0], [["Ada"], ["Berg"]]) == []
    assert made_up([(None, "Ada B.")], [0], [["Ada"], ["Berg"]]) == [0]
    assert made_up([(None, "unknown")], [0], [["Austin, TX"]]) == []
    towns = ["dothan"] * 8 + ["boaz"] * 6 + ["juneau"] * 2 + ["nome"] * 2 + ["opp"] * 2 + ["nome"]
    states = [*((state, state) for state in ["al"] * 14 + ["ak"] * 4 + ["al"] * 2), (None, "ak")]
    assert made_up(states, [20], [towns]) == []
    assert made_up([*states[:20], (None, "al")], [20], [towns]) == [20]


def test_a_point_of_the_compass_is_no_other_one() -> None:
    """Of NNW and NW, and of other codes in capitals that both stand in the column, none is a form of the other."""
    stay = [(text, text) for text in ("N", "NW", "SSE", "E", "S")]
    assert suspicions([("NNW", "NW"), *stay])
    assert not suspicions([("north-north-west", "NNW"), *stay])
    assert suspicions([("ABC", "BC"), ("BC", "BC"), ("DE", "DE")])


def test_zeros_of_codes_stay_where_some_have_lost_theirs() -> None:
    """Where all that begin with a zero are as long as most others, they are codes; where not, numbers."""
    codes = [(text, text) for text in ("12345", "23456", "34567", "45678", "56789", "67890", "4893")]
    assert suspicions([("02425", "2425"), ("00501", "501"), ("01234", "1234"), *codes])
    numbers = [(text, text) for text in ("12", "345", "6", "78", "910", "1112")]
    assert not suspicions([("007", "7"), ("042", "42"), ("05", "5"), *numbers])
