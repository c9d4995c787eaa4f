"""Blanks around a text and signs without width say nothing: taking them off is never suspected."""

import random
import re
import unicodedata
from collections.abc import Callable
from itertools import islice

import pytest

from benchmarks.gate.meaning import columns
from orchestrator.gate.information.suspicions import suspicions

Spoil = Callable[[str], str]


def _columns() -> dict[str, list[str]]:
    """The cells of every column of the gate's corpora, as forms that nobody has made for this test."""
    made = {}
    for name, entry in columns().items():
        found = [one["of"] for one in entry.values() if isinstance(one, dict) and "of" in one]
        cells = [cell for cell in (found or [[]])[-1] if isinstance(cell, str) and cell and cell == cell.strip()]
        if len(cells) >= 4:
            made[name] = cells
    return made


SPOILT: dict[str, Spoil] = {
    "in front": lambda text: f" {text}",
    "behind": lambda text: f"{text}\t",
    "both sides": lambda text: f"\N{NO-BREAK SPACE}{text} ",
    "byte order mark": lambda text: f"\N{ZERO WIDTH NO-BREAK SPACE}{text}",
    "zero width": lambda text: f"{text[: len(text) // 2]}\N{ZERO WIDTH SPACE}{text[len(text) // 2 :]}",
    "direction and soft hyphen": lambda text: f"\N{LEFT-TO-RIGHT MARK}{text[:1]}\N{SOFT HYPHEN}{text[1:]}",
}


@pytest.mark.parametrize("number", range(len(SPOILT)), ids=SPOILT)
def test_what_nobody_sees_is_taken_off(number: int) -> None:
    """In two of five cells of each column, beside the others as they are. Each column is spoilt in two ways."""
    spoil, known = list(SPOILT.values())[number], _columns()
    assert len(known) > 700
    for name, cells in islice(known.items(), number % 3, None, 3):
        draw = random.Random(name)  # noqa: S311 - not a secret
        spoilt = [(spoil(cell) if draw.random() < 0.4 else cell, cell) for cell in cells]
        assert suspicions(spoilt) == [], name


def test_what_changes_besides_is_still_seen() -> None:
    """A sign without width hides no other change, and one that is put in is a change."""
    rest = [(str(number), str(number)) for number in range(1200, 1230)]
    assert suspicions([*rest, ("12\N{ZERO WIDTH SPACE}45", "1254")])
    assert suspicions([*rest, (" 1245", "145")])
    (found,) = suspicions([*rest, ("1245", "12\N{ZERO WIDTH SPACE}45")])
    assert (found.kind, found.at) == ("unseen-added", len(rest))
    (found,) = suspicions([("Rome", "Rome"), ("Oslo", "Oslo"), ("Lima ", "Lima\N{ZERO WIDTH NO-BREAK SPACE}")])
    assert found.kind == "unseen-added"
    assert suspicions([("Rome", "Rome"), ("thea&shy;tre", "thea\N{SOFT HYPHEN}tre")]) == []


def test_words_that_meet_without_a_sign_are_suspected() -> None:
    """Not where a capital or a figure shows where they met, where other cells are written so, or of codes."""
    joined = [("to be announced", "tobeannounced"), ("12.03.2024", "12.03.2024"), ("no charge", "nocharge")]
    assert [one.kind for one in suspicions(joined)] == ["words-joined"]
    for fine in (
        [("in stock", "inStock"), ("Credit Card", "CreditCard")],
        [("on line", "online"), ("online", "online")],
        [("GB LHR", "GBLHR"), ("DE HAM", "DEHAM")],
        [("net 30", "net30"), ("50 %", "50%"), ("e mail", "email")],
    ):
        assert suspicions(fine) == [], fine


def test_ends_of_ranges_that_become_one_number_are_suspected() -> None:
    """Brackets of ages and spans of years, where every pair goes up; parts of codes go up and down."""
    for cells in (["18-24", "25-34", "35-44"], ["2019 \u2013 2020", "2020 \u2013 2021", "1998-2001"]):
        (found,) = suspicions([(cell, re.sub(r"\D", "", cell)) for cell in cells])
        assert (found.kind, found.at) == ("figures-joined", 0)
    codes = ["18-24", "35-34", "35-44", "71-12"]
    assert suspicions([(cell, cell.replace("-", "")) for cell in codes]) == []


