"""Zeros that codes lost, of any number of figures."""

import random
from typing import Any

import pytest

from tests.propose.builtin_help import ask, column, load, settled

DRAW = random.Random(5)  # noqa: S311 - data for a test
RECORDS = [f"00{DRAW.randrange(30_000, 999_999):06}" for _ in range(200)]


@pytest.mark.parametrize(
    ("codes", "short"),
    [
        (["01", "02", "06", "36", "48"], ["6", "2"]),
        (["001", "003", "037", "061"], ["3", "37", "1"]),
        (["4700", "5240", "0430", "0010"], ["10", "430", "10"]),
    ],
)
def test_a_short_code_that_stands_there_with_its_zeros_gets_them(codes: list[str], short: list[str]) -> None:
    """Of two and three figures, and of four where as many lost two as one."""
    width = len(codes[0])
    assert settled([*codes * 20, *short], "area") == [*codes * 20, *(code.zfill(width) for code in short)]


def test_codes_that_all_begin_with_two_zeros_lost_both() -> None:
    """Or three, as one in ten has one more; also in rows that were not seen."""
    cells = [*RECORDS, "418534", "855503", "91709"]
    assert settled(cells, "record") == [*RECORDS, "00418534", "00855503", "00091709"]
    source = ask(column(cells, "record")).source
    assert source is not None
    unseen = ["77003", "7703", "00612345", "12345678", "x", "0418534"]
    cleaned = list(load(source).clean(column(unseen, "record"))["record"])
    assert cleaned == ["00077003", "7703", "00612345", "12345678", "x", "0418534"]


@pytest.mark.parametrize(
    "cells",
    [
        [str(number) for number in range(1, 61)] * 3,  # numbers
        [f"{number:02}" for number in range(10, 60)] + ["6", "7"],  # no code like them
        ["01", "02", "06"] * 10 + ["6"] * 20,  # as frequent
        ["05", "05", "31", "42", "57", "63"] * 10 + ["5"] * 7 + ["4"],  # one of them is no code
        ["001", "003", "037"] * 10 + ["3", "0037"],  # of other lengths
        [*RECORDS, *(f"00{number}" for number in range(400, 420))],  # short codes with zeros of their own
        [*RECORDS, *(f"{number}" for number in range(30_000, 30_030))],  # as many of five figures as of another kind
    ],
)
def test_short_numbers_that_lost_nothing_stay(cells: list[Any]) -> None:
    """Nothing shows that they are codes with zeros."""
    assert settled(cells, "area") == cells


@pytest.mark.parametrize("mixed", [True, False])
def test_postal_codes_that_are_short_each_time_are_of_another_country(mixed: bool) -> None:
    """Beside codes that kept their zeros; where one stands there whole as well, they lost theirs."""
    codes = [str(DRAW.randrange(10_000, 99_999)) for _ in range(200)] + [f"0{n}" for n in range(1067, 1099)]
    cells = [*codes, *["8001", "3011", "4051"] * 6, *(["08001"] * 3 if mixed else [])]
    assert settled(cells, "plz") == ([cell.zfill(5) for cell in cells] if mixed else cells)


def test_numbers_in_a_row_lose_as_many_zeros_as_others_of_them_kept() -> None:
    """000843 to 001442: a fourth have three zeros. Where hardly one kept three, those of three figures are others."""
    numbers = [f"{number:06}" for number in range(843, 1443)]
    spoilt = [text.lstrip("0") if place % 13 == 0 else text for place, text in enumerate(numbers)]
    assert settled(spoilt, "Auftrag-Nr.") == numbers
    later = [f"{number:06}" for number in range(1010, 1600)]
    odd = [*later, *["1003", "1004", "1005"], *["843", "901", "977"]]
    assert settled(odd, "Auftrag-Nr.") == odd
