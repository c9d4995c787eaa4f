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


ADVERTS = [("was 338,- now 38,- EUR", "was 338,00 now 38,00 EUR"), ("one mug, no price", "one mug, no price")]
POWERS = [("RBC 3.4 x10^12/L", "RBC 3.4 x10¹²/L"), ("not done", "not done")]


def test_a_part_that_a_witness_shows_is_shown_in_every_text() -> None:
    """The rest of the text does not matter, nor how often the part stands in it."""
    assert kinds(ADVERTS)
    assert not kinds(ADVERTS, [("lamp for 12,- EUR", "lamp for 12,00 EUR")])
    assert not kinds(POWERS, [("WBC 4.5 x10^9/L", "WBC 4.5 x10⁹/L")])


def test_a_part_that_loses_figures_is_not_shown_by_one_that_keeps_them() -> None:
    """10^12 as 10¹ is not the change of 10^9 as 10⁹."""
    cut = [("RBC 3.4 x10^12/L", "RBC 3.4 x10¹/L"), ("not done", "not done")]
    assert kinds(cut, [("WBC 4.5 x10^9/L", "WBC 4.5 x10⁹/L")])


PORTS = [("ssh", "22/tcp"), ("http", "80/tcp"), ("ntp", "123/udp"), ("22/tcp", "22/tcp"), ("80/tcp", "80/tcp")]


def test_after_a_word_that_is_shown_only_a_merged_one_is_doubted() -> None:
    """How alike codes and words are says nothing once a witness shows a word recoded; that two become one does."""
    shown = [("ssh", "22/tcp")]
    merged = [*PORTS, ("53/udp", "53/udp"), ("gopher", "123/udp"), ("imap", "80/tcp")]
    assert "word-replaced" in kinds(PORTS)
    assert "word-replaced" not in kinds(PORTS, shown)
    assert "word-replaced" in kinds(merged, shown)
