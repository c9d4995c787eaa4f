"""A letter that stands where all other cells have one sign."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.column_evidence.signs_in_place import SignsInPlace
from orchestrator.gate.information.suspicions import suspicions

SHARES = [(f"{n}%", f"{n}%") for n in (75, 89, 100, 92, 66, 81, 97, 54, 3)]
CODES = [(f"A-{n}", f"A-{n}") for n in (113, 204, 377, 415, 520, 631, 702, 888)]


@pytest.mark.parametrize(
    ("stay", "change", "believed"),
    [
        (SHARES, ("89x", "89%"), True),
        (SHARES, ("100x", "100%"), True),
        (SHARES, ("89x", "98%"), False),
        (SHARES, ("89x", "89"), False),
        (SHARES, ("89k", "89%"), False),
        (SHARES, ("89g", "89%"), False),
        (SHARES[:5], ("89x", "89%"), False),
        ([*SHARES, ("12 of 20", "12 of 20"), ("x", "x")], ("89x", "89%"), False),
        (CODES, ("Ax415", "A-415"), True),
        (CODES, ("Ax415", "A-451"), False),
    ],
)
def test_the_sign_of_all_others_is_believed(stay: list[Change], change: Change, believed: bool) -> None:
    """Where nothing else changes and the letter names no unit and no size."""
    assert SignsInPlace(text for text, _ in stay).put_back(*change) is believed
    assert not believed or suspicions([*stay, change, ("x", "x")]) == []


def test_a_unit_that_becomes_a_sign_is_suspected() -> None:
    """89 grams are not 89 %."""
    assert [one.kind for one in suspicions([*SHARES, ("89g", "89%")])] == ["quantity-changed"]
    assert suspicions([*SHARES, ("89 %", "89%")]) == []
