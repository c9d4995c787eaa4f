"""The name of a column in its cells says nothing beside a number, and may go."""

import pytest

from orchestrator.gate.checks.changed_columns.column_labels import without_labels


@pytest.mark.parametrize(
    ("name", "before", "after", "left"),
    [
        ("cep", "CEP 23369-872", "23369-872", "23369-872"),
        ("cep", "CEP: 023369872", "02336-9872", "023369872"),
        ("school_year", "SY 2018-2019", "2018/19", "2018-2019"),
        ("zone", "Zone IV", "4", "IV"),
        ("hours", "8 hours", "8", "8"),
        ("stars", "1 star", "1", "1"),
    ],
)
def test_name_of_the_column_is_left_out(name: str, before: str, after: str, left: str) -> None:
    """Whole in front of a number or behind it, or as the first letters of its words in front."""
    assert without_labels(name, [(before, after)]) == [(left, after)]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("cep", "CEP 23369-872", "CEP 23369872"),  # it stays
        ("price", "price on request", "on request"),  # no number
        ("room", "Suite 12", "12"),  # another word
        ("opus", "Opus 133", "Op. 133"),  # it becomes another word
        ("room", "Roomy 12", "12"),
        ("x", "x 12", "12"),  # too short
        ("hours", "30 minutes", "30"),
        ("gain_or_loss", "loss 5", "5"),  # one word of several may tell two kinds apart
        ("arrival_moment", "5 am", "5"),
        ("hours", 8, "8"),
    ],
)
def test_other_words_stay(name: str, before: object, after: str) -> None:
    """What is not the column's name is not taken for it."""
    assert without_labels(name, [(before, after)]) == [(before, after)]
