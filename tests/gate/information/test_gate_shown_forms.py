"""What an example of one form says of other forms: signs, figures, decimal marks, units and roundings."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

HOURS = [("3,392:46", "3392.77"), ("10399:12", "10399.20"), ("20106.5", "20106.50")]


def kinds(cells: Sequence[Change], shown: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions([*shown, *cells], shown)}


def test_hours_as_decimal_numbers_are_no_codes_that_are_divided_otherwise() -> None:
    """Beside numbers with one decimal, `2,000:00` may become `2000.00` as the user's examples show."""
    numbers = [(f"{whole}.5", f"{whole}.50") for whole in range(12_816, 12_826)]
    assert kinds([*numbers, ("2,000:00", "2000.00")], HOURS) == set()


DEGREES = (("-18 C", "-18.0 °C"), ("minus 20 C", "-20.0 °C"), ("7 C", "7.0 °C"))
BALANCES = (("−2", "-2"), ("+7", "7"))
BOOKED = (("12448.50 DR", "12448.50"), ("(75,311.00)", "-75311.00"))


@pytest.mark.parametrize(
    ("shown", "right", "wrong"),
    [
        (DEGREES, ("−18 °C", "-18.0 °C"), ("−18 °C", "18.0 °C")),
        (DEGREES[::2], ("-25C", "-25.0 °C"), ("minus 4 C", "4.0 °C")),
        (BALANCES, ("−4", "-4"), ("(12)", "12")),
        (BALANCES, ("+4", "4"), ("7-", "7")),
        (BOOKED, ("7,801.27 DR", "7801.27"), ("38266.50 CR", "38266.50")),
    ],
)
def test_a_sign_that_is_written_otherwise_than_the_shown_ones_is_kept(
    shown: Sequence[Change], right: Change, wrong: Change
) -> None:
    """`-18 C` and `minus 20 C` are shown right; that `−18 °C` loses its sign is shown only by itself."""
    assert kinds([right], shown) == set()
    assert "sign-changed" in kinds([wrong], shown)
    assert kinds([wrong], [*shown, wrong]) == set()


@pytest.mark.parametrize(
    ("shown", "right", "wrong"),
    [
        ([("21h 59m 35s", "329.8958"), ("21h34m", "323.5000")], ("04:06:17", "61.5708"), ("04:06:17", "4.1047")),
        ([("20:00", "20.00"), ("38.5", "38.50"), ("40", "40.00")], ("7:48", "7.80"), ("7:48", "7.48")),
        ([("240 s", "4:00"), ("4'26\"", "4:26")], ("394 s", "6:34"), ("394 s", "6:00")),
        ([("45° 38' S", "-45.6333")], ("17°28'15\"N", "17.4708"), ("17°28'15\"N", "17.4667")),
        ([("6080:46", "6080.77"), ("13694h21", "13694.35")], ("6,612:18", "6612.30"), ("6,612:18", "612.30")),
        ([("90 s", "1:30")], ("90 min", "1:30"), ("100 s", "2:00")),
    ],
)
def test_sixtieths_are_converted_as_an_example_shows(shown: Sequence[Change], right: Change, wrong: Change) -> None:
    """One example says how many degrees an hour is, and that minutes are sixtieths, not that some are left out."""
    assert "quantity-changed" not in kinds([right], shown)
    assert "quantity-changed" in kinds([wrong], shown)
