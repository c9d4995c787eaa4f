"""Blank cells of columns that others settle."""

import random

import pandas as pd

from tests.propose.builtin_help import settle


def _breweries(blank: float) -> tuple[pd.DataFrame, list[str]]:
    """600 rows of 12 breweries with number, name, city and state, of which a share has no state; and all states."""
    draw = random.Random(3)  # noqa: S311 - data for a test
    known = [(f"1{n:02}", f"Brewery {n}", f"Town {n}", ("MI", "CO", "OR", "CA")[n % 4]) for n in range(12)]
    rows = [draw.choice(known) for _ in range(600)]
    frame = pd.DataFrame(rows, columns=["id", "name", "city", "state"], dtype=str)
    states = list(frame["state"])
    frame["state"] = ["" if draw.random() < blank else state for state in states]
    return frame, states


def test_several_blanks_of_a_thing_are_no_answer() -> None:
    """Two or three of the fifty rows of a brewery have no state: number, name and city settle it all the same."""
    dirty, states = _breweries(blank=0.03)
    assert (dirty["state"] == "").sum() > 15
    assert list(settle(dirty)[0]["state"]) == states


def test_what_is_blank_in_many_rows_of_a_thing_stays() -> None:
    """A brewery without a state in a quarter of its rows may have none there."""
    dirty, states = _breweries(blank=0.0)
    of_one = [row for row, number in enumerate(dirty["id"]) if number == "103"]
    dirty.loc[of_one[::4], "state"] = ""
    assert list(settle(dirty)[0]["state"]) == list(dirty["state"]) != states
