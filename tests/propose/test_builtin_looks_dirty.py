"""Cells that look like another way to write a frequent one: what is one, and what is a value of its own."""

import pytest

from tests.propose.builtin_help import ask, column, settled

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


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        (["Up", "Up-", "Flat"], "Up -", "Up-"),
        (["Low", "Low-", "High"], "LOW\u2013", "Low-"),
        (["-Alpha", "Alpha", "Beta"], "- Alpha", "-Alpha"),
        (["Chloride", "Hydroxide-", "Sodium"], "Chloride -", "Chloride -"),
        (["Point P", "Point Q"], "Point P'", "Point P'"),
        (["Point P", "Point Q"], "'Point P'", "Point P"),
        (["NET", "Java"], ".NET", ".NET"),
        (["5 mg dose", "10 mg dose"], ".5 mg dose", ".5 mg dose"),
    ],
)
def test_a_sign_that_carries_meaning_is_not_dropped(usual: list[str], odd: str, mended: str) -> None:
    """`Up -` is `Up-` where that is a value, a quote at one end wraps nothing, and a point before a word is no stop."""
    assert settled([*usual * 40, *[odd] * 2])[-2:] == [mended] * 2


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


ANSWERS = [
    (["Sí", "No"], ["SI", "si", "N"], ["Sí", "Sí", "No"]),
    (["TAK", "NIE"], ["tak", "T", "Nie"], ["TAK", "TAK", "NIE"]),
    (["Evet", "Hayır"], ["EVET", "HAYIR", "H"], ["Evet", "Hayır", "Hayır"]),
    (["sim", "não"], ["S", "nao", "NÃO"], ["sim", "não", "não"]),
    (["ja", "nee"], ["Ja", "J", "N"], ["ja", "ja", "nee"]),
    (["да", "нет"], ["ДА", "нет", "Н"], ["да", "нет", "нет"]),
    (["有", "無"], ["あり", "無し", "なし"], ["有", "無", "無"]),
]


@pytest.mark.parametrize(("usual", "odd", "mended"), ANSWERS)
def test_yes_and_no_are_known_in_other_languages(usual: list[str], odd: list[str], mended: list[str]) -> None:
    assert settled([*usual * 20, *odd], "paid")[40:] == mended


def test_words_beside_answers_are_not_taken_for_answers() -> None:
    """Leave with pay and leave without are no way to say yes and no; nor are the letters of the sexes in Turkish."""
    leave = ["有", "無"] * 20 + ["有給"] * 3
    assert settled(leave, "休暇") == leave
    assert settled([*["E", "K"] * 20, "X"], "cinsiyet") == [*["E", "K"] * 20, "X"]


def test_units_get_the_usual_blank_in_front_of_them() -> None:
    doses = ["5 mg", "10 mg", "0.5 mg", "1 g", "250 mcg"] * 8
    assert settled([*doses, "5mg", "2.5mg", "2g"], "dose")[40:] == ["5 mg", "2.5 mg", "2 g"]
    rates = ["23%", "8%", "5%", "exempt", "0%"] * 8
    assert settled([*rates, "23 %", "7 %"], "rate")[40:] == ["23%", "7%"]


def test_what_may_be_no_unit_keeps_its_place() -> None:
    """3D is no number of Ds where no other cell has any."""
    doses = ["5 mg", "10 mg", "0.5 mg", "1 g", "250 mcg"] * 8
    assert settled([*doses, "3D", "5mg x2", "1E5"], "dose")[40:] == ["3D", "5mg x2", "1E5"]


def test_units_are_written_in_the_letters_of_most() -> None:
    weights = ["3 kg", "12 kg", "8 lb", "20 kg", "4 lb"] * 5
    assert settled([*weights, "5 Kg", "7 KG", "6 LB", "9KG"], "weight")[25:] == ["5 kg", "7 kg", "6 lb", "9 kg"]
    sugar = ["5.2 mmol/L", "94 mg/dL", "6.1 mmol/L", "101 mg/dL"] * 5
    assert settled([*sugar, "5.9 mmol/l", "98 mg/dl"], "glucose")[20:] == ["5.9 mmol/L", "98 mg/dL"]


@pytest.mark.parametrize("cells", [["5 mW", "5 MW", "7 mW"], ["2 mg", "2 Mg", "4 mg", "1 g"]])
def test_units_of_which_case_makes_others_stay(cells: list[str]) -> None:
    assert settled(cells * 8, "size") == cells * 8


def test_units_get_a_blank_where_both_ways_are_as_frequent() -> None:
    assert settled(["5 mg", "10mg", "1 g", "2g"] * 10, "dose") == ["5 mg", "10 mg", "1 g", "2 g"] * 10


