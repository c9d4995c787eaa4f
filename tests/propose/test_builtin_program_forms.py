"""What programs made of right values: groups of figures, exponents, accents as signs of their own, another minus."""

import pytest

from orchestrator.gate.information.suspicions import suspicions
from tests.propose.builtin_help import settled


@pytest.mark.parametrize(
    ("cells", "right"),
    [
        (["1'234.50", "999.95", "-12'000.00"], ["1234.50", "999.95", "-12000.00"]),  # a Swiss bank
        (["1 792 385", "218\u202f559", "12 000", "986"], ["1792385", "218559", "12000", "986"]),
        (["1.792.385", "218.559", "12.000", "986"], ["1792385", "218559", "12000", "986"]),
        (
            ["64\u201317\u20135", "7732-18-5", "71-43-2", "108-88-3", "50-00-0"],
            ["64-17-5", "7732-18-5", "71-43-2", "108-88-3", "50-00-0"],
        ),
        (["\u22121.5", "2.5", "-3"], ["-1.5", "2.5", "-3"]),
        (["\u20131.5", "2.5", "-3"], ["-1.5", "2.5", "-3"]),
        (
            [
                "4006381333931",
                "4.006381051998e12",
                "4006381072103.0",
                "4.006381333930E+12",
                "4006381333949",
                "4006381333956",
            ],
            ["4006381333931", "4006381051998", "4006381072103", "4006381333930", "4006381333949", "4006381333956"],
        ),
        (
            ["caf\u00e9", "cafe\u0301", "Zoe\u0308", "\u00e9t\u00e9", "\u00fcber"],
            ["café", "café", "Zoë", "été", "über"],
        ),
        (["\\xc2\\xa0Mumbai", "\\\\xc2\\\\xa0Pune", "Mumbai", "Delhi"], ["Mumbai", "Pune", "Mumbai", "Delhi"]),
        (["Caf\\u00e9", "M\\xc3\\xbcller", "\\ud83d\\ude00 Bar", "Tom\\u2019s"], ["Café", "Müller", "😀 Bar", "Tom’s"]),
        (
            ["IT", ", IT, US", "US,", "GB,, US", "US, GB", "GB, US, IT", "IT, GB", "US, IT", "IT, US"],
            ["IT", "IT, US", "US", "GB, US", "US, GB", "GB, US, IT", "IT, GB", "US, IT", "IT, US"],
        ),
    ],
)
def test_values_become_what_they_were(cells: list[str], right: list[str]) -> None:
    assert settled(cells * 6) == right * 6


@pytest.mark.parametrize(
    "cells",
    [
        ["912 345 678", "34 912 345 678", "612 345 678"],  # telephone numbers with and without a country
        ["552 100 554", "732 829 320"],  # companies
        ["1.10.200", "2.100.300", "1.100.200"],  # versions
        ["1.250", "2.500", "0.125"],  # litres
        ["1 000", "2 000", "500"],  # may be two numbers
        ["5'11", "6'2", "5'09"],  # feet
        ["4.00638E+12", "4006381333931"],  # figures are lost
        ["4.00638133393e12", "4006381333931"],  # perhaps also here
        ["1.5e3", "2000", "1.25e3"],
        ["AB-1", "AB-2", "AB-3", "AB-4", "AB-5\u20137", "AB\u2013C"],  # from one to another; words
        ["e\u0301te\u0301", "cafe\u0301", "caf\u00e9"],  # a program that writes accents apart
        ["C:\\u0041bc\\new", "D:\\u00e9t", "x"],  # folders
        ['{"name": "Caf\\u00e9"}', '["M\\u00fcller"]'],  # JSON
        ["\\xff\\xfe", "\\xa4", "\\u200b"],  # no letters
        [
            "red,,blue",
            "red,green,blue",
            ",green,blue",
            "red,green,",
            "blue,red,green",
            "green,blue,red",
        ],  # three places
    ],
)
def test_values_that_may_be_meant_so_stay(cells: list[str]) -> None:
    assert settled(cells * 6) == cells * 6


def test_zip_codes_with_four_more_digits_are_zip_codes() -> None:
    """Beside them a ZIP code that lost its zero was taken for a number."""
    cells = ["02139", "10001-1234", "2139", "94105-1234", "00501"] * 6
    assert settled(cells, "zip")[:5] == ["02139", "10001-1234", "02139", "94105-1234", "00501"]
    assert settled(cells, "part") == cells


def test_arabic_numbers_keep_their_decimals() -> None:
    """Their marks before decimals and between thousands become plain with the figures, and the gate believes it."""
    usual = [f"{number}.{number % 90 + 10}" for number in range(100, 300)]
    odd, mended = ["٤٣٨٣٫١٨", "١٬٣٣٤٫٥٤"], ["4383.18", "1334.54"]
    assert settled([*usual, *odd], "amount") == [*usual, *mended]
    assert suspicions([*((cell, cell) for cell in usual), *zip(odd, mended, strict=True)]) == []
