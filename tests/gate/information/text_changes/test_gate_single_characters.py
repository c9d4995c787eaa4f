"""Characters that say something by their form: raised figures, joiners, capitals of codes and units."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


@pytest.mark.parametrize(
    "cells",
    [
        [("10\u00b2", "102"), ("10\u2075", "105"), ("250", "250")],
        [("10\u207b\u00b3 mol", "10\u22123 mol"), ("10\u207b\u2076 mol", "10-6 mol")],
        [("1\u00bd cups", "11\u20442 cups"), ("2 cups", "2 cups")],
        [("1200\u00b9", "12001"), ("3400", "3400")],
        [("10\u2460", "101"), ("12", "12")],
        [("Total\u00b9", "Total1"), ("Sum\u00b2", "Sum2")],
    ],
)
def test_raised_figures_that_join_numbers_are_suspected(cells: list[Change]) -> None:
    """Unless a witness shows such a change."""
    assert "figures-joined" in {one.kind for one in suspicions(cells)}
    changed = [cell for cell in cells if cell[0] != cell[1]]
    assert suspicions(cells, witnesses=changed) == []


@pytest.mark.parametrize(
    "cells",
    [
        [("x\u00b2", "x2"), ("5 m\u00b3", "5 m3"), ("H\u2082O", "H2O")],
        [("1\u00bd cups", "1 1/2 cups"), ("\u00bd cup", "1/2 cup"), ("2\u00bc", "2.25")],
        [("10\u207b\u00b3", "10^-3"), ("10\u00b2", "10^2")],
        [("1200\u00b9", "1200"), ("3400\u00b2", "3400"), ("5600", "5600")],
        [("\u2460 item", "1 item"), ("\u2163", "IV"), ("\uff11\uff12", "12")],
        [("o\ufb03ce", "office"), ("5 \u338f", "5 kg"), ("12\u00a0345", "12 345")],
    ],
)
def test_plain_forms_that_stand_alone_are_believed(cells: list[Change]) -> None:
    """The same sign otherwise written, and a note that goes."""
    assert suspicions(cells) == []


def test_letters_of_a_sign_in_a_word_are_suspected() -> None:
    """A trade mark that goes is none."""
    assert "words-joined" in {one.kind for one in suspicions([("Acme\u2122", "AcmeTM"), ("Zeno", "Zeno")])}
    assert suspicions([("Acme\u00ae", "Acme"), ("Zeno", "Zeno")]) == []
    assert suspicions([("Acme\u2122", "Acme (TM)"), ("Acme\u00ae", "Acme (R)")]) == []


@pytest.mark.parametrize(
    "cell",
    [
        ("\U0001f469\u200d\U0001f467 family", "\U0001f469\U0001f467 family"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u062e\u0648\u0627\u0647\u0645"),
    ],
)
def test_joiners_that_go_are_suspected(cell: Change) -> None:
    """Between letters or pictures that need them; others go as any sign without width."""
    assert "letters-lost" in {one.kind for one in suspicions([cell, ("home", "home")])}
    assert suspicions([cell], witnesses=[cell]) == []


def test_signs_without_width_go() -> None:
    """Zero-width spaces, joiners at an end or between Latin letters, and pictures that go as a whole."""
    cells = [("Ro\u200bme", "Rome"), ("Paris\u200d", "Paris"), ("\u200eOslo", "Oslo"), ("Bo\u200cnn", "Bonn")]
    assert suspicions(cells) == []
    assert suspicions([("party \U0001f469\u200d\U0001f467", "party"), ("home", "home")]) == []


def test_marks_that_no_word_has_are_suspected() -> None:
    """`str.lower` makes two signs of a Turkish capital. One sign for a letter and its mark is believed."""
    assert "letters-added" in {one.kind for one in suspicions([("\u0130ZM\u0130R", "i\u0307zmi\u0307r")])}
    assert suspicions([("\u0130ZM\u0130R", "izmir"), ("ADANA", "adana")]) == []
    assert suspicions([("cafe\u0301", "caf\u00e9"), ("caf\u00e9", "cafe\u0301")]) == []


@pytest.mark.parametrize(
    "cell",
    [(" Rome", "R\u043eme"), ("Z\u00fcrich ABC", "Z\u00fcrich \u0410\u0412\u0421"), ("cop", "\u0441\u043e\u0440")],
)
def test_letters_of_another_script_that_look_the_same_are_suspected(cell: Change) -> None:
    """Nobody sees it, and no search finds the word any more."""
    beside = [("Oslo ", "Oslo"), ("Bonn", "Bonn")]
    assert "word-replaced" in {one.kind for one in suspicions([cell, *beside])}
    assert suspicions([cell, *beside], witnesses=[cell]) == []


@pytest.mark.parametrize(
    "cell",
    [
        ("R\u043eme", "Rome"),
        ("M\u043e\u0441\u043a\u0432\u0430", "\u041c\u043e\u0441\u043a\u0432\u0430"),
        (" \u0441\u043e\u0440", "\u0441\u043e\u0440"),
    ],
)
def test_words_of_two_scripts_become_words_of_one(cell: Change) -> None:
    """What is repaired so, and what was of another script before."""
    assert suspicions([cell, ("Oslo ", "Oslo"), ("Bonn", "Bonn")]) == []


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        (("AB-12", "AB\u201112"), "word-replaced"),
        (("AB-12", "AB-\uff11\uff12"), "word-replaced"),
        (("15.10", "\u0661\u0665.\u0661\u0660"), "word-replaced"),
        (("Sofia", "So\ufb01a"), "word-replaced"),
        (("Kiel", "\u212aiel"), "word-replaced"),
        (("Rome", "Rome\u00a0"), "unseen-added"),
        (("Rome", "\tRome"), "unseen-added"),
        (("Rome", "Rome\n"), "unseen-added"),
        (("Rome", "Rome\u2061"), "unseen-added"),
    ],
)
def test_signs_that_say_the_same_and_blanks_at_an_end_are_suspected(cell: Change, kind: str) -> None:
    """Where they are put in; that they go is what cleaning is for."""
    beside = [("Oslo ", "Oslo"), ("Bonn", "Bonn")]
    assert kind in {one.kind for one in suspicions([cell, *beside])}
    assert suspicions([cell, *beside], witnesses=[cell]) == []
    assert suspicions([cell[::-1], *beside]) == []


def test_units_that_a_capital_tells_apart_are_kept_apart() -> None:
    """Where a column has both; one unit in several spellings may come to have one."""
    for one, other in (("5 MW", "3 mW"), ("5 nM", "3 nm"), ("2 MPa", "9 mPa"), ("1.5 mHz", "8 MHz")):
        cells = [(one, one.lower()), (other, other.lower())]
        assert "quantity-changed" in {found.kind for found in suspicions(cells)}
    for spelled in (
        ["5 KW", "3 kW", "2 kw"],
        ["5 ML", "3 ml", "2 mL"],
        ["5 MM", "3 mm"],
        ["5 MG", "3 mg"],
        ["5 mW", "3 mW"],
    ):
        assert suspicions([(text, text.lower()) for text in spelled]) == []


CODES = ["dQw4w9WgXcQ", "9bZkp7q19f0", "kJQP7kiw5Fk", "OPf0YbXqDm0", "fJ9rUzIMcZQ", "JGwWNGJdvx8", "RgKAFK5djSk"]


def test_codes_keep_the_case_of_their_letters() -> None:
    """Where it differs from code to code; figures of base sixteen and codes with one word have theirs by chance."""
    assert "case-changed" in {one.kind for one in suspicions([(code, code.lower()) for code in CODES])}
    hexadecimal = ["aB3f9C0d", "Ab4F0c1D", "9fAb2C3e", "aaBB11cD", "f0F0aBcD", "1aB2cD3e"]
    assert suspicions([(code, code.lower()) for code in hexadecimal]) == []
    for codes in (["Sku-12a", "sku-13A", "SKU-14b", "sKU-15b", "Sku-16c", "SkU-17"], ["Ab-12", "aB-13", "AB-14"]):
        assert suspicions([(code, code.upper()) for code in codes]) == []
    assert suspicions([(name, name.lower()) for name in ("JavaScript2", "TypeScript5", "PostGres9", "MySql8")]) == []
