"""Sentences in which one word comes to say something else, however alike the whole stays; and contractions."""

import pytest

from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.text_changes.opposites import opposite

REST = [
    ("We go home now.", "We go home now."),
    ("They like it here.", "They like it here."),
    ("It is fine to stay.", "It is fine to stay."),
]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The left leg hurts.", "The right leg hurts."),
        ("Please increase the dose.", "Please decrease the dose."),
        ("She is on page three.", "She is on page four."),
        ("Call Bob in Rome.", "Call Ann in Rome."),
        ("He doesn't smoke.", "He does smoke."),
        ("They cannot come.", "They can come."),
    ],
)
def test_a_word_that_says_something_else_is_suspected(before: str, after: str) -> None:
    """The other side, the opposite, another number, another name, no more no."""
    assert {one.kind for one in suspicions([*REST, (before, after)])} & {"word-replaced", "words-lost"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He can't come.", "He cannot come."),
        ("It isn't here.", "It is not here."),
        ("They do not go.", "They don\u2019t go."),
        ("I'm here and we're late.", "I am here and we are late."),
        ("St. John's Hosp.", "Saint John's Hospital"),
        ("Mt Everest", "Mount Everest"),
        ("Tech Dept.", "Tech Department"),
        ("Nfw Belgium Brewing Company", "New Belgium Brewing Company"),
    ],
)
def test_contractions_and_short_forms_are_believed(before: str, after: str) -> None:
    """What they stand for is known, or can be seen."""
    assert suspicions([*REST, (before, after)]) == []


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ("increase", "decrease", True),
        ("paid", "unpaid", True),
        ("overpaid", "underpaid", True),
        ("trainer", "trainee", True),
        ("nitrate", "nitrite", True),
        ("methanal", "methanol", True),
        ("butene", "butane", True),
        ("definate", "definite", False),
        ("format", "formate", False),
        ("refer", "refee", False),
        ("color", "colour", False),
        ("art", "inart", False),
        ("department", "dept", False),
    ],
)
def test_prefixes_and_ends_make_opposites(one: str, other: str, *, are: bool) -> None:
    """In either order; a word of three letters before its end is too short to say."""
    assert opposite(one, other) is are
    assert opposite(other, one) is are


@pytest.mark.parametrize(
    ("before", "after"),
    [("\u22645", "<5"), (">=7", ">7"), ("<5", "<=5"), ("v1.2.3-rc1", "v1.2.3"), ("2.0.1-beta", "2.0.1")],
)
def test_a_bound_and_a_version_that_say_something_else_are_suspected(before: str, after: str) -> None:
    """At most is not less than, and what comes before a release is not the release."""
    assert suspicions([("<3", "<3"), (">9", ">9"), ("v1.0.4", "v1.0.4"), (before, after)])


@pytest.mark.parametrize(
    ("before", "after"), [("\u22645", "<=5"), (">= 7", "\u22657"), ("less than 5", "<5"), ("> 5", ">5")]
)
def test_a_bound_that_is_written_otherwise_is_believed(before: str, after: str) -> None:
    """Its sign, its word, a blank."""
    assert suspicions([("<3", "<3"), (">9", ">9"), (before, after)]) == []
