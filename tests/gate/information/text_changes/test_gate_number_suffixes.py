"""Letters behind numbers: one that all have may be a unit, different ones tell values apart."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


@pytest.mark.parametrize(
    "cells",
    [
        [("10a", "10"), ("10b", "10"), ("9a", "9"), ("8c", "8")],
        [("12A Main St", "12 Main St"), ("14B Oak Rd", "14 Oak Rd"), ("7C Elm Way", "7 Elm Way")],
    ],
)
def test_different_letters_that_all_go_are_suspected(cells: list[Change]) -> None:
    """Classes of a school, houses of a street."""
    assert "letters-lost" in [one.kind for one in suspicions(cells)]


@pytest.mark.parametrize(
    "cells",
    [
        [("5m", "5"), ("7 m", "7"), ("9M", "9")],
        [("1st", "1"), ("2nd", "2"), ("3rd", "3"), ("4th", "4")],
        [("01:00 h", "01:00"), ("13:20 h", "13:20"), ("0455Z", "0455Z"), ("1155Z", "1155Z"), ("0930Z", "0930Z")],
        [("52.1N", "52.1"), ("13.4S", "-13.4"), ("8.2N", "8.2"), ("9.9S", "-9.9")],
    ],
)
def test_a_unit_an_ending_and_a_sign_are_believed(cells: list[Change]) -> None:
    """One letter for all, more than a letter, a letter that comes back as a minus."""
    assert "letters-lost" not in [one.kind for one in suspicions(cells)]


def test_a_witness_who_shows_such_a_letter_go_is_believed() -> None:
    """A user's example of another class."""
    cells = [("10a", "10"), ("10b", "10"), ("9a", "9"), ("8c", "8")]
    assert suspicions(cells, witnesses=[("7d", "7")]) == []