@pytest.mark.parametrize(("half", "codec"), [(0, "latin-1"), (1, "cp1252")])
def test_utf8_that_was_read_as_another_encoding_is_read_again(half: int, codec: str) -> None:
    """In two of five cells of a column; the second byte of `í` is a soft hyphen elsewhere, that of `à` a blank."""
    accents = str.maketrans("aeiouAEIOU", "àeíôüÀÉIÓÜ")
    for name, cells in islice(_columns().items(), half, None, 2):
        draw = random.Random(name)  # noqa: S311 - not a secret
        right = [cell.translate(accents) for cell in cells]
        misread = [cell.encode().decode(codec, "replace") if draw.random() < 0.4 else cell for cell in right]
        pairs = [(one, other) for one, other in zip(misread, right, strict=True) if "\ufffd" not in one]
        assert suspicions(pairs) == [], name
    assert suspicions([("KÃ¶ln", "Köln"), ("GarcÃ\xada", "Garca"), ("LiÃ¨ge", "Liège")])


SENTENCES = (
    "Le château fut bâti en 1642 par le duc d’Orléans.",
    "Il paya 1 200 francs pour la maison, dit le maire à sa mère.",
    "La difficulté était de définir l’efficacité du traitement avant la fin.",
)


def test_a_sentence_loses_no_accents_even_where_all_do() -> None:
    """Short texts of a column may be made keys; a sentence that loses its accents is spelled wrongly."""
    changes = [(text, "".join(c for c in unicodedata.normalize("NFD", text) if c.isascii())) for text in SENTENCES]
    assert "letters-lost" in {one.kind for one in suspicions(changes)}
    assert suspicions(changes, [(changes[0][0], changes[0][1])]) == []
    assert suspicions([("José", "Jose"), ("Zoë", "Zoe"), ("Tom", "Tom")]) == []
    assert suspicions([(unicodedata.normalize("NFD", text), text) for text in SENTENCES]) == []


def test_the_capital_i_of_turkish_is_that_of_the_dotless_one() -> None:
    """ALICI is no other word than alıcı; a dotless i that goes where other cells keep theirs is a letter lost."""
    cells = [("alıcı", "alıcı"), ("gönderici", "gönderici")] * 9
    assert suspicions([("ALICI", "alıcı"), ("GÖNDERİCİ", "gönderici"), ("IĞDIR", "Iğdır"), *cells]) == []
    assert "letters-lost" in {one.kind for one in suspicions([("sınır", "sinir"), *cells])}
    assert "word-replaced" in {one.kind for one in suspicions([("ALICI", "gönderici"), *cells])}


def test_a_misread_word_that_stays_as_it_is_loses_no_accent() -> None:
    """What else changes in its text says nothing of it."""
    misread = [text.encode().decode("latin-1") for text in SENTENCES]
    changes = [(f"{text}  ", text) for text in (*misread, *SENTENCES)]
    changes += [(f"« {text} »", f'"{text}"') for text in misread]
    assert "letters-lost" not in {one.kind for one in suspicions(changes)}
    lost = [("GarcÃ­a lived in the small house by the lake", "Garca lived in the small house by the lake")]
    assert "letters-lost" in {one.kind for one in suspicions([*lost, *changes])}


@pytest.mark.parametrize(
    ("after", "kinds"),
    [
        ("The infor mation is in the room of the inn.", {"letters-lost"}),
        ("The infor  mation is in the room of the inn.", {"letters-lost"}),
        ("The information is in the room of the inn.", set()),
        ("The infor-mation is in the room of the inn.", set()),
    ],
)
def test_a_word_that_a_line_end_divides_becomes_one_word_or_stays(after: str, kinds: set[str]) -> None:
    """Line ends that become blanks, beside hyphens that go, leave halves of words."""
    before = "The infor-\nmation is in the room of the inn."
    assert {one.kind for one in suspicions([(before, after)])} == kinds
    assert (
        suspicions([(before, after)], [("The inn-\nkeeper is out, he said.", "The inn keeper is out, he said.")]) == []
    )
