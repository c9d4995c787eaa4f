"""Marks around words, words that get a label or lose one, decimals with zeros in front: what is believed, what not."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

YARNS = ["Nm 34/2", "Nm 28/2", "Ne 30/1", "Ne 20/2"]
SALTS = ["CuSO4·5H2O", "MgSO4·7H2O", "NaCl", "Na2CO3"]


def details(cells: list[Change], witnesses: list[Change] | None = None) -> set[str]:
    return {one.detail for one in suspicions(cells, witnesses or [])}


def stay(texts: list[str]) -> list[Change]:
    return [(text, text) for text in texts]


@pytest.mark.parametrize(
    ("detail", "cells"),
    [
        ("what was struck out is not struck out any more", [("the ~blue~ red mug", "the blue red mug")]),
        ("what was struck out is not struck out any more", [("<s>old</s> new price", "old new price")]),
        ("what was struck out is not struck out any more", [("the ~~blue~~ mug", "the **blue** mug")]),
        ("the sign of a product is doubled", [("about 2*3*4 of them", "about 2**3**4 of them")]),
        (
            "the text and the address of a link are exchanged",
            [("see <https://a.example|the map>", "see [https://a.example](the map)")],
        ),
        ("a quotation ends with the mark that begins one", [("He said ``go'' and left", "He said ”go“ and left")]),
        ("a quotation ends with the mark that begins one", [("use `ls` for it", "use ‘ls‘ for it")]),
        ("quotation marks inside a text are left out", [("He said ``go'' and left", "He said go and left")]),
        ("the hyphen inside a word becomes a dash", [("a well-known mug", "a well–known mug")]),
        ("the dots between the parts of a code are left out", [("10.1.11.1", "101111"), ("192.168.1.1", "19216811")]),
        ("the dots between the parts of a code are left out", [("v1.11.2", "v1112"), ("v1.1.12", "v1112")]),
        ("a stroke is left out, and other cells have none", [("a/b", "ab"), ("ab", "ab")]),
        ("the sign of a doubt is left out", [("yes?", "yes"), ("no", "no")]),
        (
            "zeros in front are lost of numbers that are all equally long",
            [("01067", "1067"), *stay(["50667", "98765", "10115"])],
        ),
        ("decimals get zeros in front", [("12.3", "km 12+003"), ("7.5 h", "7:05")]),
        ("figures get one of several words of the other cells", [*stay(YARNS), ("36/2", "Nm 36/2")]),
        (
            "a word loses its capital where it is spelt otherwise",
            [("Ich sah, Daß der Fluß groß ist", "Ich sah, dass der Fluss groß ist")],
        ),
        ("small letters of a formula become capitals", [*stay(SALTS), ("CoCl2 x 6 H2O", "COCL2·6H2O")]),
    ],
)
def test_marks_and_labels_that_say_something_else_are_suspected(detail: str, cells: list[Change]) -> None:
    """Each is suspected as it is; a witness of the same cell settles it."""
    assert detail in details(cells)
    assert detail not in details(cells, [cell for cell in cells if cell[0] != cell[1]])


@pytest.mark.parametrize(
    "cells",
    [
        [("the ~blue~ red mug", "the ~~blue~~ red mug")],
        [("about ~5 of them", "about 5 of them")],
        [("*red* mug, 2*3", "**red** mug, 2*3")],
        [("see <https://a.example|the map>", "see [the map](https://a.example)")],
        [("He said ``go'' and left", "He said “go” and left")],
        [('He said "go" and left', "He said „go“ and left")],
        [("from 1890-1945", "from 1890–1945")],
        [("1.234.567", "1234567"), ("12.345.678", "12345678")],
        [("415.555.0101", "4155550101"), ("212.555.0199", "2125550199")],
        [("01.23.45.67.89", "0123456789")],
        [("N/A", "NA"), ("NA", "NA")],
        [("Is it late?", "Is it late"), ("What a mug is it?", "What a mug is it")],
        [("12.5", "12:30"), ("7.25 h", "7:15")],
        [*stay(["34 kg", "28 kg", "30 kg"]), ("36 kilo", "36 kg"), ("38", "38 kg")],
        [("Daß der Fluß groß ist", "Dass der Fluss groß ist")],
        [*stay(SALTS), ("CoCl2 x 6 H2O", "CoCl2·6H2O")],
    ],
)
def test_marks_and_labels_that_say_the_same_raise_none_of_these(cells: list[Change]) -> None:
    """Right functions that do the like."""
    of_this_file = (
        "struck", "product", "address of a link", "quotation", "hyphen", "decimals get", "one of several words",
        "loses its capital", "formula", "dots between", "a stroke", "doubt",
    )  # fmt: skip
    assert [one for one in details(cells) if any(word in one for word in of_this_file)] == []


@pytest.mark.parametrize(
    "change",
    [
        ("53/udp", {"port": 53, "protocol": "tcp"}),
        ("25:20, abandoned", [[25, 20]]),
    ],
)
def test_a_word_in_none_of_the_parts_is_suspected(change: Change) -> None:
    """What a text becomes in parts says all its words, unless a witness shows that one goes."""
    assert "a word is in none of the parts that a text becomes" in details([change])
    assert "a word is in none of the parts that a text becomes" not in details([change], [change])


@pytest.mark.parametrize(
    "change",
    [
        ("53/udp", {"port": 53, "protocol": "udp"}),
        ("25:20, 23:25", [[25, 20], [23, 25]]),
        ("red, blue and green", ["red", "blue", "green"]),
        ("12 cm x 30 cm", [12, 30]),
    ],
)
def test_all_words_in_the_parts_are_believed(change: Change) -> None:
    """Units may go with what they measure; signs and words between items are no words of theirs."""
    assert "a word is in none of the parts that a text becomes" not in details([change])


def test_a_number_that_becomes_words_is_suspected() -> None:
    """Bits of a number as a list of names: nothing says which bit has which name, unless a witness does."""
    cells: list[Change] = [(5, ["grid", "battery"]), (2, ["panels"]), (8, ["fault"])]
    assert details(cells)
    assert details(cells, [(5, ["grid", "battery"]), (10, ["panels", "fault"])]) == set()


def test_zeros_that_numbers_do_not_have_are_no_loss() -> None:
    """A text with the decimals 50 as an object of numbers."""
    assert "figures are lost" not in details([("POINT(13.4050 52.5200)", {"x": 13.405, "y": 52.52})])


@pytest.mark.parametrize(
    "change",
    [("1/81", "1:81"), ("Ca(2+)", "Ca^2+"), ("K+", "K^+"), ("8.7 GBq", "8700 MBq"), ("0s", "0")],
)
def test_what_was_held_though_it_says_the_same(change: Change) -> None:
    """A ratio is no time; a sign behind a bracket or a caret is still there; a moved point loses nothing."""
    beside = stay(["370.5 MBq", "12.25 MBq", "8.125 MBq", "99.5 MBq"]) if "Bq" in change[0] else []
    false = ("no clock", "stands at the end", "behind a letter", "all others have", "behind a number is left out")
    assert [one for one in details([*beside, change]) if any(word in one for word in false)] == []


def test_zeros_that_dial_another_country_become_a_plus() -> None:
    """All telephone numbers are as long, and the two zeros go for the sign that says the same; nothing else may go."""
    calls = [f"00493012345{number}" for number in range(10, 40)]
    lost = "zeros in front are lost of numbers that are all equally long"
    assert lost not in details([(one, f"+{one[2:]}") for one in calls])
    assert lost in details([(one, one[2:]) for one in calls])
    assert lost in details([(f"0{one[:-1]}", f"+{one[2:-1]}") for one in calls])
