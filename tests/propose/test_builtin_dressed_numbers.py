"""Plain numbers among which a few have something with them that says nothing."""

from typing import Any

import pytest

from tests.propose.builtin_help import ask, column, load, settled

MARKS = [str(number) for number in range(11)] * 6
PLACES = [str(number) for number in range(1, 30)] * 2


@pytest.mark.parametrize(
    ("name", "usual", "odd", "right"),
    [
        ("pain", MARKS, ["7/10", "10/10", "3 /10"], ["7", "10", "3"]),
        ("pain", [*MARKS, *["unable"] * 60], ["7/10", "10/10", "0/10"], ["7", "10", "0"]),
        ("place", PLACES, ["1st", "2nd", "11th", "23rd"], ["1", "2", "11", "23"]),
        ("place", [*PLACES, *["=3"] * 9, *["DNF"] * 9], ["1st"], ["1"]),
        ("pack", ["50", "100", "200"] * 20, ["x50", "x 100", "×200"], ["50", "100", "200"]),
        ("volume", PLACES, ["Vol. 12", "vol 7"], ["12", "7"]),
        ("issue_no", PLACES, ["No. 12", "issue 7"], ["12", "7"]),
    ],
)
def test_what_says_nothing_goes(name: str, usual: list[Any], odd: list[str], right: list[str]) -> None:
    """Nearly all numbers are plain, and the others no larger."""
    assert settled([*usual, *odd], name) == [*usual, *right]


@pytest.mark.parametrize(
    ("name", "usual", "odd"),
    [
        ("cups", ["1", "2", "3", "4"] * 20, ["1/2", "3/4", "1/5"]),  # fractions
        ("pain", MARKS, ["7/10", "3/5", "2/4"]),  # of several
        ("score", [str(number) for number in range(60)], ["7/10", "8/10", "9/10"]),  # others are larger
        ("score", MARKS, ["79/100", "8/100", "9/100"]),
        ("mile", ["1", "2", "9"] * 20, ["3/10"]),  # one number only
        ("place", PLACES, ["1th", "2st"]),  # no places
        ("street", PLACES, ["77th", "42nd"]),  # larger than all others
        ("model", ["50", "100", "200"] * 20, ["x50", "x100"]),  # other models
        ("quantity", PLACES, ["x0005", "x31"]),  # a character that was lost
        ("provider_number", ["10005", "10007"] * 20, ["x0005", "x10007"]),
        ("rating", [*MARKS, "7.5", "8.2", "6.9"] * 2, ["8.3/10", "6.1/10", "7.7/10"]),  # no whole marks
        ("volume", PLACES, ["No. 12", "Part 3", "Suppl. 2"]),  # other words
        ("place", [f"{number}th" for number in range(4, 21)] * 3, ["5"]),  # most are written so
        ("grade", ["K", "PK"] * 20, ["7th"]),  # no numbers
    ],
)
def test_what_may_say_something_stays(name: str, usual: list[Any], odd: list[str]) -> None:
    """Fractions, other scales, other words, and numbers beyond the others."""
    assert settled([*usual, *odd], name) == [*usual, *odd]


def test_rows_that_were_not_seen_are_read_as_strictly() -> None:
    """No number above ten, no other scale."""
    source = ask(column([*MARKS, "7/10", "9/10", "3/10"], "pain")).source
    assert source is not None
    unseen = ["8/10", "11/10", "7/5", "1/10 or 2/10", "7th", "x5"]
    cleaned = list(load(source).clean(column(unseen, "pain"))["pain"])
    assert cleaned == ["8", "11/10", "7/5", "1/10 or 2/10", "7th", "x5"]
