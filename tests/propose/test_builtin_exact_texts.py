"""Texts that are others as soon as one sign is: case, a sign or a million that is the meaning stays."""

import pytest

from tests.propose.builtin_help import column, settle, settled


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("gene", ["TP53", "Trp53", "BRCA1", "Brca1", "EGFR", "Egfr", "MYC", "Myc"]),
        ("symbol", ["ACTB", "Actb", "GAPDH", "Gapdh", "FOS", "Fos"]),
        ("call", ["ls -l", "ls -L", "rm -r", "rm -R", "cp -p", "cp -P"]),
        ("flags", ["-v", "-V", "-r", "-R", "-e", "-E"]),
        ("file_name", ["main.c", "main.C", "util.h", "util.H", "parser.c", "parser.C"]),
        ("headword", ["polish", "Polish", "march", "March", "turkey", "Turkey"]),
        ("palabra", ["hablo", "habló", "canto", "cantó", "trabajo", "trabajó"]),
        ("variable", ["http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY", "user-id", "user_id"]),
        ("password", ["secret", "Secret", "letmein", "LetMeIn", "hunter", "Hunter"]),
        ("move", ["Bxc4", "bxc4", "Bxd5", "bxd5", "Bxa4", "bxa4"]),
    ],
)
def test_texts_that_every_sign_tells_apart_stay(name: str, texts: list[str]) -> None:
    cells = [text for place, text in enumerate(texts) for _ in range(12 - place)]
    assert settled(cells, name) == cells


def test_the_same_texts_under_another_name_get_one_case() -> None:
    cells = ["Polish", "polish", "Turkish", "turkish", "Danish", "danish"] * 8
    assert {*settled(cells, "nationality")} == {"Polish", "Turkish", "Danish"}


def test_single_letters_in_two_cases_are_one_where_the_column_says_so() -> None:
    letters = ["A"] * 14 + ["a"] * 12 + ["B"] * 13 + ["b"] * 9 + ["C"] * 7 + ["c"] * 7
    assert settled(letters, "marker") == letters
    assert settled(letters, "grade") == [letter.upper() for letter in letters]


def test_short_codes_in_two_cases_all_get_the_more_frequent_one() -> None:
    codes = ["en"] * 29 + ["EN"] * 6 + ["de"] * 8 + ["DE"] * 7 + ["fr"] * 5 + ["FR"] * 6
    assert settled(codes, "language") == [code.lower() for code in codes]
    mixed = [first + second for first in "aAbB" for second in "aAbB"] * 6
    assert settled(mixed, "code") == mixed


def test_words_are_parted_in_one_way_throughout() -> None:
    locales = ["en-US"] * 8 + ["en_US"] * 7 + ["de-DE"] * 6 + ["de_DE"] * 7 + ["fr-FR"] * 6 + ["fr_FR"] * 5
    assert settled(locales, "locale") == [locale.replace("_", "-") for locale in locales]
    towns = ["Saint-Pierre"] * 9 + ["Saint Pierre"] * 5 + ["La Rochelle"] * 6 + ["La-Rochelle"] * 4
    assert {*settled([*towns, *["Le Mans"] * 9], "town")} == {"Saint-Pierre", "La Rochelle", "Le Mans"}
    goods = ["USB-C Cable"] * 9 + ["USB-C-Cable"] * 6 + ["Wireless-Mouse"] * 8 + ["Wireless Mouse"] * 7
    assert {*settled([*goods, *["Gaming Chair"] * 8], "product")} == {"USB-C Cable", "Wireless Mouse", "Gaming Chair"}


def test_a_short_word_in_small_letters_goes_where_longer_ones_have_them_too() -> None:
    teams = ["IT"] * 9 + ["it"] * 6 + ["Sales"] * 8 + ["sales"] * 5 + ["Finance"] * 8 + ["finance"] * 5
    assert {*settled(teams, "department")} == {"IT", "Sales", "Finance"}
    units = ["MG"] * 9 + ["mg"] * 6 + ["Tablet"] * 8 + ["Drop"] * 9
    assert settled(units, "unit") == units


