"""One result that is unlike those of the other cells: another factor, another order, nearly a word of others."""

from collections.abc import Callable
from math import floor

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

MILES = [20, 25, 31, 36, 42, 55, 61, 75, 80, 88]
STREETS = ["12 Stone", "43 Church", "441 Mill", "7 Oak", "9 Park", "31 Lake"]


def speeds(convert: Callable[[float], int]) -> list[Change]:
    return [*((f"{n} mph", f"{convert(n)} km/h") for n in MILES), *((f"{n} km/h",) * 2 for n in (50, 70, 90))]


def to_nearest(miles: float) -> int:
    return round(miles * 1.609344)


def roads(after: str = "Road") -> list[Change]:
    return [(f"{name} Rd", f"{name} {after}") for name in STREETS] + [("5 Elm Road", "5 Elm Road")]


def instead(cells: list[Change], before: str, after: str) -> list[Change]:
    """The cells with another result for one of them."""
    assert before in dict(cells)
    assert dict(cells)[before] != after
    return [(one, after if one == before else other) for one, other in cells]


@pytest.mark.parametrize(
    "cells",
    [
        speeds(to_nearest),
        speeds(lambda n: floor(n * 1.609344)),
        speeds(lambda n: round(n * 1.6)),
        roads(),
        [("Knuth, Ada", "Ada Knuth"), ("Roe, Bob", "Bob Roe"), ("Cher", "Cher"), ("Tim Poe", "Tim Poe")],
        [("rgb(0,0,0)", "#000000"), ("#fff", "#ffffff"), ("#a0b1c2", "#a0b1c2")],
        [("83.29 S", "-83.29"), ("10.5 N", "10.5"), ("7.25 S", "-7.25")],
        [("v1.2", "1.2"), ("v1.3", "1.3"), ("1.4", "1.4")],
        [("unitPriceNet", "unit_price_net"), ("orderDate", "order_date"), ("id", "id")],
        [("hrs", "hours"), ("hours", "hours"), ("1 hr", "1 hour"), ("2 hours", "2 hours")],
        [("1. wash", "wash"), ("2. peel", "peel"), ("cook 3 min", "cook 3 min")],
        [("3 yrs", "36"), ("5 yrs", "60"), ("14", "14"), ("20", "20")],
        [("✕", "no"), ("✓", "yes"), ("yes", "yes"), ("no", "no")],
    ],
)
def test_results_like_the_others_are_believed(cells: list[Change]) -> None:
    """Whatever the factor and the rounding are, as long as they are the same in all cells."""
    assert suspicions(cells) == []


@pytest.mark.parametrize(
    ("cells", "before", "after"),
    [
        (speeds(to_nearest), "36 mph", "59 km/h"),
        (speeds(to_nearest), "36 mph", "57 km/h"),
        (speeds(to_nearest), "36 mph", "58"),
        (speeds(to_nearest), "36 mph", "km/h 58"),
        (speeds(to_nearest), "36 mph", "-58 km/h"),
        (roads(), "7 Oak Rd", "Oak 7 Road"),
        (roads(), "7 Oak Rd", "7 Oak Road zebra"),
        (roads("Boulevard"), "7 Oak Rd", "7 Oak Boulxvard"),
        (roads("Boulevard"), "7 Oak Rd", "7 Oak Boulvard"),
    ],
)
def test_a_result_unlike_the_others_is_suspected(cells: list[Change], before: str, after: str) -> None:
    """One cell that was converted, turned or written otherwise than the rest."""
    assert suspicions(instead(cells, before, after))


@pytest.mark.parametrize(
    "cells",
    [
        [(f"{before}, {name}", f"{name} {before}") for name, before in zip("ABCDE", "vwxyz", strict=True)]
        + [("Knuth, Ada", "Knuth Ada")],
        [
            ("+1 402 710 9913", "402-710-9913 zebra"),
            ("+1 450 949 5971", "450-949-5971 zebra"),
            ("555-0100", "555-0100"),
        ],
        [("$2.71", "2.71 zebra"), ("$623.86", "623.86 zebra"), ("7.10", "7.10")],
        [("arXiv:0808.1933", "0808.1933 zebra"), ("arXiv:1805.1605", "1805.1605 zebra"), ("1602.1295", "1602.1295")],
        [("v1.6.14-rc1", "1.6.14-rc"), ("v2.8.16-rc1", "2.8.16-rc"), ("v3.0.1", "3.0.1"), ("2.1.0", "2.1.0")],
        [("33/30", "W33/L03"), ("31x31", "W31/L31"), ("35/32", "W35/L32"), ("W30/L30", "W30/L30")],
        [("3.Kyu", "kyu"), ("2. Kyu", "2nd kyu"), ("1 dan", "1st dan"), ("4th kyu", "4th kyu")],
        [("lamp lamp!", "lamp xamp"), ("desk mug!", "desk mug"), ("vase", "vase")],
        [("unitPriceNet", "unit_prxce_net"), ("orderDate", "order_date"), ("id", "id")],
        [("clock&nbsp;chair", "clock chaix"), ("mug&nbsp;desk", "mug desk")],
        [("0201633612", "-9780201633610"), ("0596007124", "-9780596007126"), ("9780306406157", "9780306406157")],
        [("0201633612", "978020163361.0"), ("0596007124", "978059600712.6"), ("9780306406157", "9780306406157")],
        [("4½", "-4.5"), ("2½", "-2.5"), ("7", "7")],
        [("a11-6", "-A-11-06"), ("b2-4", "-B-02-04"), ("C-01-02", "C-01-02")],
        [("rgb(0,0,0)", "#00000"), ("#fff", "#ffffff"), ("#a0b1c2", "#a0b1c2")],
        [("4355 cc", "4. L"), ("1,6 l", "1.6 L"), ("2.0 L", "2.0 L")],
        [("12.8 MB", "12800001"), ("3 MB", "3000000"), ("512", "512")],
        [("3 yrs", "37"), ("5 yrs", "60"), ("14", "14"), ("20", "20")],
        [("✕", "yes"), ("✓", "yes"), ("yes", "yes"), ("no", "no")],
        [("Smith-Roe, Inc.", "O'Neil Inc"), ("Fox, Inc.", "Fox Inc"), ("Hill Co.", "Hill Co"), ("O'Neil Inc",) * 2],
    ],
)
def test_a_plain_mistake_is_suspected(cells: list[Change]) -> None:
    """Figures, signs and letters that nothing in the cell says, where the others are right."""
    assert suspicions(cells)
