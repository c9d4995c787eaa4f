"""Pictures beside a text, and words for a value that is not known."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


def test_pictures_that_tell_values_apart_are_missed() -> None:
    """Unless a witness shows that such a one goes."""
    cells = [("good \U0001f44d", "good"), ("good \U0001f44e", "good"), ("bad", "bad")]
    assert "mark-lost" in [one.kind for one in suspicions(cells)]
    assert suspicions(cells, witnesses=[("ok \U0001f44d", "ok")]) == []


@pytest.mark.parametrize(
    "cells",
    [
        [("nice day \U0001f600", "nice day"), ("so sad \U0001f622", "so sad"), ("bad", "bad")],
        [("fine \U0001f44d", "fine"), ("fine \U0001f600", "fine"), ("fine \u2764", "fine")],
        [("Acme\u00ae", "Acme"), ("Acme\u00a9", "Acme"), ("Globex", "Globex")],
        [("\U0001f600 good", "good"), ("good \U0001f600", "good")],
    ],
)
def test_pictures_of_different_texts_may_go(cells: list[Change]) -> None:
    """They tell nothing apart, or decorate."""
    assert suspicions(cells) == []


def test_a_picture_that_becomes_another_one_is_suspected() -> None:
    """One that says the same is believed."""
    assert "sign-changed" in [one.kind for one in suspicions([("good \U0001f44e", "good \U0001f44d"), ("bad", "bad")])]
    assert suspicions([("done \u2713", "done \u2714"), ("open", "open")]) == []


def test_words_that_become_symbols_are_suspected() -> None:
    """Braille of another column, in place of two words; stars of a rating, ticks and arrows say what stood there."""
    braille = [("Gnarlix", "\u2834\u2831"), ("Veblorp", "\u2834\u2832")]
    assert {one.kind for one in suspicions(braille)} == {"words-lost"}
    assert suspicions([("yes", "\u2713"), ("no", "\u2717")]) == []
    stars = suspicions(
        [("Four of five", "\u2605\u2605\u2605\u2605\u2606"), ("One of five", "\u2605\u2606\u2606\u2606\u2606")]
    )
    assert "words become symbols" not in {one.detail for one in stars}
