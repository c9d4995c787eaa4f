"""Edge kinds of values that the user's examples do not show, beside right functions that the same examples settle."""

import pytest

from orchestrator.gate.checks.changed_columns.inside_doubts import inside_doubts
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

ROOMS = [("Rm. 12B", "12B"), ("room 7", "7"), ("Room 101", "101")]
PLATES = [("b-ab 123", "B-AB 123"), ("hh-ab 12e", "HH-AB 12E")]
RATES = [("D1", "day rate"), ("N1", "night rate"), ("W1", "weekend rate")]
GRADES = [("9th grade", "9"), ("Grade 10", "10"), ("K", "0"), ("2nd grade", "2")]
SIZES = [("10x20x30 cm", "10 x 20 x 30 cm"), ("4x6x8 in", "10.16 x 15.24 x 20.32 cm")]
PLACES = [("51°30'00\"N", "51.5000"), ("33°51'36\"S", "-33.8600")]
CLASSES = [("a+", "A+"), ("b", "B"), ("d ", "D")]
USES = [("42 mpg", "5.6 l/100km"), ("6,2 l/100km", "6.2 l/100km")]
ENGINES = [("1.6L", "1600 cc"), ("1200cc", "1200 cc"), ("2.0 l", "2000 cc")]
NIGHTS = [("€120/night", "120 EUR per night"), ("€95/night", "95 EUR per night")]
NAMES = [("smith, john", "John Smith"), ("LEE, ANNA", "Anna Lee"), ("Austen, Jane", "Jane Austen")]
SUBJECTS = [("Maths,Art", "Maths; Art"), ("History;Art;Music", "History; Art; Music")]
YES_NO = [("furnished", "yes"), ("unfurnished", "no")]
CROPS = [("corn", "maize"), ("OSR", "oilseed rape")]
TEAMS = [("Man Utd", "Manchester United"), ("FC Bayern", "Bayern Munich")]
DAYS = [("12MAR2021", "2021-03-12"), ("05-Apr-2021", "2021-04-05")]
SOILS = [("L", "loam"), ("S", "sand"), ("C", "clay"), ("SL", "sandy loam")]
FINES = [("$1.50", "1.50"), ("$1,250.00", "1250.00")]


def kinds(cells: list[Change], shown: list[Change]) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("shown", "right", "wrong", "kind"),
    [
        (ROOMS, ("Rm 4A", "4A"), ("Rm 4A", "4"), "letters-lost"),
        (PLATES, ("k-a 1h", "K-A 1H"), ("K-A 1H", "K-A 1"), "letters-lost"),
        (RATES, ("N1", "night rate"), ("N10", "night rate"), "word-replaced"),
        (GRADES, ("Kindergarten", "0"), ("Pre-K", "0"), "word-replaced"),
        (SIZES, ("5x6x7 in", "12.7 x 15.24 x 17.78 cm"), ("10x10 cm", "10 x 10 x 10 cm"), "figures-added"),
        (PLACES, ("22°54'36\"S", "-22.9100"), ("0°07'30\"W", "0.1250"), "sign-changed"),
        (USES, ("35 mpg", "6.7 l/100km"), ("16 kWh/100km", "16 l/100km"), "word-replaced"),
        (ENGINES, ("2.5L", "2500 cc"), ("3.0L V6", "3000 cc"), "word-replaced"),
        (NIGHTS, ("€80/night", "80 EUR per night"), ("$150/night", "150 EUR per night"), "word-replaced"),
        (NAMES, ("Klein, Eva", "Eva Klein"), ("de la Cruz, Maria", "Maria De La Cruz"), "case-changed"),
        (NAMES, ("King, Martin", "Martin King"), ("King, Martin, Jr.", "Jr. Martin King"), "order-changed"),
        (SUBJECTS, ("Art,Drama", "Art; Drama"), ("Sand and Clay, Maths", "Sand; Clay; Maths"), "separator-moved"),
        (CROPS, ("Corn", "maize"), ("sweetcorn", "sweetmaize"), "word-replaced"),
        (TEAMS, ("fc bayern", "Bayern Munich"), ("FC Bayern Women", "Bayern Munich"), "word-replaced"),
        (DAYS, ("7-Feb-2021", "2021-02-07"), ("UNK MAR2021", "2021-03-01"), "figures-added"),
    ],
)
def test_what_no_example_shows_is_held_and_its_like_is_not(
    shown: list[Change], right: Change, wrong: Change, kind: str
) -> None:
    """The examples speak for the values that are written as theirs."""
    assert kinds([right, *shown], shown) == set()
    assert kind in kinds([wrong, *shown], shown)


def test_a_plus_more_is_another_grade() -> None:
    """Of `A++` one plus goes, so that it is the `A+` of other cells."""
    assert kinds([("A++", "A+"), ("A+", "A+")], CLASSES) == {"mark-lost"}
    assert kinds([("a++", "A++"), ("A+", "A+")], CLASSES) == set()


@pytest.mark.parametrize(
    ("shown", "cell"),
    [
        (YES_NO, ("fully furnished", "yes")),
        (FINES, ("-$2.00", "-2.00")),
        (SOILS, ("CL", "clay loam")),
        ([("12 mm", "12"), ("7 mm", "7")], ("5mm", "5")),
        ([("three bedrooms", "3")], ("4BR", "4")),
        ([("1.2 MWh", "1200 kWh"), ("350 Wh", "0.35 kWh")], ("2 GWh", "2e+06 kWh")),
    ],
)
def test_the_same_in_other_words_is_shown(shown: list[Change], cell: Change) -> None:
    """A word that only strengthens, a minus that stays, the short form of a word that goes, and how a number is
    written.
    """
    assert kinds([cell, *shown], shown) == set()


def test_a_key_with_a_word_for_nothing_stays_where_it_holds_null() -> None:
    """Records that keep `note` where it is null, and lose it where it is `n/a`, lose it by mistake."""
    before = [[{"sku": "A", "note": "n/a"}], [{"sku": "B", "note": None}], [{"sku": "C", "note": "top"}]]
    gone = [[{"sku": "A"}], *before[1:]]
    assert [one.kind for one in inside_doubts((before, gone), ([], []), by_row=True)] == ["key-lost"]
    both = [[{"sku": "A"}], [{"sku": "B"}], before[2]]
    assert not list(inside_doubts((before, both), ([], []), by_row=True))


def test_several_numbers_are_not_scaled_under_one_unit() -> None:
    """A size in centimetres divided as if it were in millimetres is held without examples, too."""
    stays = [("30 x 40 cm", "30 x 40 cm"), ("45 x 60 cm", "45 x 60 cm")]
    assert "quantity-changed" in kinds([*stays, ("51 × 76 cm", "5.1 x 7.6 cm")], [])
    assert kinds([*stays, ("510 × 760 mm", "51 x 76 cm"), ("51 × 76 cm", "51 x 76 cm")], []) == set()
