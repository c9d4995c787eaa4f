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
        [(True, 1), (False, 0)],
        [("5.353,60 H", "5353.60"), ("120,00 S", "-120.00"), ("33.50", "33.50"), ("-20.00", "-20.00")],
        [("The alarm at 12:35 am and at 3 AM.", "The alarm at 00:35 and at 03:00."), ("Blue desk", "Blue desk")],
        [("köln", "Köln"), ("", ""), ("Bonn", "Bonn"), ("Köln", "Köln")],
        [("07.02.2024", "2024/02/07"), ("2024/03/17", "2024/03/17")],
        [("12,300円", "¥12300"), ("¥500", "¥500")],
        [("59m12s", "0:59:12"), ("1:05:00", "1:05:00")],
        [("9 Uhr", "09:00"), ("14h30", "14:30"), ("16:00", "16:00")],
        [("0xFF", "255"), ("0x1F", "31"), ("10", "10")],
        [("li", "left"), ("R", "right"), ("left", "left"), ("right", "right")],
        [("A won-\nderful mug", "A wonderful mug"), ("Blue desk", "Blue desk")],
        [("Born 19.7.1960.\nMoved 17.3.2013.", "Born 1960-07-19.\nMoved 2013-03-17."), ("Blue desk", "Blue desk")],
        [("40.0608 S, 143.8397 E", "-40.0608, 143.8397"), ("1.5000, 2.2500", "1.5000, 2.2500")],
        [("935-573-2372 ext. 914", "(935) 573-2372 x914"), ("(212) 555-0100", "(212) 555-0100")],
        [("aged 55 to 64", "55-64"), ("18-24", "18-24")],
        [("Fr., 16. Dezember 2022", "2022-12-16"), ("2021-05-04", "2021-05-04")],
        [("2.5 lakh", "250000"), ("8 Cr", "80000000"), ("45000", "45000")],
        [("Vol. III", "3"), ("Bd. 4", "4"), ("12", "12"), ("Vol. IIX", "Vol. IIX")],
        [("PT1H15M", "75"), ("PT71M", "71"), ("45", "45")],
        [('15.6"', "15.6 in"), ("15,1 Zoll", "15.1 in"), *((f"{n} in", f"{n} in") for n in (13.3, 14, 17))],
        [("MSCU 316749-8", "MSCU3167498"), *((f"MSCU{n}",) * 2 for n in (1234567, 2345678, 3456789)), ("BL 1-2",) * 2],
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
        [(f"{n}k", str(n)) for n in (1.5, 2, 3.25)] + [("900", "900")],
        [("7 pm", "7"), ("11 pm", "11"), ("12", "12")],
        [("2 1/2", "21/2"), ("3 1/4", "31/4"), ("7", "7")],
        [("v1.10", "1.1"), ("v1.20", "1.2"), ("2.1", "2.1")],
        [("12 Main St.", "12 Main Saint"), ("5 Elm Road", "5 Elm Road")],
        [("Dr. Fox", "Drive Fox"), ("Dr Poe", "Drive Poe"), ("Ada Hill", "Ada Hill")],
        [("minus 5", "5"), ("minus 7", "7"), ("3", "3")],
        [("5 below", "5"), ("7 below", "7"), ("3", "3")],
        [("born 1970", "1970"), ("born 1966", "1966"), ("died 1999", "1999"), ("died 2004", "2004"), ("1965", "1965")],
        [("The years 1914-\n1918 in Rome", "The years 19141918 in Rome")],
        [("North-\nAmerica and Rome", "NorthAmerica and Rome")],
        [("It’s the mug’s fault, isn’t it?", "Its the mugs fault, isnt it?")],
        [("Well-known mug\nfrom Rome", "Wellknown mug\nfrom Rome")],
        [(True, 0), (False, 1)],
        [("04693", "04693.0"), ("12345", "12345")],
        [(f"0{n}", str(n)) for n in (12759904489, 81586136417)] + [(f"4{n}",) * 2 for n in range(10**10, 10**10 + 5)],
        [('15.6"', "15.6"), ("15,1 Zoll", "15.1"), *((f"{n} in", f"{n} in") for n in (13.3, 14, 17))],
        [("#34 Ken", "Ken, -34"), ("#3 Bob", "Bob, 3"), ("#7 Tim", "Tim, 7")],
        [("5 MW", "5 mW"), ("7 mW", "7 mW")],
        [("mug&nbsp;red", "mugred"), ("desk&nbsp;blue", "deskblue"), ("big red sofa", "big red sofa")],
        [("120.000 km", "120"), ("85.500 km", "85.5"), ("95000", "95000"), ("60000", "60000")],
        [("42 2/3", "42.2"), ("43 1/3", "43.1"), ("41", "41")],
        [("2 yrs 3 mos", "2.3"), ("1 yr 6 mos", "1.6"), ("3", "3")],
        [("ada@x.org, a@y.org", "ada@x.org"), ("bob@x.org; b@y.org", "bob@x.org"), ("tim@x.org", "tim@x.org")],
        [("A Rh+", "A"), ("0 Rh-", "0"), ("AB+", "AB+")],
        [("before 1850", "1850"), ("after 1850", "1850"), ("1900", "1900")],
        [("A,C,G", "ACG"), ("A, C", "AC"), ("G", "G")],
        [("1.2.03", "2001-02-03"), ("4.5.06", "2004-05-06"), ("1999-12-31", "1999-12-31")],
        [("Smith-Roe, Inc.", "O'Neil Inc"), ("Fox, Inc.", "Fox Inc"), ("Hill Co.", "Hill Co"), ("O'Neil Inc",) * 2],
    ],
)
def test_a_plain_mistake_is_suspected(cells: list[Change]) -> None:
    """Figures, signs and letters that nothing in the cell says, where the others are right."""
    assert suspicions(cells)
