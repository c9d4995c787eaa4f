"""Codes, estimates, sizes and links: right changes beside wrong ones that look much like them."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


def kinds(cells: Sequence[Change], shown: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


def stay(*texts: str) -> list[Change]:
    return [(text, text) for text in texts]


POSTCODES = stay(
    "K0A 0B0", "M1B 1B3", "V2C 2B6", "T3E 3B9", "L4G 4B2", "N5H 5B5", "J6J 6B8", "H7K 7B1", "R8L 8B4"
)  # fmt: skip
CONTAINERS = stay(*(f"OOCU{1_000_000 + number * 7_919}" for number in range(9)))
HOUSES = stay("1201", "1333", "1544", "1877", "2102", "2250", "2431", "2999")
SUBSTANCES = stay(
    "50-00-0", "7732-18-5", "64-17-5", "67-56-1", "71-43-2", "108-88-3", "110-54-3", "75-09-2"
)  # fmt: skip
STAGES = stay("open", "closed", "in review", "paid")
AREAS = stay("55.1", "60.2", "71", "80", "90")
MADE = stay("c. 1850", "1850-1860", "1700")
GOODS = stay("hard case", "mug", "table lamp")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ([*POSTCODES, ("K5A OB7", "K5A 0B7")], [*POSTCODES, *stay("K5A OB8"), ("K5A OB7", "K5A 0B7")]),
        ([*POSTCODES, ("k5a-OB7", "K5A 0B7")], [*POSTCODES, ("K5A XB7", "K5A 0B7")]),
        ([*CONTAINERS, ("TCLU 423I32-5", "TCLU4231325")], [*CONTAINERS, ("TCLU 423I32-5", "TCLU4239325")]),
        ([*HOUSES, ("I201", "1201"), ("21O2", "2102")], [*HOUSES, ("1201B", "12018"), ("1544B", "15448")]),
        ([*SUBSTANCES, ("7732185", "7732-18-5")], [*SUBSTANCES, ("7732185", "7732-1-85")]),
        ([*MADE, ("about 1760", "c. 1760")], [*MADE, ("about 1760", "c. 1770")]),
        ([*MADE, ("ca 1760", "ABT 1760")], [*MADE, ("ABT 1760", "1760")]),
        ([*MADE, ("abt. 1760", "c. 1760")], [*MADE, ("1760", "ABT 1760")]),
        ([*MADE, ("1760?", "c. 1760")], [*MADE, ("1760", "c. 1760")]),
        ([("1/2 cup", "\u00bd cup")], [("on 1/2/2024", "on \u00bd/2024")]),
        ([*GOODS, ("tablelamp", "table lamp")], [*GOODS, ("software", "soft ware")]),
        ([*GOODS, ("\x1b[31mERROR\x1b[0m mug", "ERROR mug")], [*GOODS, ("\x1b[31mERROR\x1b[0m mug", "RROR mug")]),
        (
            [("See https://a.example/?utm_source=mail&utm_medium=x", "See https://a.example/")],
            [("See a/b", "See a/")],
        ),
        (
            [*stay("792-362-2741 x31"), ("7923622742x32", "792-362-2742 x32")],
            [*stay("2 x 4"), ("2 x 3", "2 - 3")],
        ),
        (
            [*stay("985.8", "1001.2"), ("985.8 mb", "985.8"), ("1001.2 hPa", "1001.2")],
            [*stay("985.8", "1001.2"), ("985.8 kPa", "985.8"), ("1001.2 hPa", "1001.2")],
        ),
        (
            [*AREAS, ("98.6 sqm", "98.6"), ("77.2 m2", "77.2"), ("64 m\u00b2", "64")],
            [*AREAS, ("98.6 sqm", "98.6"), ("77.2 ft\u00b2", "77.2")],
        ),
        (
            [*stay("9500", "8200"), *[(f"{n},765 kg", f"{n}765 kg") for n in (15, 16, 17)], ("11,765", "11765")],
            [*stay("9500", "8200"), *[(f"{n} kph", f"{n} km/h") for n in (15, 16, 17)], ("80mph", "129")],
        ),
        (
            [*stay("Erl\u00f6se", "Kosten"), ("Erloese", "Erl\u00f6se")],
            [*stay("Erl\u00f6se", "Kosten"), ("Michael", "Mich\u00e4l")],
        ),
    ],
)
def test_only_the_wrong_one_is_suspected(right: list[Change], wrong: list[Change]) -> None:
    assert not kinds(right)
    assert kinds(wrong)


@pytest.mark.parametrize(
    ("cells", "shown", "other"),
    [
        (
            [*stay("LH 1234", "BA 2222", "IB 4444", "AF 9876", "KL 1010"), ("LH 0348", "LH348")],
            ("LH 0123", "LH123"),
            ("LH 1234", "LH1234"),
        ),
        (
            [*stay("12.50", "99.00", "1234.50"), ("954:06", "954.06"), ("90:45", "90.45")],
            ("1 234:50", "1234.50"),
            ("99:-", "99.00"),
        ),
        (
            [
                *stay("3", "4", "2", "5"),
                ("Four bed", "4"),
                ("4BR", "4"),
                ("two beds", "2"),
                ("3BR", "3"),
            ],
            ("three bedrooms", "3"),
            ("5+", "5"),
        ),
        (
            [("Rang from 07501 518683.\nWants order 277984.", "Rang from [phone].\nWants order 277984.")],
            ("Ring 07700 900123 after 5", "Ring [phone] after 5"),
            ("Ring 5 times", "Ring 5 times"),
        ),
    ],
)
def test_what_a_witness_shows_is_believed_of_its_like(cells: list[Change], shown: Change, other: Change) -> None:
    """`other`: a witness that shows something else, and settles nothing."""
    assert not kinds(cells, [shown])
    assert kinds(cells, [other])


def test_a_word_of_bounds_without_a_number_is_none() -> None:
    """`under review` is no bound, `under eighteen` and `65 and under` are."""
    assert "sign-changed" not in kinds([*STAGES, ("under review", "in review")])
    assert "sign-changed" in kinds([*STAGES, ("under 18", "18")])
