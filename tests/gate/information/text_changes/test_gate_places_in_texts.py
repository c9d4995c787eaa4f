"""Changes in one or more places of a text: all of them, the ones that a witness shows, signs that change places."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.shown import is_shown, same_sentence
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.text_changes.some_places import first_place_only, some_places_changed

NOTES = [
    ("Ada pays €5 today", "Ada pays 5 EUR today"),
    ("A lamp costs €12.50, says Tim", "A lamp costs 12.50 EUR, says Tim"),
    ("Rent of €900 and more", "Rent of 900 EUR and more"),
    ("The € is strong", "The € is strong"),
    ("Nothing at all", "Nothing at all"),
]
RANGE = "From €49 million to €27.3 billion in 2019"
ALL, FIRST = "From 49 million EUR to 27.3 billion EUR in 2019", "From 49 million EUR to €27.3 billion in 2019"


def kinds(cells: list[Change], shown: list[Change]) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


def test_a_sign_that_stays_in_one_place_is_suspected() -> None:
    """All amounts of a text get the code behind them; a function that changes the first only is held."""
    shown = [("It costs €7.", "It costs 7 EUR.")]
    assert kinds([*NOTES, (RANGE, ALL)], shown) == set()
    assert kinds([*NOTES, (RANGE, FIRST)], shown) == {"value-changed"}


def test_a_sign_that_other_cells_keep_may_stay() -> None:
    """Points of decimals stay in every text, so that a date whose points go may stand beside one."""
    dates = [(f"On 1{n}.03.2021 it was 3.5 m", f"On 2021-03-1{n} it was 3.5 m") for n in range(5)]
    assert some_places_changed(dates, dates) is None


@pytest.mark.parametrize(
    ("change", "believed"),
    [
        (("copied f5303514-1791-1264-9179-974311472361 to", "copied <uuid> to"), True),
        (("GET /items/40522810-4315-4545-a109-133590697263/desk 203", "GET /items/<uuid>/desk 203"), True),
        (("serial 12345678-1234-1234 of a lamp", "serial <uuid> of a lamp"), False),
        (("user 12345678-1234-4123-a123-1234567890ab in", "user <id> in"), False),
    ],
)
def test_a_mask_is_shown_for_all_of_one_shape(change: Change, believed: bool) -> None:
    """A witness that masks one identifier shows it of others of the same shape, and of no other shape or mask."""
    shown = [("user 87654321-1234-4123-a123-1234567890ab in", "user <uuid> in")]
    assert is_shown(change, shown) is believed


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("c Root b Leach", True),
        ("c Smith-Roe b O'Neil", True),
        ("st Foakes b Leach", False),
        ("c & b Jones", False),
        ("Root b Leach", False),
    ],
)
def test_texts_that_differ_in_their_names_are_the_same_sentence(one: str, same: bool) -> None:
    """The words between the names have to be the same ones, and there has to be one."""
    assert same_sentence(one, "c Smith b Jones") is same
    assert not same_sentence("Root Leach", "Smith Jones")


FIRST_ONLY = [(f"{n}kg of salt, {n + 3}kg of rice", f"{n} kg of salt, {n + 3}kg of rice") for n in range(12, 16)]
SHIFTS = [(f"{n} am to {n - 3} pm in room {n}", f"0{n}:00 to {n - 3} pm in room {n}") for n in (5, 6, 7, 8)]


@pytest.mark.parametrize("cells", [FIRST_ONLY, SHIFTS])
def test_a_change_of_the_first_place_only_is_suspected_until_it_is_shown(cells: list[Change]) -> None:
    """Several texts have another place of the same shape, which stays in all of them: `count=1` by mistake."""
    assert "value-changed" in kinds(cells, [])
    assert "value-changed" not in kinds(cells[1:], cells[:1])


@pytest.mark.parametrize(
    "cells",
    [
        [(before, before.replace("kg", " kg")) for before, _ in FIRST_ONLY],
        [("", "12kg"), (" ", ""), ("12kg", "")],
        [*FIRST_ONLY[:2], ("9kg of salt", "9 kg of salt")],
        [*FIRST_ONLY, ("no 5kg or 6kg", "no 5kg or 6 kg")],
        [(f"{n}. Buy {n + 2} lamps", f"Buy {n + 2} lamps") for n in range(1, 6)],
        [(f"{n},5 l x {n}", f"{n}500 ml x {n}") for n in range(1, 6)],
        [(f"Due {n}.12.2014, invoice 95684{n}", f"Due 2014-12-0{n}, invoice 95684{n}") for n in range(1, 6)],
    ],
)
def test_a_place_that_is_unlike_the_others_may_change_alone(cells: list[Change]) -> None:
    """All places, no words, two texts only, later ones too, counters that go, another unit, parts of another shape."""
    assert first_place_only(cells, []) is None
