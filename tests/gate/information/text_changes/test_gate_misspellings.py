"""A word that comes out as nearly the same word, which no cell has, is a slip that the function makes."""

import pytest

from orchestrator.gate.information.suspicions import suspicions

REST = [("Credit Card", "Credit Card"), ("umbrella", "umbrella"), ("cash", "cash"), ("Gift Card", "Gift Card")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("credit card", "Crdeit Card"),
        ("CREDIT CARD", "Credit Cart"),
        ("Umbrella Corp", "Umbrela Corp"),
        ("in store", "in sttore"),
    ],
)
def test_a_slip_that_is_made_is_suspected(before: str, after: str) -> None:
    """Letters that change places, another one, one less and one more."""
    (found, *_) = suspicions([*REST, (before, after)])
    assert (found.kind, "nearly the same word" in found.detail) == ("word-replaced", True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Crdeit Card", "Credit Card"),
        ("umbrela", "umbrella"),
        ("canceled", "cancelled"),
        ("colour", "color"),
        ("organise", "organize"),
        ("Gray", "grey"),
        ("theatre", "theater"),
        ("tablets", "tablet"),
        ("Zuerich", "Z\u00fcrich"),
        ("CASH", "Cash"),
        ("CCAUGG", "CCATGG"),
    ],
)
def test_a_slip_that_is_corrected_and_another_spelling_are_believed(before: str, after: str) -> None:
    """What other cells have, what is written so elsewhere, one of several things, an umlaut, capitals, codes."""
    assert "word-replaced" not in [one.kind for one in suspicions([*REST, (before, after)])]


def test_a_witness_who_shows_such_a_change_is_believed() -> None:
    """A user's example of another word of the column."""
    cells = [*REST, ("chque", "cheque"), ("vouchr", "voucher")]
    assert suspicions(cells)
    assert suspicions(cells, witnesses=[("vouchr", "voucher")]) == []
