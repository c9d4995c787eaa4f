"""What a user's example shows of other cells, and what it does not."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.shown import alike, same_parts_left_out
from orchestrator.gate.information.suspicions import suspicions


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (("Ken <don.5@a.org>", "don.5@a.org"), ("Ada <ada.7@b.org>", "ada.7@b.org")),
        (("Mary Ann Liskov (Dean)", "Mary Ann Liskov"), ("Ada King (Chair)", "Ada King")),
        (("34952-0320", "34952"), ("90210-1234", "90210")),
    ],
)
def test_parts_in_the_same_places_are_shown(change: Change, shown: Change) -> None:
    """Cells that are built alike and lose the same parts, whatever the words are; none of them cut."""
    assert alike(change, shown)
    assert not same_parts_left_out((change[0], change[1][:-1]), shown)


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (("Ken <don.5@a.org>", "ken.5@a.org"), ("Ada <ada.7@b.org>", "ada.7@b.org")),
        (("34952-0320", "0320"), ("90210-1234", "90210")),
        (("Lamp, red, 5", "Lamp, 5"), ("Desk, oak, 7", "Desk, oak")),
        (("red", "blue"), ("old", "new")),
    ],
)
def test_other_parts_are_not_shown(change: Change, shown: Change) -> None:
    """Another word in its place, or another part that goes, is another change."""
    assert not same_parts_left_out(change, shown)


def test_about_a_number_shows_a_bound_and_no_more() -> None:
    """Who takes `~300` for 300 takes `65+` for 65; but not another number, and not a minus."""
    stay = [(f"{n}", f"{n}") for n in range(60, 70)]
    about = [("~300", "300")]
    assert kinds([*stay, ("65+", "65")])
    assert kinds([*stay, ("65+", "65")], about) == set()
    assert kinds([*stay, ("65+", "650")], about)
    assert kinds([*stay, ("-65", "65")], about)


def test_shown_form_settles_the_form_alone() -> None:
    """A witness that leaves out a letter between figures allows it elsewhere, and no other figures."""
    witness = [("12B34", "1234")]
    assert kinds([("77X88", "7788")]) == {"letters-lost"}
    assert kinds([("77X88", "7788")], witness) == set()
    assert kinds([("77X88", "778")], witness)
