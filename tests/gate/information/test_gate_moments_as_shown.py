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


MAILS = [
    ("03 Apr 2023 10:00:00 +0200", "2023-04-03 08:00:00"),
    ("Tue, 07 Jan 2020 20:00:00 -0500", "2020-01-08 01:00:00"),
    ("01 Jan 2021 00:34:00 +0100", "2020-12-31 23:34:00"),
    ("07 Dec 2022 20:00:39", "07 Dec 2022 20:00:39"),
]


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        (("02 Jul 2021 04:54:00 +0530", "2021-07-01 23:24:00"), False),
        (("02 Jul 2021 04:54:00 +0530", "2021-07-01 23:54:00"), True),
        (("02 Jul 2021 04:54:00 +0530", "2021-07-02 04:54:00"), True),
        (("02 Jul 2021 04:54:00 +0530", "2021-07-02 10:24:00"), True),
        (("02 Jul 2021 04:54:00", "2021-07-01 04:54:00"), True),
    ],
)
def test_moments_of_several_zones_are_the_same_in_greenwich(cell: tuple[str, str], *, found: bool) -> None:
    """Also in another month. Not with the half hour left out, as they were, the wrong way, or without a zone."""
    assert bool(suspicions([*MAILS, cell])) is found


def test_moments_of_one_zone_do_not_become_those_of_greenwich_without_a_witness() -> None:
    """Nothing says then that the column has been put into another one."""
    assert suspicions([(f"{day:02} Apr 2023 10:00:00 +0200", f"2023-04-{day:02} 08:00:00") for day in range(1, 8)])
