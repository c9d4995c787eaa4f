"""Columns that write their values in many forms: what is lost there is still suspected, and what is right passes."""

from typing import Any

import pytest

from orchestrator.core.candidate import Example
from tests.gate.information.test_gate_information import judged

ROW = list[Any]
WEIGHTS = [f"{n} kg" for n in range(45, 75)] + [f"{n}" for n in range(90, 115)]


def judged_by_detect(before: ROW, after: ROW, examples: tuple[Example, ...] = ()) -> str:
    """What the gate says where the candidate's own `detect` flags all that it changes."""
    flags = [one != other for one, other in zip(before, after, strict=True)]
    return judged(before, after, flags=flags, examples=examples)


def test_short_numbers_that_become_empty_are_values_though_detect_flags_them() -> None:
    after = [None if len(cell) < 3 else cell for cell in WEIGHTS]
    assert "become empty" in judged_by_detect(WEIGHTS, after)
    shown = (Example(input={"c": "90"}, output={"c": None}),)
    assert judged_by_detect(WEIGHTS, after, shown) == ""


def test_one_number_far_off_may_go() -> None:
    assert judged_by_detect([*WEIGHTS, "4000"], [*WEIGHTS, None]) == ""


def test_answers_in_figures_and_ratings_in_stars_are_values() -> None:
    answers = ["Yes", "No", "yes", "no", "0", "1"] * 8
    assert "empty" in judged_by_detect(answers, [None if cell in "01" else cell for cell in answers])
    ratings = ["4.5", "3", "4", "★★★★"] * 8
    assert "become empty" in judged_by_detect(ratings, [None if "★" in cell else cell for cell in ratings])


def test_a_decimal_mark_is_not_lost_because_the_number_can_be_a_time() -> None:
    shares = ["0.10", "0.05", "0.15", "0.20"] * 8
    assert "decimal mark" in judged(shares, [cell.replace(".", "") for cell in shares])
    times = ["18.40 Uhr", "07.05 Uhr", "9.30 Uhr"] * 8
    assert judged(times, ["18:40", "07:05", "09:30"] * 8) == ""


def test_stars_between_figures_mark_no_emphasis() -> None:
    sizes = ["85*47*64", "48*92*99", "10*20*30"] * 8
    assert "joined" in judged(sizes, [cell.replace("*", "") for cell in sizes])
    notes = ["a *bold* word", "two **very bold** words", "plain"] * 8
    assert judged(notes, [cell.replace("*", "") for cell in notes]) == ""


def test_words_are_not_only_their_first_letters_unless_the_column_says_so() -> None:
    persons = ["Frank Darabont", "Francis Ford Coppola", "Christopher Nolan"] * 8
    assert "first letters" in judged(persons, ["FD", "FFC", "CN"] * 8)
    teams = ["Human Resources", "HR", "Information Technology", "IT", "Sales"] * 8
    assert judged(teams, ["HR", "HR", "IT", "IT", "Sales"] * 8) == ""


def test_a_word_of_five_letters_does_not_lose_two_inside() -> None:
    streets = ["suite 12", "suite 7", "suite 3"] * 8
    assert judged(streets, ["ste 12", "ste 7", "ste 3"] * 8) == ""
    names = ["James Reed", "JAMES REED", "Bo Stone", "Ann Lee"] * 8
    assert "loses letters" in judged(names, ["Jes Reed", "JES REED", "Bo Stone", "Ann Lee"] * 8)


def test_a_currency_goes_only_where_it_is_that_of_most() -> None:
    prices = [*(f"€{n}.99" for n in range(10)), *(f"${n}.50" for n in range(25)), *(f"{n}.10" for n in range(5))]
    assert "tells them apart" in judged(prices, [cell.replace("€", "") for cell in prices])
    few = [*(f"€{n}.99" for n in range(2)), *(f"${n}.50" for n in range(15)), *(f"{n}.10" for n in range(5))]
    assert judged(few, [cell.replace("$", "") for cell in few]) == ""


def test_percentages_do_not_lose_their_sign_beside_hundredths() -> None:
    shares = ["10%", "5%", "15%", "0.05", "0.10"] * 8
    assert "two scales" in judged(shares, [cell.replace("%", "") for cell in shares])
    decoration = ["0.055%", "0.048%", "0.05", "0.061"] * 8
    assert judged(decoration, [cell.replace("%", "") for cell in decoration]) == ""
    alike = ["10%", "5%", "15%", "12", "8"] * 8
    assert judged(alike, [cell.replace("%", "") for cell in alike]) == ""


@pytest.mark.parametrize("country", ["Korea, South", "Congo, Republic of the"])
def test_the_first_part_of_one_name_is_no_label(country: str) -> None:
    names = [country, f"{country}*", f"{country}[note 1]", "India", "France", "Japan"] * 8
    assert judged(names, [cell.split(",")[-1].strip() for cell in names]) != ""


def test_items_with_blanks_stay_apart() -> None:
    genres = ["Science Fiction, Drama", "Drama", "Crime, Science Fiction", "Crime"] * 8
    assert "no longer apart" in judged(genres, [cell.replace(",", "") for cell in genres])
    assert "no longer apart" in judged(genres, [cell.replace(",", ".") for cell in genres])
    colours = ["red, blue", "blue", "green, red", "green"] * 8
    assert judged(colours, [cell.replace(",", "") for cell in colours]) == ""


def test_brackets_around_a_percentage_say_that_it_is_negative() -> None:
    growth = ["12%", "(3%)", "-3%", "+5%"] * 8
    assert "sign" in judged(growth, [cell.strip("()") for cell in growth])
    assert judged(growth, ["-3%" if cell == "(3%)" else cell for cell in growth]) == ""


def test_the_s_of_a_code_is_no_south() -> None:
    codes = ["S-01", "S-02", "S01", "S_02"] * 8
    assert judged(codes, [cell.replace("-", "").replace("_", "") for cell in codes]) == ""
    places = ["12.5 S", "12.5 N", "40.1 S"] * 8
    assert "sign" in judged(places, [cell[:-2] for cell in places])


def test_a_number_that_is_zero_is_a_number() -> None:
    points = ["0 credits", "12 credits", "7", "30"] * 8
    assert "zero" in judged(points, [cell.replace("0 credits", " credits") for cell in points])
    assert judged(points, [cell.removesuffix(" credits") for cell in points]) == ""


def test_states_may_be_shortened_without_a_stop() -> None:
    states = ["CA", "Calif", "Conn", "CT", "Minn", "NY", "New York"] * 8
    assert judged(states, ["CA", "CA", "CT", "CT", "MN", "NY", "NY"] * 8) == ""
    assert judged(states, ["CA", "CO", "CT", "CT", "MN", "NY", "NY"] * 8) != ""
