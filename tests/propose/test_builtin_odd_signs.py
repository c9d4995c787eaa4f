"""Signs around a few cells that the others do not have: decimals of nothing, per cent, brackets, full stops."""

import random

import pytest

from tests.propose.builtin_help import column, settle, settled

draw = random.Random(4)  # noqa: S311 - data for a test
WHOLE = [str(draw.randrange(100, 9000)) for _ in range(120)]
YEARS = [str(year) for year in range(1950, 2000)]


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        (["2080.00", "640.00", "72.0"], ["2080", "640", "72"]),
        (["$1,427.00", "$640.00"], ["1427", "640"]),
        (["1,427", "2,080.00"], ["1427", "2080"]),
    ],
)
def test_decimals_of_nothing_go_from_whole_numbers(odd: list[str], plain: list[str]) -> None:
    """Most cells have none."""
    assert settled([*WHOLE, *odd]) == [*WHOLE, *plain]


@pytest.mark.parametrize(
    "cells",
    [
        [*WHOLE[:40], *(f"{number}.00" for number in WHOLE[40:])],  # most have cents
        [*WHOLE, "2080.00", "12.50"],  # some have real ones
        [*(f"{number}.00" for number in WHOLE), "", ""],  # prices beside missing ones
        [f"{number}.00" for number in WHOLE],
        [*(f"{number}.5" for number in WHOLE), "12.00", "13.0"],
        [*WHOLE[:20], "2.000", "3.000"],  # thousands, perhaps
    ],
)
def test_decimals_of_nothing_stay_where_others_have_some(cells: list[str]) -> None:
    """They may be cents, or say how exact a number is."""
    assert settled(cells) == cells


def test_a_sign_of_per_cent_goes_from_whole_numbers_to_a_hundred() -> None:
    """50% beside 0, 50 and 100 is no 0.5: no cell has a fraction."""
    usual = ["0", "50", "100"] * 30
    assert settled([*usual, "50%", "100%", "0%"]) == [*usual, "50", "100", "0"]


@pytest.mark.parametrize(
    "cells",
    [
        [*["0", "0.5", "1", "0.25"] * 30, "50%", "25%"],  # a half
        [*["0", "1", "100", "2", "5"] * 30, "100%", "500%"],
        [*WHOLE, "50%", "45%"],  # no number of the others' size
    ],
)
def test_a_sign_of_per_cent_stays_where_it_may_mean_a_hundredth(cells: list[str]) -> None:
    """1 may be a hundred per cent."""
    assert settled(cells) == cells


@pytest.mark.parametrize(
    ("name", "mark"), [("year", "()"), ("Year of release", "()"), ("value", "()"), ("year", "[]"), ("date", "[]")]
)
def test_brackets_go_from_years(name: str, mark: str) -> None:
    """Most years have none; without the name it takes many years of one time."""
    odd = [f"{mark[0]}{year}{mark[1]}" for year in ("1961", "1987", "2001")]
    cells = [*YEARS * 2, *odd]
    assert settled(cells, name) == [*YEARS * 2, "1961", "1987", "2001"]


@pytest.mark.parametrize(
    "cells",
    [
        [*WHOLE, "(1961)", "(250)"],  # losses
        [*YEARS[:10] * 5, "(1961)"],  # few years may be amounts
        [*YEARS, "2650", "3100", "(1961)"],
        [*(f"({year})" for year in YEARS), "1961", "1962"],  # most have them
        [*YEARS, "(1961", "1962)", "(61)"],
    ],
)
def test_brackets_of_what_may_be_an_amount_stay(cells: list[str]) -> None:
    """A number in brackets may be negative."""
    assert settled(cells, "balance") == cells


def test_a_full_stop_behind_an_entry_of_a_list_goes() -> None:
    """Where the same text stands there without it, more often."""
    assert settled([*["<=50K", ">50K"] * 40, "<=50K.", ">50K.", ">50K."]) == [*["<=50K", ">50K"] * 41, ">50K"]


@pytest.mark.parametrize(
    "cells",
    [
        [*["<=5K", ">50K"] * 20, "<=5K.", "<=9K."],  # one of its own
        [*["<5%", ">9%"] * 20, "<5%.", ">9%."],  # nothing but figures and signs
        [*["<=5K", ">50K."] * 20, ">50K", ">50K"],  # most have one
        [*["<=5K", ">50K"] * 20, "<=5K."],  # once
        [f"Section {number}" for number in range(40)] + ["Section 3.", "Section 4."],  # no list
    ],
)
def test_a_full_stop_that_may_be_meant_stays(cells: list[str]) -> None:
    """Ordinal numbers, and entries that always have one."""
    assert settled(cells) == cells


def test_null_goes_from_codes_of_three_letters() -> None:
    """No country has four."""
    codes = ["PRT", "GBR", "ESP", "FRA", "DEU", "CHE"] * 20
    assert settled([*codes, "CN", "NULL", "NULL"]) == [*codes, "CHN", "", ""]


@pytest.mark.parametrize(
    "codes",
    [
        ["WT", "HET", "HOM"],  # alleles
        ["MSFT", "NVDA", "A", "GE", "IBM", "GOOG"],
        ["Prt", "Gbr", "Esp", "Fra", "Deu"],
    ],
)
def test_null_stays_among_codes_that_it_may_be_one_of(codes: list[str]) -> None:
    """Types, tickers and a few answers."""
    cells = [*codes * 20, "NULL", "NULL"]
    assert settled(cells, "code") == cells


RACE = [f"{1 + n // 60:02}:{n % 60:02}:{n * 7 % 60:02}" for n in range(0, 150, 2)]


def test_times_without_hours_get_them_where_they_can_be_no_hours_and_minutes() -> None:
    """58:42 beside 01:02:10; in rows that were not seen, too, but for what may be hours."""
    made, emitted = settle(column([*RACE, "00:59:30", "58:42", "59:01", "44:10"]))
    assert list(made["value"]) == [*RACE, "00:59:30", "00:58:42", "00:59:01", "00:44:10"]
    (only,) = emitted
    assert list(only.clean(column(["57:01", "14:20", "2:59"]))["value"]) == ["00:57:01", "14:20", "2:59"]


@pytest.mark.parametrize(
    "odd",
    [
        ["18:40", "19:10"],  # of a day, beside hours up to 23
        ["58:42", "2:10"],  # the second may be two hours
        ["58:42", "late", "ill"],
        ["12:10"],  # too short for the others
        ["78:42"],
    ],
)
def test_times_that_may_be_hours_and_minutes_stay(odd: list[str]) -> None:
    """Nothing tells what is missing."""
    day = [f"{n % 24:02}:{n * 7 % 60:02}:{n * 11 % 60:02}" for n in range(80)]
    cells = [*(day if odd[0].startswith("1") and len(odd) == 2 else RACE), *(odd * 3)]
    assert settled(cells) == cells
