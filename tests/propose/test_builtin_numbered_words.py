"""Lists in which words stand beside figures: events, sizes, models."""

from typing import Any

import pandas as pd
import pytest

from tests.propose.builtin_help import settle, settled

EVENTS = ["100 m", "1500 m", "100 m hurdles", "Long jump", "High jump", "Marathon"]


@pytest.mark.parametrize(
    ("odd", "right"),
    [
        (["Long Jump", "HIGH JUMP"], ["Long jump", "High jump"]),
        (["100m hurdles", "1500m"], ["100 m hurdles", "1500 m"]),
        (["100 m Hurdles", "marathon"], ["100 m hurdles", "Marathon"]),
    ],
)
def test_case_and_blanks_are_those_of_most_beside_figures_too(odd: list[str], right: list[str]) -> None:
    """One event of figures turned off what was repaired without it."""
    assert settled([*EVENTS * 12, *odd], "event") == [*EVENTS * 12, *right]


@pytest.mark.parametrize(
    ("name", "usual", "odd"),
    [
        ("event", EVENTS, ["100 M"]),  # a short word may be a unit
        ("event", EVENTS, ["110 m hurdles", "Long jumps"]),  # others
        ("event", EVENTS, ["Long Jump"] * 6),  # half as often
        ("genes", ["Trp53", "Brca2 exon", "Kras exon", "G12"], ["brca2 exon", "TRP53", "Kras Exon"]),
        ("file", ["100 data", "200 data", "read me", "5 m"], ["Read me", "100 Data"]),
        ("power", ["5 mW laser", "10 mW laser", "laser pointer", "7 V"], ["5 MW laser"]),
    ],
)
def test_what_may_be_something_else_stays(name: str, usual: list[Any], odd: list[Any]) -> None:
    """Units, other words, a second habit, and columns in which every sign counts."""
    assert settled([*usual * 12, *odd], name) == [*usual * 12, *odd]


def test_what_another_column_tells_apart_stays_two() -> None:
    """`Long Jump` with a code of its own is another event."""
    cells = [*EVENTS * 40, *["Long Jump"] * 9]
    codes = [*["A1", "A2", "A3", "B1", "B2", "C"] * 40, *["Z9"] * 9]
    frame = pd.DataFrame({"event": cells, "code": codes}, dtype=str)
    assert list(settle(frame)[0]["event"]) == cells
