"""What is said of `none` in columns of words, where it stays."""

from typing import Any

import pytest

from orchestrator.core.conventions import Conventions
from tests.propose.builtin_help import ask, column

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
    assert not noted([*WORDS, "none"])
    assert not noted([*WORDS, *["none"] * 20], {"null_words": ["none"]})
    assert not noted([*WORDS, *["none"] * 20], {"values": ["none", "gale", "flood", "frost", "storm tide"]})