def test_ranges_get_the_usual_sign_beside_words_and_open_ends() -> None:
    ages = ["18-24", "25-34", "35-44", "45-54", "55+", "Under 18"] * 10
    assert settled([*ages, "18–24", "25 to 34", "35 - 44"], "age group")[60:] == ["18-24", "25-34", "35-44"]
    unknown = [*ages, "2–1"]  # no other cell says what it would become
    assert settled(unknown, "age group") == unknown


def test_telephone_numbers_get_the_usual_blanks() -> None:
    abroad = [f"+91 {60000 + 7 * row} {90000 - row}" for row in range(40)]
    assert settled([*abroad, "+919201821168", "9201821168"], "mobile")[40:] == ["+91 92018 21168", "9201821168"]
    at_home = [f"6{row % 10}{row % 7} {100 + row} {900 - row}" for row in range(40)]
    assert settled([*at_home, "671402808", "67140280"], "mobile")[40:] == ["671 402 808", "67140280"]
    signed = [f"+{10 + row}.50" for row in range(40)] + ["+1250"]
    assert settled(signed, "change") == signed


def test_digits_of_another_script_become_the_usual_ones() -> None:
    assert settled([*map(str, range(1000, 1040)), "١٧٩٠"], "salary")[-1] == "1790"
    arabic = ["١٧٩٠", "٢٣٤٥", "٣٠٠٠"] * 10 + ["1790"]
    assert settled(arabic, "salary") == arabic


def test_texts_that_lost_their_accents_get_them_back() -> None:
    cities = ["Málaga", "Córdoba", "Düsseldorf", "İstanbul", "Łódź-Górna"] * 20
    odd = ["Malaga", "CORDOBA", "Duesseldorf", "istanbul", "Lodz-Gorna"]
    assert settled([*cities, *odd], "city")[100:] == cities[:5]
    greek = ["Αθήνα", "Ιωάννινα"] * 30 + ["ΑΘΗΝΑ", "Αθηνα", "Ιωαννινα"]
    assert settled(greek, "πόλη")[60:] == ["Αθήνα", "Αθήνα", "Ιωάννινα"]


def test_accents_that_most_texts_lost_somewhere_need_not_be_rare() -> None:
    """Somebody types without them: four of five texts show it. Of two of five, one may be another thing."""
    parts = ["Żabka", "Łańcuch", "Wkręt długi", "Śruba", "Kołnierz"] * 20
    odd = ["Zabka"] * 5 + ["Lancuch"] * 4 + ["Wkret dlugi"] * 3 + ["Sruba"]
    assert settled([*parts, *odd], "nazwa")[100:] == [*["Żabka"] * 5, *["Łańcuch"] * 4, *["Wkręt długi"] * 3, "Śruba"]
    few = [*parts, *["Zabka"] * 5, *["Lancuch"] * 4]
    assert settled(few, "nazwa") == few


@pytest.mark.parametrize(
    ("usual", "rare"),
    [
        (["payé", "fermé"], ["paye", "ferme"]),
        (["tâche", "forêt"], ["tache", "foret"]),
        (["Mäntel", "Öfen"], ["Mantel", "Ofen"]),
        (["Málaga", "Górki"], ["Gorki"] * 4),
        (["Cantó", "Pâtes"], ["Canto", "Patés"]),
    ],
)
def test_texts_that_may_be_other_words_without_accents_stay(usual: list[str], rare: list[str]) -> None:
    cells = [*usual * 25, *rare]
    assert settled(cells, "what") == cells


def test_names_of_persons_keep_their_own_accents() -> None:
    names = ["Peñalver", "Muñoz", "García"] * 20 + ["Munoz", "Garcia"]
    assert settled(names, "apellido") == names


def test_dashes_do_not_count_against_the_case_of_codes() -> None:
    titles = ["GM", "IM", "FM", "-", "WGM"] * 20
    assert settled([*titles, "gm", "fm"], "title")[100:] == ["GM", "FM"]


def test_account_numbers_in_groups_get_the_usual_case() -> None:
    numbers = [f"DE{10 + row} {1000 + row} {2000 + 3 * row} {3000 + 7 * row}" for row in range(60)]
    assert settled([*numbers, "de34 1067 4696 0205"], "iban")[-1] == "DE34 1067 4696 0205"


def test_volts_are_units_in_a_column_that_says_so() -> None:
    volts = [f"{3 + row / 100:.2f}" for row in range(60)]
    assert settled([*volts, "3.56 V"], "battery_v")[-1] == "3.56"
    assert settled([*volts, "3.56 V"], "release")[-1] == "3.56 V"


