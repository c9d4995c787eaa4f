"""How often something happens, counted signs and roman numerals: known to say the same, or not known."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.value_kinds.counted_signs import same_count
from orchestrator.gate.information.value_kinds.frequencies import frequency
from orchestrator.gate.information.value_kinds.roman_numerals import same_numeral

NUMBERS = [(text, text) for text in "01234567"]
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
