"""Each law of the suspicions that reads more than a cell, with a right function and a wrong one that looks like it."""

from collections.abc import Sequence

import pyarrow as pa
import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.emptied import emptied_like_others
from orchestrator.gate.information.row_evidence.said_beside import ends_left_out, said_beside
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.value_kinds.addresses import same_address

GEARS = [("Automatic", "Automatic"), ("Manual", "Manual")]
FLOORS = [("3rd floor", "3"), ("4th Floor", "4"), ("12th floor", "12"), ("5", "5")]
FOOTERS = [
    (f"The {word} came.\n\nSent from my {mail}", f"The {word} came.") for word in "abc" for mail in ("iPad", "Mac")
]
PAIRS = [("404 Not Found", "404"), ("200 OK", "200"), ("301 Moved", "301")]
CODES = [(code, code) for code in ("404", "200", "301")]
SIZES = [("3 KB", "3000"), ("700 KB", "700000"), ("40 KB", "40000"), ("1 MB", "1000000")]
BYTES = [(f"{n} B", f"{n}") for n in (1, 5, 20, 100, 300)]
PLAIN = [(f"{n}", f"{n}") for n in (5_120, 9_000, 70_000, 90_000)]
MEGABYTES = [*((f"{n} MB", f"{n}") for n in range(1, 6)), ("300 KB", "0.3"), *PLAIN]
NUMBERS = [(f"{n}", f"{n}") for n in (105, 230, 991, 400)]
KEYS = [("A minor", "A minor"), ("E minor", "E minor"), ("C major", "C major")]
INVOICES = [(f"2021-{n}", f"INV-2021-{n}") for n in ("12345", "01234", "00042", "88888", "10000")]
LAMPS = [(f"{thing} ({colour})", thing) for thing in ("lamp", "desk", "mug") for colour in ("black", "white")]


