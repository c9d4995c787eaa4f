"""What a user's example shows of one word, or of numbers that stay in their places, says nothing of others."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


def concerns(shown: Sequence[Change], *changes: Change) -> set[str]:
    stay = [(text, text) for text in ("3", "4", "5", "12 MAR 1855", "200", "7:1")]
    return {one.kind for one in suspicions([*changes, *shown, *stay], shown)}


@pytest.mark.parametrize(
    ("shown", "wrong", "right"),
    [
        ([("on time", "0")], ("cancelled", "0"), ("On-time", "0")),
        ([("on time", "0"), ("3 d late", "3")], ("lost", "0"), ("4 d late", "4")),
        ([("none", "0")], ("refused", "0"), ("None", "0")),
        ([("ca 12 l", "ABT 12 L")], ("bef. 9", "ABT 9"), ("4 litres", "4 L")),
        ([("ca 1760", "ABT 1760")], ("bef. JAN 1985", "ABT JAN 1985"), ("ca 1812", "ABT 1812")),
    ],
)
def test_a_word_does_not_get_the_value_that_is_shown_of_another(
    shown: Sequence[Change], wrong: Change, right: Change
) -> None:
    """An example settles one word and its spellings; one of the other word settles it, too."""
    assert "word-replaced" in concerns(shown, wrong)
    assert not concerns(shown, right)
    assert not concerns([*shown, wrong], wrong)


def test_what_a_bare_number_gets_may_stand_for_any_word() -> None:
    """It is the unit of the column; beside an example of one word only, another word waits."""
    shown, change = [("HR 88", "88 bpm")], ("P 112", "112 bpm")
    assert "word-replaced" in concerns(shown, change)
    assert "word-replaced" not in concerns([*shown, ("101", "101 bpm")], change)


def test_numbers_with_a_word_of_no_example_do_not_become_the_same() -> None:
    """Gas 6 is hotter than gas mark 4; beside an example of gas, or as numbers of their own, both pass."""
    shown = [("350\u00b0F", "175"), ("200C", "200")]
    four, six = ("gas mark 4", "180"), ("Gas 6", "180")
    assert "word-replaced" in concerns(shown, four, six)
    assert "word-replaced" not in concerns(shown, four, ("Gas 6", "200"))
    assert "word-replaced" not in concerns([*shown, four], four, ("gas mark 4", "180"))


@pytest.mark.parametrize(
    ("shown", "change", "held"),
    [
        ([("3-0", "3:0")], ("2 - 6", "6:2"), True),
        ([("3-0", "3:0")], ("2 - 6", "2:6"), False),
        ([("3-0", "0:3")], ("2 - 6", "6:2"), False),
        ([("3-3", "3:3")], ("2 - 6", "6:2"), True),
    ],
)
def test_numbers_change_places_only_where_an_example_shows_it(
    shown: Sequence[Change], change: Change, *, held: bool
) -> None:
    """What is written alike is no reason to believe that it says the same."""
    assert ("order-changed" in concerns(shown, change)) is held