def test_japanese_dates_are_a_format_that_others_become() -> None:
    days = [f"{2010 + row % 9}年{row % 12 + 1}月{row % 28 + 1}日" for row in range(60)]
    assert settled([*days, "2016-08-04", "2018/03/17", "令和2年3月4日"], "day")[60:] == [
        "2016年8月4日",
        "2018年3月17日",
        "令和2年3月4日",
    ]


def test_nothing_is_said_of_the_order_of_dates_that_begin_with_the_year() -> None:
    days = [f"{row % 28 + 1} mars {2010 + row % 9}" for row in range(60)] + ["2016-08-04"] * 3
    [note] = ask(column(days, "jour")).notes
    assert note.startswith("Some dates in jour stay in another format than most. Declare the one to write")


def test_figures_of_which_most_stand_together_are_put_together() -> None:
    codes = [str(110001 + 37 * row) for row in range(40)]
    assert settled([*codes, "400 001", "411 001"], "pin")[40:] == ["400001", "411001"]
    books = [str(9780306406157 + 7919 * row) for row in range(40)]
    assert settled([*books, "978-0-306-40615-8"], "isbn")[-1] == "9780306406158"


@pytest.mark.parametrize("odd", ["123.456", "110-120", "110001 5", "110 120 130", "1100 01.5"])
def test_figures_that_may_be_two_numbers_or_have_decimals_stay(odd: str) -> None:
    codes = [str(110001 + 37 * row) for row in range(40)]
    assert settled([*codes, odd], "code") == [*codes, odd]


def test_either_apostrophe_parts_thousands_beside_numbers_that_are_plain() -> None:
    prices = ["1'250'000", "890'000", "450’500", "1’100", "2100000", "450500"] * 6
    plain = ["1250000", "890000", "450500", "1100", "2100000", "450500"] * 6
    assert settled(prices, "Preis") == plain
    assert settled([*prices, "CHF 2'100'000.–", "Fr. 1'100.--"], "Preis") == [*plain, "2100000", "Fr. 1100"]


def test_persons_that_are_known_with_their_last_name_in_front_are_written_so() -> None:
    names = ["Ding, Liren", "So, Wesley", "L'Ami, Erwin", "Van Foreest, Jorden"] * 10
    odd = ["Liren Ding", "Erwin L'Ami", "Jorden Van Foreest", "Wesley Ding"]
    assert settled([*names, *odd], "white")[40:] == [
        "Ding, Liren",
        "L'Ami, Erwin",
        "Van Foreest, Jorden",
        "Wesley Ding",
    ]
    mixed = ["Ding, Liren", "Liren Ding"] * 20
    assert settled(mixed, "white") == mixed


def test_numbers_are_known_in_other_languages_and_months_are_none() -> None:
    numbers = [str(1 + row % 9) for row in range(40)]
    assert settled([*numbers, "drei", "Acht", "deux", "siete"], "Menge")[40:] == ["3", "8", "2", "7"]
    assert settled([*numbers, "Sept", "mar"], "month")[40:] == ["Sept", "mar"]


def test_figures_in_groups_are_one_number_beside_plain_ones_as_large() -> None:
    people = [str(70000 + 9_876_543 * row) for row in range(40)]
    assert settled([*people, "320 042 142", "29 500 000"], "population")[40:] == ["320042142", "29500000"]


@pytest.mark.parametrize(
    ("plain", "odd"),
    [
        ([str(5 + 97 * row) for row in range(40)], "12 500"),  # 12 and 500 stand in the column
        ([str(70000 + 9_876 * row) for row in range(40)], "320 042 142"),  # larger than all by far
        ([str(70000 + 9_876 * row) for row in range(40)], "3 042"),
    ],
)
def test_figures_in_groups_that_may_be_two_numbers_stay(plain: list[str], odd: str) -> None:
    cells = [*plain, odd, odd.replace("2", "3")]
    assert settled(cells, "count") == cells


@pytest.mark.parametrize("name", ["last", "Nazwisko", "Příjmení", "Soyadı", "Achternaam", "Förnamn", "Sobrenome"])
def test_columns_of_names_of_persons_are_known_in_other_languages(name: str) -> None:
    names = [*["Novak", "Null", "Kovar"] * 20, "Novac", "Kowar"]
    assert settled(names, name) == names


def test_a_column_of_first_and_last_things_is_none_of_persons() -> None:
    assert settled([*["north gate", "south gate"] * 20, "null"], "last")[-1] == ""
