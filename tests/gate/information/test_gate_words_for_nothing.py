"""Words for a value that is not known, exchanged for one another."""

import pytest

from orchestrator.gate.information.suspicions import suspicions

CITIES = [("Rome", "Rome"), ("Oslo", "Oslo"), ("Lima", "Lima"), ("Bonn", "Bonn")]


@pytest.mark.parametrize("before", ["N/A", "null", "NaN", "-", "?", "missing", "not available"])
@pytest.mark.parametrize("after", ["unknown", "n/a", "Unknown"])
def test_one_stands_for_the_other(before: str, after: str) -> None:
    """One marker for all."""
    assert suspicions([*CITIES, (before, after)]) == []


@pytest.mark.parametrize("before", ["not applicable", "error", "TBD", "none", "Rome", "various"])
def test_what_says_more_does_not_become_unknown(before: str) -> None:
    """That there can be no value, that there will be one, that something is wrong."""
    assert suspicions([*CITIES, (before, "unknown")])
