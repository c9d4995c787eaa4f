"""What examples show of one spelling, one case or one order is believed of another; what they do not show is not."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

Cells = list[Change]
TICKETS: Cells = [(f"D-{n}", f"D-{n}") for n in (1200, 1300, 1400, 1500)]
AGES: Cells = [(f"room {n}, {n} y", f"room {n}, {n} y") for n in (120, 121, 122, 123)]
CASES: list[tuple[str, Cells, Cells, Change]] = [
    (
        "a sign that goes from a code in an example, which has zeros in front as well",
        [("A-12", "A012")],
        [("d-545", "D545"), ("c-101", "C101"), *TICKETS],
        ("d-545", "D455"),
    ),
    (
        "a fraction in one sign, where an example has it in figures",
        [('1/2"', "DN 15"), ('1 1/4"', "DN 32"), ("NW 20", "DN 20")],
        [('\u00bd"', "DN 15"), ('1\u00bc"', "DN 32"), ("PN16", "PN16")],
        ('\u00bd"', "DN 51"),
    ),
    (
        "parts that examples replace one by one, whatever their case",
        [("Under 14 boys", "U14 boys"), ("U 9 Girls 2", "U9 girls 2")],
        [("Under 10 Boys 3", "U10 boys 3"), ("veterans", "veterans")],
        ("Under 10 Boys 3", "U10 boys"),
    ),
    (
        "letters in the order of the alphabet",
        [("C+B", "BC"), ("F, A", "AF")],
        [("CBA", "ABC"), ("ABC", "ABC"), ("K", "K")],
        ("CBA", "ACB"),
    ),
    (
        "a list that begins with its smallest number",
        [("1+ 2.5; 10+ 2.2", "1 2.5; 10 2.2"), ("10: 2.2 | 1: 2.5", "1 2.5, 10 2.2")],
        [("100+ 1.96; 1+ 2.86", "1 2.86; 100 1.96"), ("on request", "on request")],
        ("100+ 1.96; 1+ 2.86", "1 1.96; 100 2.86"),
    ),
    (
        "minutes with their seconds, beyond what a clock shows",
        [("7 min 30 s", "7:30"), ("7 min", "7:00"), ("450 s", "7:30")],
        [("54 min", "54:00"), ("24 min 6 s", "24:06"), ("<8 min", "<8 min")],
        ("54 min", "54:60"),
    ),
    (
        "the sign of minutes without any seconds",
        [("7'30\"", "7:30"), ("7 min", "7:00")],
        [("5'", "5:00"), ("23'", "23:00"), ("<8 min", "<8 min")],
        ("5'", "6:00"),
    ),
    (
        "a bound of time in other words",
        [("2 days", "48 h"), ("free until 36 hours before arrival", "36 h")],
        [("up to 5 days before", "120 h"), ("up to 2 days before", "48 h"), ("flexible", "flexible")],
        ("about 5 days before", "120 h"),
    ),
]


@pytest.mark.parametrize(("what", "shown", "cells", "wrong"), CASES)
def test_what_examples_show_is_believed_of_others(what: str, shown: Cells, cells: Cells, wrong: Change) -> None:
    """The right change beside a wrong one of the same cell, which stays suspected."""
    assert suspicions(cells, shown) == [], what
    assert suspicions([wrong, *cells[1:]], shown), what


def test_minutes_that_are_no_bound_are_none() -> None:
    """`22 min; 169` is no minimum; `min. 169` is one that no example leaves out."""
    shown = [("180 C 20 min, 200 C 10 min", "180 20, 200 10")]
    ovens = [(f"{n} C 22 min; 169 C 13 min", f"{n} 22; 169 13") for n in (210, 220, 230, 238)]
    assert suspicions([*ovens, ("as usual", "as usual")], shown) == []
    assert suspicions([*ovens, ("min. 169 C 10 min", "169 10")], shown)


def test_letters_that_become_words_of_the_text_are_not_left_out() -> None:
    """`y/o` beside an age that is written out; a letter for which nothing stands is suspected."""
    stay = [(f"room {n}a is shut", f"room {n}a is shut") for n in range(101, 106)]
    written = "30-year-old stool\n78 Y/O father", "30-year-old stool\n78-year-old father"
    assert "letters-lost" not in {one.kind for one in suspicions([written, *stay])}
    lost = "30-year-old stool\n78 Y/O father", "30-year-old stool\n78 father"
    assert "letters-lost" in {one.kind for one in suspicions([lost, *stay])}


def test_words_that_stood_twice_may_stand_once() -> None:
    """A link whose label is its address, beside one that has a label in front; another label may not go."""
    right = (
        "<https://lamp.example/9|the lamp> <https://a.example|a.example>",
        "the lamp (https://lamp.example/9) https://a.example",
    )
    assert "order-changed" not in {one.kind for one in suspicions([right])}
    wrong = (
        "<https://lamp.example/9|the lamp> <https://a.example|our plan>",
        "the lamp (https://lamp.example/9) https://a.example",
    )
    assert "order-changed" in {one.kind for one in suspicions([wrong])}


def test_minutes_of_an_hour_and_more_are_not_shown_by_less() -> None:
    """`84 min` as `84:00`, where the examples stay below an hour."""
    shown = [("7 min 30 s", "7:30"), ("7 min", "7:00")]
    assert suspicions([("84 min", "84:00"), ("<8 min", "<8 min")], shown)


def test_a_word_that_comes_to_stand_twice_is_no_lost_word() -> None:
    """`rm. 37a` as `Room 37a` below `Room 10`; without the second room the word is lost."""
    stay = [(f"rm {n}-{n + 2} on Friday", f"rm {n}-{n + 2} on Friday") for n in range(3, 8)]
    right = "Room 10: carpet\nrm. 37a", "Room 10: carpet\nRoom 37a"
    assert "words-lost" not in {one.kind for one in suspicions([right, *stay])}
    wrong = "Room 10: carpet\nrm. 37a", "Room 10: carpet\n37a"
    assert "words-lost" in {one.kind for one in suspicions([wrong, *stay])}


@pytest.mark.parametrize("text", ["between 9 and 11", "9 to 11", "9-11 Uhr", "9:00 bis 11"])
def test_hours_of_a_day_are_the_same_in_other_words(text: str) -> None:
    """From nine to eleven, and to no other hour."""
    stay = [("morning", "morning"), ("08:00-12:00", "08:00-12:00")]
    assert suspicions([(text, "09:00-11:00"), *stay]) == []
    assert suspicions([(text, "09:00-12:00"), *stay])
