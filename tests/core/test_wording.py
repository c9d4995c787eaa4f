"""How a number of things is said."""

import pytest

from orchestrator.core.wording import blanks_left, counted


@pytest.mark.parametrize(("count", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (12_345, "12,345 rows")])
def test_one_thing_is_not_said_as_many(count: int, said: str) -> None:
    """`1 rows` stood in what commands print."""
    assert counted(count, "row") == said


def test_blanks_that_are_left() -> None:
    """The verb follows the number, too."""
    assert blanks_left(1) == "1 null word or stray blank is left"
    assert blanks_left(2_000) == "2,000 null words or stray blanks are left"