def kinds(cells: Sequence[Change]) -> set[str]:
    return {one.kind for one in suspicions(cells)}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ([*GEARS, ("MT", "Manual"), ("AT", "Automatic")], [*GEARS, ("MT", "Automatic")]),
        (
            [("Tottenham Hotspur",) * 2, ("Arsenal",) * 2, ("Spurs", "Tottenham Hotspur")],
            [("Tottenham Hotspur",) * 2, ("Arsenal",) * 2, ("Spurs", "Arsenal")],
        ),
        ([*FLOORS, ("first floor", "1"), ("Ground floor", "0")], [*FLOORS, ("Ground floor", "1")]),
        (FOOTERS, [(before, before[:3]) for before, _ in FOOTERS]),
        ([*PAIRS, *CODES], [*PAIRS[:2], ("301 Moved", "200"), *CODES]),
        ([*SIZES, *BYTES, *PLAIN], MEGABYTES),
        ([("l23", "123"), ("1O5", "105"), *NUMBERS], [("l23", "723"), ("1O5", "15"), *NUMBERS]),
        ([*KEYS, ("Am", "A minor"), ("Em", "E minor")], [*KEYS, ("Am", "A major"), ("Em", "E major")]),
        (INVOICES, [(one, other.replace("-0", "-")) for one, other in INVOICES]),
        ([("1:43.20", "103.20"), ("2:05.11", "125.11")], [("1:43.20", "143.20"), ("2:05.11", "205.11")]),
        ([("4k7", "4700"), ("2R2", "2.2")], [("4k7", "470"), ("2R2", "22")]),
        ([("noon", "12:00"), ("midnight", "00:00")], [("midnight", "12:00")]),
        ([("Free", "0.00"), ("2.50", "2.50")], [("Free", "1.00"), ("2.50", "2.50")]),
        ([("3 wks", "21"), ("2 weeks", "14"), ("5 days", "5")], [("3 wks", "3"), ("2 weeks", "14"), ("5 days", "5")]),
        ([("66°F", "18.9"), ("20.0", "20.0")], [("66°F", "16.9"), ("20.0", "20.0")]),
        ([("SP20", "Spring 2020"), ("FA21", "Fall 2021")], [("SP20", "Spring 2021"), ("FA21", "Fall 2021")]),
        ([("Ken <don@a.org>", "don@a.org"), ("ada@a.org",) * 2], [("Ken <don@a.org>", "ken@b.net")]),
        ([("12 N Oak St", "12 N Oak Street")], [("12 N Oak St", "12 Oak Street")]),
        ([("2 tsp oil", "2 teaspoons oil")], [("2 tsp oil", "2 tablespoons oil")]),
        ([("44 BC", "-44"), ("AD 79", "79")], [("44 BC", "-44"), ("AD 79", "-79")]),
        ([("44 BC", "-44"), ("AD 79", "79")], [("44 BC", "44"), ("AD 79", "79")]),
        ([("B AB1234", "B-AB 1234")], [("B AB1234", "AB-B 1234")]),
        ([("The  lamp of Rome", "The lamp of Rome")], [("The  lamp of Rome", "Thelamp of Rome")]),
        ([("NL 123.B01", "NL123B01")], [("NL123B01", "NL12301")]),
        (
            [(f"LH {n}", f"LH{n}") for n in "123"],
            [(f"{line} {n}", n) for n in ("101", "102", "103") for line in ("LH", "BA")],
        ),
        ([(one, one) for one, _ in LAMPS], LAMPS),
    ],
)
def test_the_column_tells_right_from_wrong(right: list[Change], wrong: list[Change]) -> None:
    """The right change raises nothing; one that looks like it and says something else is suspected."""
    assert kinds(right) == set()
    assert kinds(wrong)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("HTTP://www.Lamp.example/", "http://lamp.example", True),
        ("mailto:ADA@B.ORG", "ada@b.org", True),
        ("lamp.example", "https://lamp.com", False),
        ("ada@gmail.com", "ada@yahoo.com", False),
        ("ada@gmial.com", "ada@gmail.com", None),
        ("ada@yahoo.con", "ada@yahoo.com", None),
        ("lamp.example/shop", "lamp.example", None),
        ("ada+news@b.org", "ada@b.org", None),
        ("two words", "words", None),
    ],
)
def test_addresses_are_the_same_at_the_same_host(before: str, after: str, same: bool | None) -> None:
    """Another host is another address, but for a typing error; of a path or a tag nobody knows."""
    assert same_address(before, after) is same


def test_what_another_column_says_is_the_end_without_its_signs() -> None:
    """Different ends by their rows; where all lose the same one, nothing is told by it."""
    before, after = ["Austin, TX", "Reno (NV)", "Rome"], ["Austin", "Reno", "Rome"]
    assert ends_left_out(before, after, [0, 1]) == {0: "TX", 1: "NV"}
    assert ends_left_out(["a kg", "b kg"], ["a", "b"], [0, 1]) == {}


def test_a_column_beside_must_say_it_in_every_row() -> None:
    """What stands beside in all rows is not lost; where one row says another state, nothing is said."""
    table = pa.table({"town": ["Austin", "Reno"], "state": ["TX", "NV"]})
    assert said_beside(table, "town", {0: "TX", 1: "NV"}) == [["TX", "NV"]]
    assert said_beside(table, "town", {0: "TX", 1: "OR"}) == []


def test_the_sample_shows_how_often_a_text_stands() -> None:
    """A date that stands for nothing in many rows of the sample does so in the few that were held out."""
    held_out = ["1900-01-01", "1971-03-05", "1980-07-11", "1990-12-01"]
    after = [None, *held_out[1:]]
    assert emptied_like_others(held_out, after) == [0]
    assert emptied_like_others(held_out, after, ["1900-01-01"] * 3) == []
    assert emptied_like_others(held_out, [*held_out[:3], None], ["1900-01-01"] * 3) == [3]
