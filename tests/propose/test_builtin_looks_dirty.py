"""Cells that look like another way to write a frequent one: what is one, and what is a value of its own."""

import pytest

from tests.propose.builtin_help import settled

GRADES = ["A"] * 90 + ["B"] * 80 + ["C"] * 40
RATINGS = ["AA"] * 90 + ["BBB"] * 70 + ["BB"] * 40
OPTIONS = ["-v"] * 60 + ["-x"] * 60 + ["v"] * 3


@pytest.mark.parametrize(
    "cells", [[*GRADES, *["A-"] * 6, *["B-"] * 5], [*RATINGS, *["AA-"] * 10, *["BBB-"] * 5], OPTIONS]
)
def test_a_hyphen_at_an_end_is_a_part_of_the_value(cells: list[str]) -> None:
    """A- is another grade than A, AA- another rating than AA."""
    assert settled(cells, "grade") == cells


def test_a_dash_that_stands_apart_is_none() -> None:
    assert settled([*["North"] * 40, *["South"] * 40, "North -", "- South"], "region")[80:] == ["North", "South"]


def test_words_with_double_s_and_with_sharp_s_do_not_differ_in_case() -> None:
    """Busse are buses and Buße is a fine; who writes Strasse once among many means Straße."""
    cells = ["Buße"] * 10 + ["Busse"] * 6 + ["Maß"] * 12 + ["Mass"] * 5 + ["Gebühr"] * 30
    assert settled(cells, "art") == cells
    assert settled([*["Straße"] * 60, *["Weg"] * 30, "Strasse"], "art")[-1] == "Straße"


def test_substances_whose_ends_differ_are_other_substances() -> None:
    for usual, rare in (("methanol", "methanal"), ("butane", "butene"), ("sulfide", "sulfite")):
        cells = [usual] * 90 + ["toluene"] * 40 + [rare] * 2
        assert settled(cells, "compound") == cells
    assert settled([*["methanol"] * 90, *["toluene"] * 40, "methnol", "tolueen"], "compound")[130:] == [
        "methanol",
        "toluene",
    ]


def test_null_is_a_surname_where_surnames_are_in_capitals() -> None:
    names = ["MARTIN", "BERNARD", "NULL", "NA", "PETIT"] * 12
    assert settled(names, "Nom") == names
    assert settled([*["MARTIN", "PETIT"] * 20, "N/A"], "Nom")[-1] == ""
    assert settled([*["Martin", "Petit"] * 20, "NULL"], "Nom")[-1] == ""
