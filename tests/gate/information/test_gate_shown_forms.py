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


def test_an_example_of_metres_as_centimetres_shows_what_a_bare_number_becomes() -> None:
    """`1.80 m` as `180` says that the figures of `1.87` are centimetres together; `10,4 t/ha` as `104.0` is none."""
    assert kinds([("1.87", "187")], [("1.80 m", "180"), ("172 cm", "172")]) == kinds(
        [("1.87 m", "187")], [("1.80 m", "180")]
    )
    assert kinds([("10,4 t/ha", "104.0 t/ha")], [("5.5 t/ha", "5.5 t/ha"), ("8", "8.0 t/ha")])


def test_a_word_beside_a_number_is_kept_where_it_is_all_there_is() -> None:
    """That others lose nothing says it; what stands there twice, and letters of a code, are no such word."""
    shown = [("3 months", "3 months"), ("1 year 2 months", "14 months")]
    assert kinds([("suspended 6 months", "6 months")], shown)
    assert kinds([("1,5 l; bottle;bottle", "1,5 l; bottle")], [("red;red;can", "red; can")]) == set()


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


SIDES = (("65 × 75 cm", "65 x 75 cm"), ("840x840 mm", "84 x 84 cm"))
HARVESTS = (("82 dt/ha", "8.2 t/ha"), ("10,4 t/ha", "10.4 t/ha"))
YIELDS = (("82 dt/ha", "8.2 t/ha"), ("9 t/ha", "9.0 t/ha"))
DEPTHS = (("10 to 30 cm", "10-30 cm"), ("0–20cm", "0-20 cm"), ("0.1-0.3 m", "10-30 cm"))
TERMS = (("4a 11mo", "59 months"), ("9 years", "108 months"), ("3 y 11 m", "47 months"))
SEATS = (("41.774", "41774"), ("35.5k", "35500"))
TORQUES = (("25 ft-lb", "33.9 Nm"), ("34 Nm", "34.0 Nm"))


@pytest.mark.parametrize(
    ("shown", "right", "wrong"),
    [
        (SEATS, ("66 706", "66706"), ("66 706", "66")),
        (SIDES, ("27,5 × 77,0 cm", "27.5 x 77.0 cm"), ("27,5 × 77,0 cm", "27 x 77 cm")),
        (YIELDS, ("10,4 t/ha", "10.4 t/ha"), ("10,4 t/ha", "104.0 t/ha")),
        (TORQUES, ("34,5 Nm", "34.5 Nm"), ("34,5 Nm", "345.0 Nm")),
        (HARVESTS, ("65 dt/ha", "6.5 t/ha"), ("8200 kg/ha", "82.0 t/ha")),
        (YIELDS, ("77 dt/ha", "7.7 t/ha"), ("8200 kg/ha", "8200.0 t/ha")),
        (TORQUES, ("26 ft·lb", "35.3 Nm"), ("26 ft·lbf", "26.0 Nm")),
        (DEPTHS, ("0.2-0.4 m", "20-40 cm"), ("0-100 mm", "0-100 cm")),
        ([("0-100 mm", "0-10 cm")], ("300-400 mm", "30-40 cm"), ("300-400 mm", "300-40 cm")),
        (TERMS, ("6 months", "6 months"), ("suspended 6 months", "6 months")),
    ],
)
def test_what_no_example_shows_of_a_value_is_judged_as_if_there_were_none(
    shown: Sequence[Change], right: Change, wrong: Change
) -> None:
    """Thousands, decimals and words that go, a decimal comma that is none, a unit that stands in no example."""
    stay = [(f"{number} months", f"{number} months") for number in (7, 9, 12)] if shown is TERMS else []
    assert kinds([right, *stay], shown) == set()
    assert kinds([wrong, *stay], shown)


def test_a_unit_in_other_words_is_shown_by_its_own() -> None:
    """`Mio. EUR` is converted as `Mio.` is, and `degrees` may be a word for `°C`; thousands go where a unit changes."""
    assert kinds([("40 degrees", "40 °C")], [("60 C", "60 °C"), ("104F", "40 °C")]) == set()
    assert kinds([("3 Mio. EUR", "3000000")], [("1,5 Mio.", "1500000"), ("300 Tsd.", "300000")]) == set()
    assert kinds([("12,400 m", "12 km")], [("3,000 m", "3 km"), ("1,600 m", "2 km")]) == set()
