"""Cells that come to be written otherwise than those beside them that stay, which show how the column writes them."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

DAY_FIRST = [(date, date) for date in ("28.02.1961", "13.11.1958", "05.06.1970")]


def kinds(changed: Change, *others: Change, shown: tuple[Change, ...] = ()) -> set[str]:
    return {one.kind for one in suspicions([changed, *others], shown)}


@pytest.mark.parametrize("before", ["2003-05-19", "19 mai 2003", "May 19, 2003"])
def test_a_month_does_not_come_to_stand_where_others_have_the_day(before: str) -> None:
    """A witness of that order settles it."""
    assert kinds((before, "05.19.2003"), *DAY_FIRST) == {"value-misread"}
    assert not kinds((before, "19.05.2003"), *DAY_FIRST)
    assert not kinds((before, "05.19.2003"), *DAY_FIRST, shown=(("2001-04-20", "04.20.2001"),))


def test_a_month_stands_where_others_have_it() -> None:
    assert not kinds(("2003-05-19", "05/19/2003"), ("02/28/1961",) * 2, ("11/13/1958",) * 2)
    assert kinds(("2003-05-06", "06/05/2003"), ("02/28/1961",) * 2, ("11/13/1958",) * 2)


def test_a_code_of_six_figures_is_no_date() -> None:
    assert "value-misread" not in kinds(("775969", "77-59-69"), ("28-02-61",) * 2, ("13-11-58",) * 2)


def test_a_number_does_not_become_ten_times_as_large_as_if_decimetres_were_meant() -> None:
    """They are where the text has them; other lengths may go into a unit that is left out."""
    beside = [(size, size) for size in ("12", "30.5", "8")]
    assert "quantity-changed" in kinds(("30.5 m", "305"), *beside)
    assert not kinds(("30.5 m", "30.5"), *beside)
    assert not kinds(("3.5 dm", "3.5"), ("4", "4"), ("2.5", "2.5"))
    assert not kinds(("3.5 m", "35 dm"))
    assert not kinds(("1.75 m", "175"), ("168 cm", "168"))


@pytest.mark.parametrize("before", ["new york", " NEW YORK", "new-york"])
def test_a_value_gets_the_capitals_of_those_that_stay(before: str) -> None:
    """Not some of them; where none stays, nothing says which."""
    stay = [("New York",) * 2, ("Boston",) * 2]
    assert "case-changed" in kinds((before, "New york"), *stay)
    assert "case-changed" not in kinds((before, "New York"), *stay)
    assert "case-changed" not in kinds((before, "new york"), ("New York", "new york"), ("Boston", "boston"))
    assert not kinds(("new york", "New york"), *stay, shown=(("new york", "New york"),))
    assert "case-changed" not in kinds(("fob ulm", "FOB ulm"), ("FOB Ulm",) * 2)  # a code in capitals


def test_a_date_whose_day_and_year_stand_together_by_chance_lost_no_sign() -> None:
    """2023-04-20 holds 20 and 23 side by side; 12/34 as 1234 did lose its stroke."""
    stay = [(text, text) for text in ("09/31/21", "13/13/22", "31/02/23", "14/14/22")]
    assert not kinds(("04/20/23", "2023-04-20"), *stay)
    assert "mark-lost" in kinds(("12/34", "1234"), *((text, text) for text in ("1/2", "3/4", "5/6")))


def test_a_list_whose_signs_alone_change_has_the_capitals_that_it_had() -> None:
    """`Playful ;shy` was held for its capital, which nobody had touched."""
    stay = [("playful; shy",) * 2, ("calm; shy; vocal",) * 2]
    assert not kinds(("Playful ;shy", "Playful; shy"), *stay)
    assert not kinds(("Playful ;shy;", "Playful; shy"), *stay)
    assert "case-changed" in kinds(("playful ;shy", "Playful; shy"), *stay)


MAIL = [(f"ada{n}@firma.de",) * 2 for n in range(9)]
CODES = [(f"12{n}-456{n}",) * 2 for n in range(9)]


@pytest.mark.parametrize(
    ("changed", "stay", "right"),
    [
        (("anna (at) firma.de", "anna.firma.de"), MAIL, "anna@firma.de"),
        (("anna[at]firma.de", "anna firma.de"), MAIL, "anna@firma.de"),
        (("123 - 4567", "1234567"), CODES, "123-4567"),
        (("\uff11\uff12\uff13\uff0d\uff14\uff15\uff16\uff17", "1234567"), CODES, "123-4567"),
    ],
)
def test_a_sign_that_all_others_have_is_not_left_out(changed: Change, stay: list[Change], right: str) -> None:
    """Where a cell that stays does without it, nothing is said; nor of blanks, capitals and words for nothing."""
    assert "mark-lost" in kinds(changed, *stay)
    assert "mark-lost" not in kinds((changed[0], right), *stay)
    assert "mark-lost" not in kinds(("Not Known Yet ", "not known yet"), *stay)
    assert "mark-lost" not in kinds(("13 \u20ac", "13"), *((f"{n}.50",) * 2 for n in range(9)))
    assert "mark-lost" not in kinds(("1:01:03", "3663"), *((f"{n}:05",) * 2 for n in range(9)))
    assert "mark-lost" not in kinds(("225 s", "225"), *((f"{n}:05",) * 2 for n in range(9)))
    recipes = [(f"{n} g flour ({n} oz)",) * 2 for n in range(9)]
    assert "mark-lost" not in kinds(("2 tbsp oil", "2 tablespoons oil"), *recipes)
    noted = [(f"The mirror [{letter}] was sold.",) * 2 for letter in "abcdefghi"]
    assert "mark-lost" not in kinds(("The towel [26] was sold.", "The towel was sold."), *noted)


def test_a_value_gets_no_accent_that_the_others_do_not_have() -> None:
    """A misread letter is read as the others are; a name that is another one in its accent stays so."""
    stay = [("Castell\u00f3n",) * 2, ("Madrid",) * 2]
    broken = "Castell\u00c3\u00b3n"
    assert "letters-lost" in kinds((broken, "Castell\u00f2n"), *stay)
    assert "letters-lost" not in kinds((broken, "Castell\u00f3n"), *stay)
    assert "letters-lost" not in kinds((" Castell\u00f2n", "Castell\u00f2n"), *stay)


@pytest.mark.parametrize("before", ["45.000", "45.000 (sold out)"])
def test_thousands_are_no_decimals_beside_others(before: str) -> None:
    stay = [(number,) * 2 for number in ("18.500", "22.012", "7.250")]
    assert "number-changed" in kinds((before, "45"), *stay)
    assert "number-changed" not in kinds((before, "45.000"), *stay)
    assert "number-changed" not in kinds(("45.000", "45"), ("18.5",) * 2, ("22.012",) * 2, ("7.250",) * 2)


def test_a_code_keeps_its_zeros() -> None:
    """Unless a witness shows them go."""
    stay = [(code,) * 2 for code in ("E11.9", "I10", "S72.001A")]
    assert "figures-lost" in kinds(("Z00.00", "Z00"), *stay)
    assert "figures-lost" not in kinds(("z00.00", "Z00.00"), *stay)
    assert "figures-lost" not in kinds(("Z00.00", "Z00"), *stay, shown=(("Z01.00", "Z01"),))


def test_the_lines_of_a_letter_stay_apart() -> None:
    """A sentence that was wrapped is none."""
    letter = "Dear Ms Hopper,\nmy order 4711 did not arrive.\nYours,\nAlan Turing"
    assert kinds((letter, letter.replace("\n", " "))) == {"lines-joined"}
    assert not kinds((letter.replace("\n", "\r\n"), letter))
    wrapped = "The order did not arrive\nin time and nobody\ncould say where it was."
    assert not kinds((wrapped, wrapped.replace("\n", " ")))


@pytest.mark.parametrize(
    ("changed", "right"),
    [(("who's afraid", "Who'S Afraid"), "Who's Afraid"), (("Review of NaCl", "Review Of Nacl"), "Review Of NaCl")],
)
def test_capitals_inside_words_are_not_put_in_or_left_out(changed: Change, right: str) -> None:
    """Of one text, however few others the column has."""
    assert "case-changed" in kinds(changed)
    assert "case-changed" not in kinds((changed[0], right))
    assert "case-changed" not in kinds(("PaRis and O'Neil", "Paris and O'Neil"))
