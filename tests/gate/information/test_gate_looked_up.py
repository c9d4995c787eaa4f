"""Frequencies, counted signs, roman numerals, ranges, packs, powers of ten: known to say the same, or not known."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.value_kinds.addresses import same_address
from orchestrator.gate.information.value_kinds.counted_signs import same_count
from orchestrator.gate.information.value_kinds.frequencies import frequency
from orchestrator.gate.information.value_kinds.multipacks import same_pack
from orchestrator.gate.information.value_kinds.powers_of_ten import same_power_of_ten
from orchestrator.gate.information.value_kinds.ranges import same_range
from orchestrator.gate.information.value_kinds.roman_numerals import same_numeral

NUMBERS = [(text, text) for text in "01234567"]
VERSIONS = [(text, text) for text in ("5.14.16", "7.19.5", "3.11.3", "1.16.3")]
WORDS = [(f"the {word} of 1{n} lamps",) * 2 for n, word in enumerate(("desk", "vase", "stool", "chair", "mug"))]
WEEKLY = [("3x per week", "3"), ("4 times a week", "4"), ("2x/week", "2"), ("once a week", "1")]


def kinds(*cells: Change) -> set[str]:
    return {one.kind for one in suspicions([*NUMBERS, *WEEKLY, *cells])}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (("Twice per week", "2"), ("Twice per week", "3")),
        (("daily", "7"), ("daily", "1")),
        (("every day", "7"), ("every day", "5")),
        (("twice daily", "14"), ("twice daily", "2")),
    ],
)
def test_a_number_counts_in_the_period_of_the_column(right: Change, wrong: Change) -> None:
    """Where the others say weeks, `daily` is 7; another count, and one of another period, are suspected."""
    assert kinds(right) == set()
    assert kinds(wrong) != set()


@pytest.mark.parametrize(
    "text", ["2-3 times a week", "10 km per hour", "per week", "a day", "week", "3 of 7", "x" * 50]
)
def test_what_is_no_frequency_is_none(text: str) -> None:
    """Ranges, speeds and bare periods say nothing that is counted."""
    assert frequency(text) is None


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("🌶🌶", "2", True),
        ("🌶️ 🌶️", "2", True),
        ("$$$", "3", True),
        ("🌶🌶", "3", False),
        ("☐", "0", None),
        ("✓✓", "2", None),
        ("--", "2", None),
        ("🌶🌱", "2", None),
        ("2", "2", None),
    ],
)
def test_a_number_counts_signs(before: str, after: str, same: bool | None) -> None:
    """Of one sign that is a picture or a price; ticks say yes or no."""
    assert same_count(before, after) is same


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("ASA III", "ASA 3", True),
        ("ASA IIIE", "ASA 3E", True),
        ("Phase IV", "phase 4", True),
        ("ASA III", "ASA 2", None),
        ("Vitamin C", "Vitamin 100", None),
        ("12.IV.2020", "2020-04-12", None),
        ("II", "2", None),
        ("mix", "m9", None),
    ],
)
def test_a_roman_numeral_beside_a_word_becomes_its_number(before: str, after: str, same: bool | None) -> None:
    """Where nothing else changes; a bare numeral is a number that other laws read."""
    assert same_numeral(before, after) is same


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("-23–-17 °C", "-23 to -17 °C", True),
        ("1..9 degrees C", "1 to 9 °C", True),
        ("2°C-8°C", "2 to 8 °C", True),
        ("10kg - 20kg", "10 to 20 kilograms", True),
        ("from 5% to 10%", "5-10%", True),
        ("5%-10%", "5 to 10", None),
        ("-5 to 2 °C", "5 to 2 °C", None),
        ("2 to 8 °C", "2 to 8 °F", None),
        ("2-8", "2 to 9", None),
        ("8", "8", None),
    ],
)
def test_a_range_stays_the_same_between_other_signs(before: str, after: str, same: bool | None) -> None:
    """Both ends with their signs, and the unit."""
    assert same_range(before, after) is same


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("330 ml x 11", "11 x 330 ml", True),
        ("6x1,5l", "6 x 1500 ml", True),
        ("7 pack 330 ml", "7 x 330 ml", True),
        ("6x330ml", "8 x 330 ml", None),
        ("6x330ml", "6 x 33 ml", None),
        ("6x330", "6 x 330", None),
        ("2x4 inch", "4 x 2 inch", None),
    ],
)
def test_a_number_of_packs_of_a_size_stays_the_same(before: str, after: str, same: bool | None) -> None:
    """In either order, and with the size in another unit."""
    assert same_pack(before, after) is same


@pytest.mark.parametrize(
    ("cells", "wrong"),
    [
        ([("Made in Germany", "DE"), ("China", "CN"), ("IT", "IT")], ("Product of Spain", "IT")),
        ([("Wash.", "WA"), ("Calif.", "CA"), ("Texas", "TX"), ("NY", "NY")], ("N.J.", "NY")),
        ([("Herr", "Mr"), ("Frau", "Ms"), ("mr", "Mr"), ("Dr", "Dr")], ("Mme", "Mr")),
        ([("73 min", "1:13:00"), ("198 sec", "0:03:18"), ("0:10:11", "0:10:11")], ("75 min", "1:13:00")),
        (
            [("Roe AM", "Roe, A. M."), ("Hopper, G.M.", "Hopper, G. M."), ("Roe, K. A.",) * 2, ("Turing, A. M.",) * 2],
            ("Knuth DE", "Knuth, D."),
        ),
        ([("4.5", "4.5.0"), ("v15", "15.0.0"), *VERSIONS], ("4.6", "4.5.0")),
        ([("14.615 N", "14.615"), ("37.1 S", "-37.1"), ("12.5", "12.5")], ("37.2 S", "37.2")),
        ([("2XL", "XXL"), ("L/XL", "L/XL"), ("kids M", "kids M")], ("3XL", "XXL")),
        ([("chair&nbsp;805", "chair 805"), *WORDS], ("chair&nbsp;806", "chair 805")),
        ([("300904FFEEDD", "30:09:04:ff:ee:dd"), ("00:1a:2b:3c:4d:5e",) * 2], ("300904FFEEDA", "30:09:04:ff:ee")),
    ],
)
def test_what_can_be_looked_up_is_no_suspicion_and_another_value_is_one(cells: list[Change], wrong: Change) -> None:
    """Origins, states, salutations, durations, initials, versions, places, sizes, entities, addresses."""
    assert suspicions(cells) == []
    assert suspicions([*cells, wrong]) != []


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("1,2 x 10^-5", "1.2E-5", True),
        ("-1.1·10⁻⁵", "-1.1e-05", True),
        ("4.2E+01", "42", True),
        ("<7.5e-07", "< 7.5E-7", True),
        ("<7.5e-07", "7.5E-7", False),
        ("-1.1 x 10^-5", "1.1E-5", False),
        ("4,3E-3", "43E-3", False),
        ("1.2e-05", "1.2E-4", False),
        ("4.00638E+12", "4006381333931", None),
        ("4,300E-3", "4.3E-3", None),
        ("42", "24", None),
        ("1.2e-05", "n.d.", None),
    ],
)
def test_a_number_with_a_power_of_ten_stays_the_same(before: str, after: str, same: bool | None) -> None:
    """With its sign and its bound; one that is rounded, and a comma that may group, say nothing."""
    assert same_power_of_ten(before, after) is same


@pytest.mark.parametrize(
    ("before", "after", "other"),
    [
        ("http://desk.example:8080/Api", "https://desk.example/Api", True),
        ("http://desk.example:8080/Api", "https://desk.example:8080/Api", False),
        ("http://desk.example:80/Api", "http://desk.example/Api", False),
        ("at 12:30.5", "at 12.30.5", False),
    ],
)
def test_a_port_belongs_to_an_address(before: str, after: str, other: bool) -> None:
    """But for the ports that everybody means."""
    assert (same_address(before, after) is False) is other


def test_a_raised_figure_is_no_count_of_seconds() -> None:
    """Beside as many figures as seconds since 1970 have, a figure that is no decimal one is only another text."""
    assert suspicions([("00712201500", "²")])
