"""Seconds since 1970 stay the moment that they count, as those of all witnesses do."""

import pytest

from orchestrator.gate.information.beyond_shown.moments_as_shown import moment_otherwise
from orchestrator.gate.information.suspicions import suspicions

MORNING = ("1690529856", "2023-07-28T07:37:36Z")


@pytest.mark.parametrize("number", [str, int])
@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("2023-07-28T15:02:11Z", False),
        ("2023-07-28T03:02:11Z", True),
        ("2023-07-28T15:07:11Z", True),
    ],
)
def test_a_witness_of_the_morning_does_not_speak_for_the_afternoon(
    number: type[str | int], after: str, *, found: bool
) -> None:
    """Twelve hours that are lost, and the month in the place of the minutes; numbers are written as texts or not."""
    cells = [MORNING, ("1690531200", "2023-07-28T08:00:00Z"), ("1690556531", after)]
    written, shown = ([(number(one), other) for one, other in group] for group in (cells, [MORNING]))
    kinds = {one.kind for one in suspicions(written, shown)}
    assert ("value-misread" in kinds) is found


def test_a_witness_of_another_moment_leaves_it_open() -> None:
    """It shows another zone, perhaps."""
    shown = ("1690529856", "2023-07-28T09:37:36")
    assert "value-misread" not in {one.kind for one in suspicions([("1690556531", "2023-07-28T17:02:11")], [shown])}


def test_codes_of_ten_and_thirteen_figures_are_no_moments() -> None:
    """ISBNs of both lengths look like seconds and thousandths."""
    assert moment_otherwise([("1690556531", "2023-07-28T03:02:11Z")], [MORNING]) is not None
    assert moment_otherwise([("0306406152", "9780306406157")], [MORNING]) is None
