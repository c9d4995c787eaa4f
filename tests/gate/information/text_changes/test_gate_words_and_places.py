"""Words that stand twice, places of lists that are empty, and signs of comparison that look like a tag."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.nested_losses import nested_losses
from orchestrator.gate.information.suspicions import suspicions

PLACES = [(f"{one}; {other}; B2",) * 2 for one in ("A1", "C3", "D4") for other in ("A2", "B7", "E5")]


def held(before: str, after: str, *stay: Change) -> bool:
    return bool(suspicions([(before, after), ("Red lamp of Rome", "Red lamp of Rome"), *stay]))


@pytest.mark.parametrize(
    ("before", "wrong"),
    [
        ("Bora Bora", "Bora"),
        ("Ali Ali", "Ali"),
        ("Jos\u00e9 Jos\u00e9", "Jos\u00e9"),
        ("From Walla Walla by bus", "From Walla by bus"),
        ("she had had enough", "she had enough"),
        ("a very very old mug", "a very old mug"),
    ],
)
def test_a_name_or_a_word_that_is_right_twice_stays(before: str, wrong: str) -> None:
    assert held(before, wrong)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("the the mug", "the mug"),
        ("We saw of of Rome", "We saw of Rome"),
        ("The the mug", "The mug"),
        ("INVOICE INVOICE 7", "INVOICE 7"),
        ("Berg -Berg", "Berg-Berg"),
        ("J R R Tolkien", "J. R. R. Tolkien"),
    ],
)
def test_a_small_word_that_stands_twice_may_be_kept_once(before: str, after: str) -> None:
    assert not held(before, after)


def test_a_witness_who_shows_a_name_kept_once_settles_it() -> None:
    changed = [("Sony Sony camera", "Sony camera"), ("Bosch Bosch drill", "Bosch drill")]
    assert suspicions(changed)
    assert not suspicions(changed, changed[:1])


def test_what_stands_between_signs_of_comparison_is_no_tag() -> None:
    assert held("see 5 < 7 and 9 > 8", "see 5  8")
    assert not held("see <b>7</b> now", "see 7 now")


def test_an_empty_place_goes_only_from_lists_of_any_length() -> None:
    """Where all lists have three places, the second one means something."""
    change = ("C3; ; D4", "C3; D4")
    assert [one.kind for one in suspicions([change, *PLACES])] == ["text-cut"]
    assert suspicions([change, *PLACES, ("A1; A2; A3; A4",) * 2]) == []


def test_a_null_goes_only_from_lists_of_any_length() -> None:
    before = [[n, None, 5] if n % 3 else [n, 4, 5] for n in range(12)]
    after = [[item for item in items if item is not None] for items in before]
    assert [loss.kind for loss in nested_losses(before, after)] == ["item-lost"]
    assert nested_losses([*before, [7]], [*after, [7]]) == []
    assert nested_losses(before, after, ([[1, None, 2]], [[1, 2]])) == []
