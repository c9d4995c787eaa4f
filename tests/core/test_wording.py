"""How a number of things is said."""

import pytest

from orchestrator.core.wording import blanks_left, counted, told_once


@pytest.mark.parametrize(("count", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (12_345, "12,345 rows")])
def test_one_thing_is_not_said_as_many(count: int, said: str) -> None:
    """`1 rows` stood in what commands print."""
    assert counted(count, "row") == said


def test_blanks_that_are_left() -> None:
    """The verb follows the number, too."""
    assert blanks_left(1) == "1 null word or stray blank is left"
    assert blanks_left(2_000) == "2,000 null words or stray blanks are left"


def test_parts_of_a_file_say_it_once() -> None:
    """Chunks differ in how many rows they show, and in the first of them."""
    said = "Some numbers in {} stand in brackets. Seen in {} of 300 rows looked at, such as '{}'."
    notes = [said.format("a", 3, "(1)"), said.format("a", 5, "(2)\n"), said.format("b", 3, "(1)"), "other", "other"]
    assert told_once(notes) == [notes[0], notes[2], "other"]
