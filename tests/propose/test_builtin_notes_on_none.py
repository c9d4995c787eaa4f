"""What is said of `none` in columns of words, where it stays."""

from typing import Any

import pytest

from orchestrator.core.conventions import Conventions
from tests.propose.builtin_help import ask, column, settled

WORDS = ["gale", "flood", "frost", "storm tide"] * 10


def noted(cells: list[Any], conventions: dict[str, Any] | None = None) -> bool:
    asked = Conventions.model_validate({"columns": {"warning": conventions}}) if conventions else None
    return any("may be an answer" in note for note in ask(column(cells, "warning"), conventions=asked).notes)


@pytest.mark.parametrize("word", ["none", "None", "nil"])
def test_none_among_words_is_said_to_stay(word: str) -> None:
    """The summary counts it among the null words that are left: the reader is told why, and what to do."""
    assert noted([*WORDS, *[word] * 20])


def test_nothing_is_said_where_it_goes_or_is_declared() -> None:
    """Among numbers it means nothing, once is a slip, and what the user has declared is known."""
    assert not noted([*map(str, range(40)), *["none"] * 20])
    for usual in ("(305) 555-01{:02d}", "+130555501{:02d}", "ann{}@web.example"):  # there it goes, as the rule says
        cells = [*map(usual.format, range(40)), *["none"] * 9]
        assert not noted(cells)
        assert "none" not in settled(cells, "warning")
    assert not noted([*WORDS, "none"])
    assert not noted([*WORDS, *["none"] * 20], {"null_words": ["none"]})
    assert not noted([*WORDS, *["none"] * 20], {"values": ["none", "gale", "flood", "frost", "storm tide"]})


@pytest.mark.parametrize(
    ("usual", "word", "stays"),
    [
        (["Medicare", "Aetna", "Self-Pay"], ["N/A"] * 20, True),
        (["OK", "FAIL", "WARN"], ["N/A"] * 20, True),
        (["Medicare", "Aetna", "Self-Pay"], ["N/A"] * 4, False),  # of 124
        (["Medicare", "Aetna", "Self-Pay"], ["N/A"] * 20 + [""], False),
        (["Medicare", "Aetna", "Self-Pay"], ["N/A"] * 20 + ["-"] * 5, False),
        ([f"Miller the {chr(97 + n)}{chr(97 + m)}" for n in range(13) for m in range(3)], ["N/A"] * 20, False),
        (["1", "2", "7"], ["N/A"] * 20, False),
        (["2024-03-01", "2024-03-09"], ["N/A"] * 20, False),
    ],
)
def test_not_applicable_may_be_an_answer_in_a_closed_list(usual: list[str], word: list[str], stays: bool) -> None:
    """It stays, and is noted, where it is one of the frequent ones, and nothing else says that a value is missing."""
    cells = [*usual * 40, *word]
    assert ("N/A" in settled(cells, "warning")) == noted(cells) == stays
