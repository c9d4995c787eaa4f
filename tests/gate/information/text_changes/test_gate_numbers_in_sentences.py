"""Powers, raised figures, marks and hyphens of numbers among words."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.emptied import lists_emptied
from orchestrator.gate.information.suspicions import suspicions

STAY = [("A lamp", "A lamp"), ("Nothing at all", "Nothing at all")]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (("Flat of 99 m2 in Paris", "Flat of 99 m² in Paris"), ("Flat of 99 m2 in Paris", "Flat of 99 m in Paris")),
        (
            ("a cellar of 14 m3 there", "a cellar of 14 m³ there"),
            ("a cellar of 14 m3 there", "a cellar of 14 m² there"),
        ),
        (("99m2 for Ada and Tim", "99 m² for Ada and Tim"), ("BMW M2 for Ada and Tim", "BMW M² for Ada and Tim")),
        (("Lot of 3 km2 near it", "Lot of 3 km² near it"), ("28 m20 is the code", "28 m²0 is the code")),
        (("87gsm paper for Ada", "87 g/m² paper for Ada"), ("Room m2 for Ada and Tim", "Room m² for Ada and Tim")),
        (("3.4 x10^12 per litre", "3.4 x10¹² per litre"), ("3.4 x10^12 per litre", "3.4 x10¹ per litre")),
        (("For 1,642 people or more", "For 1642 people or more"), ("For 1,642 people or so", "For 1.642 people or so")),
        (
            ("Born 2009-03-06 in Rome", "Born 2009–03–06 in Rome"),
            ("Born 2009-03-06 in Rome", "Born 2009–03-06 in Rome"),
        ),
        (("pages 12-15 of it", "pages 12–15 of it"), ("ISBN 978-3-65-37-7", "ISBN 978–3-65–37-7")),
    ],
)
def test_a_number_among_words_stays_what_it_is(right: Change, wrong: Change) -> None:
    """The right form next to each is believed."""
    assert [one.kind for one in suspicions([right, *STAY], [right])] == []
    assert suspicions([wrong, *STAY]) != []


def test_a_text_that_becomes_an_empty_list_is_gone() -> None:
    """Not one that says that there is nothing, and not one that a witness shows."""
    before = ["b", "A,C", "---", "no answer", "d", "", 7, "skipped"]
    after = [[], ["A", "C"], [], [], {}, [], [], []]
    assert lists_emptied(before, after, [("Skipped", [])]) == [0, 4]