def test_what_is_shortened_has_a_stop_throughout_or_none() -> None:
    degrees = ["Ph.D."] * 9 + ["PhD"] * 5 + ["M.A."] * 6 + ["MA"] * 7 + ["B.S."] * 5 + ["BS"] * 5
    assert {*settled(degrees, "degree")} == {"Ph.D.", "M.A.", "B.S."}
    shares = ["AB.C"] * 8 + ["ABC"] * 9 + ["XY.Z"] * 8 + ["XYZ"] * 6 + ["BF.B"] * 7
    assert settled(shares, "ticker") == shares


def test_towns_of_two_countries_stay_two_although_one_has_no_other_town() -> None:
    towns = ["Saint Louis"] * 20 + ["Saint-Louis"] * 20 + ["San Jose"] * 20 + ["Dakar", "Metz", "Lyon"] * 7
    countries = ["US"] * 20 + ["SN"] * 10 + ["FR"] * 10 + ["US"] * 20 + ["SN", "FR", "FR"] * 7
    assert list(settle(column(towns, "city", country=countries))[0]["city"]) == towns
    assert "Saint-Louis" not in settled([*towns[:25], *towns[40:]], "city")


def test_numbers_of_books_get_no_hyphens_but_may_lose_them() -> None:
    """Their parts are of other lengths from publisher to publisher."""
    bare = [f"978{4006381 + n:07}{n % 1000:03}" for n in range(60)]
    parted = [f"{one[:3]}-{one[3]}-{one[4:7]}-{one[7:12]}-{one[12]}" for one in bare]
    few = [*parted[:50], *bare[50:]]
    assert settled(few, "isbn") == few
    assert settled([*parted[:25], *bare[25:]], "isbn") == bare


def test_millions_are_no_metres() -> None:
    amounts = [text for n in range(10, 40) for text in (f"{n}.5M", f"{n}.5")]
    assert settled(amounts, "population") == amounts
    assert settled(amounts, "height") == [text.rstrip("M") for text in amounts]


def test_codes_whose_signs_say_where_parts_end_keep_them() -> None:
    """Without blanks nothing would tell 340 and 56600 from 3405 and 6600."""
    forms = ("{}{:04}{:04}", "{} {:04} {:04}", "{} {:03} {:05}", "{}{:04}{:04}")
    squares = [forms[n % 4].format("VWXYZ"[n % 5] + "K", 100 + n * 7, 1000 + n * 11) for n in range(60)]
    assert settled(squares, "place") == squares
    alike = [text for n, text in enumerate(squares) if n % 4 != 2]
    assert settled(alike, "place") == [text.replace(" ", "") for text in alike]


def test_a_word_gives_way_to_a_sign_between_numbers() -> None:
    ways = ("{} over {}", "{}/{}", "{} over {}")
    pressures = [ways[n % 3].format(110 + n, 70 + n % 20) for n in range(60)]
    assert settled(pressures, "bp") == [text.replace(" over ", "/") for text in pressures]


def test_codes_in_two_cases_that_have_names_of_their_own_stay() -> None:
    codes = [f"{letter}{n:04}" for n in range(20) for letter in "sS" for _ in range(2)] + [
        f"S{n:04}" for n in range(50, 90)
    ]
    names = [f"thing {code}" for code in codes]
    assert list(settle(column(codes, "code", kind=names))[0]["code"]) == codes
    days = [str(row) for row in range(len(codes))]
    sources = ["north" if code[0] == "s" else "south" for code in codes]
    assert list(settle(column(codes, "code", day=days, office=sources))[0]["code"]) == [code.upper() for code in codes]


def test_words_that_have_a_kind_of_their_own_each_stay_two() -> None:
    words = ["Turkey", "turkey", "Polish", "polish", "China", "china"] * 12
    kinds = ["Meat", "Animal", "Nationality", "Cosmetics", "Country", "Tableware"] * 12
    assert list(settle(column(words, "item", category=kinds))[0]["item"]) == words
    assert {*settled(words, "item")} == {"Turkey", "Polish", "China"}


def test_letters_of_units_are_no_sizes() -> None:
    letters = ["s", "S", "m", "M", "l", "L"] * 9
    assert settled(letters, "unit") == letters
    assert settled(letters, "size") == [letter.upper() for letter in letters]
