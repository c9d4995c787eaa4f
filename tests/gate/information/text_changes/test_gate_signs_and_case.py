"""Signs, capitals, zeros, units and line ends that a change loses: each rule with a right change beside it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.laws import LAWS
from orchestrator.gate.information.suspicions import suspicions


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


def stay(*texts: str) -> list[Change]:
    return [(text, text) for text in texts]


WORDS = stay("T-shirt", "x-ray", "co-op", "tea-set")
NAMES = stay("living_room", "dining_room", "bath_room", "bed_room")
TOWNS = stay("New York", "San Francisco", "Los Angeles", "Frankfurt")
GRADES = stay("1", "2", "3", "4", "5")
POSTCODES = stay("10115", "60311", "80331", "1010", "9020")
VERSIONS = stay("2.4.1", "1.0.12", "3.10.0", "1.2.3")
WEIGHTS = stay("80kg", "75.5kg", "68 kg", "90kg")
LINES = [*stay("LH", "IB", "LX", "TP"), *{"Swiss": "LX", "Lufthansa": "LH", "Iberia": "IB", "Vueling": "VG"}.items()]


@pytest.mark.parametrize(
    ("kind", "wrong", "right"),
    [
        ("mark-lost", [*WORDS, ("V-Neck", "VNeck")], [*WORDS, ("v - neck", "v-neck")]),
        ("mark-lost", [*NAMES, ("guest_room", "guestroom")], [*NAMES, ("guest  room", "guest_room")]),
        ("mark-lost", [("It's late", "It s late")], [("It’s late", "It's late")]),
        ("mark-lost", [("Ken O'Hara", "Ken O Hara")], [("Ken O Hara's", "Ken O Hara's ".strip())]),
        ("sign-changed", [("2 x 4", "2 - 4")], [("2 x 4", "2 × 4")]),
        ("sign-changed", [("3*5 cm", "3 + 5 cm")], [("3*5 cm", "3 x 5 cm")]),
        ("sign-changed", [("minus 5 °C", "+5 °C")], [("minus 5 °C", "-5 °C")]),
        ("sign-changed", [("it is plus 5 today", "it is - 5 today")], [("plus 5", "+5")]),
        ("sign-changed", [("B positive", "B-")], [("B positive", "B+")]),
        ("figures-joined", [("2½ cups", "21/2 cups")], [("2½ cups", "2 1/2 cups")]),
        (
            "words-joined",
            [("Elm Street\n12 Bonn", "Elm Street12 Bonn")],
            [("Elm Street\n12 Bonn", "Elm Street, 12 Bonn")],
        ),
        (
            "words-joined",
            [("a red lamp<br/>and a mug", "a red lampand a mug")],
            [("a red lamp<br/>and", "a red lamp\nand")],
        ),
        ("letters-lost", [("Drew Knuth", "ew Knuth")], [("drew Knuth", "Drew Knuth")]),
        ("case-changed", [*TOWNS, ("NEW ORLEANS", "New orleans")], [*TOWNS, ("NEW ORLEANS", "New Orleans")]),
        (
            "case-changed",
            [*TOWNS, ("Rio De Janeiro", "Rio de janeiro")],
            [*TOWNS, ("RIO DE JANEIRO", "Rio de Janeiro")],
        ),
        ("case-changed", [("HTTP://A.ORG/Lamp", "http://a.org/lamp")], [("HTTP://A.ORG/Lamp", "http://a.org/Lamp")]),
        ("word-replaced", [*GRADES, ("poor", "0")], [*GRADES, ("five", "5"), ("one", "1")]),
        ("figures-lost", [*POSTCODES, ("01067", "1067")], [*POSTCODES, ("1067", "01067")]),
        ("figures-lost", [*VERSIONS, ("1.10", "1.1")], [*VERSIONS, ("v1.10", "1.10")]),
        ("quantity-changed", [*WEIGHTS, ("71 kg", "71")], [*WEIGHTS, ("71  KG", "71 kg")]),
    ],
)
def test_a_sign_goes_where_others_keep_it(kind: str, wrong: list[Change], right: list[Change]) -> None:
    """The wrong change is suspected, the right one is not, and a witness that shows the wrong one settles it."""
    assert kind in kinds(wrong)
    assert kinds(right) == set()
    assert kind not in kinds(wrong, [cell for cell in wrong if cell[0] != cell[1]])


def test_a_code_that_no_other_cell_has_is_doubted_though_one_word_is_shown() -> None:
    """A witness of one word settles codes of the letters of theirs, and not one that came from nowhere."""
    shown = [("Swiss", "LX")]
    more = [("Aer Lingus", "EI"), ("Qantas", "QS"), ("Condor", "CD")]
    assert "word-replaced" in kinds([*LINES, *more, ("Ryanair", "FR")], shown)
    assert "word-replaced" not in kinds([*LINES, *more, ("Ryanair", "RY")], shown)


@pytest.mark.parametrize(
    "cells",
    [
        [*TOWNS, ("FRANKFURT AM MAIN", "Frankfurt am Main")],
        [*TOWNS, ("NEUILLY-SUR-SEINE", "Neuilly-sur-Seine")],
        [*TOWNS, *stay("Bad homburg"), ("NEW ORLEANS", "New orleans")],
        [("https://a.org/b%2fc", "https://a.org/b%2Fc")],
        [("ADA@Example.ORG", "ada@example.org")],
        [("\u6771\u4eac\n\u5927\u962a", "\u6771\u4eac\u5927\u962a")],
        [("a hyphen-\nated word", "a hyphenated word")],
        [("HIV-positive", "HIV - positive")],
        [("a plus-size dress", "a plus - size dress")],
        [*WORDS, ("AT&amp;T", "AT&T")],
        [*GRADES, ("7", "7"), ("six", "6")],
        [*stay("1.10", "1.25", "2.5"), ("3.50", "3.5")],
        [*stay("80kg", "75 lbs", "68 kg"), ("71 kg", "71")],
        [*stay("12", "80kg", "75kg", "68 kg"), ("71 kg", "71")],
    ],
)
def test_what_only_looks_like_a_loss_is_not_suspected(cells: list[Change]) -> None:
    """Small words of names, escapes of links, scripts without blanks, words that stay, columns that show nothing."""
    assert kinds(cells) == set()


def test_a_quantity_in_words_may_lie_beyond_the_numbers_that_stay() -> None:
    """`an hour ago` says which number it is; a grade in words does not."""
    hours = stay("24", "48", "72", "168")
    assert "word-replaced" not in kinds([*hours, ("an hour ago", "1")])
    assert "word-replaced" in kinds([*hours, ("long ago", "1")])


def test_each_kind_of_suspicion_is_documented() -> None:
    """Who gets a verdict with a concern finds its kind in docs/gate.md."""
    documented = (Path(__file__).parents[4] / "docs" / "gate.md").read_text()
    assert [kind for kind, *_ in LAWS if f"`{kind}`" not in documented] == []


@pytest.mark.parametrize(
    ("values", "wrong", "right"),
    [
        (("Up", "Up-", "Down", "Down-"), ("Up -", "Up"), ("Up -", "Up-")),
        (("Low", "Low-", "High"), ("LOW -", "Low"), ("LOW -", "Low-")),
        (("Alpha", "-Alpha", "Beta"), ("- Alpha", "Alpha"), ("- Beta", "Beta")),
        (("Point P", "Point P'", "Point Q"), ("Point P '", "Point P"), ("Point Q '", "Point Q")),
        (("Sodium", "Sodium+", "Iron"), ("Sodium +", "Sodium"), ("North -", "North")),
    ],
)
def test_a_sign_that_tells_two_values_apart_stays(values: tuple[str, ...], wrong: Change, right: Change) -> None:
    """`Up -` is `Up-` where both `Up-` and `Up` are values; where nobody writes `North-`, a dash apart says nothing."""
    assert "mark-lost" in kinds([*stay(*values), wrong])
    assert "mark-lost" not in kinds([*stay(*values, "North"), right])
