"""Kinds of mess that no benchmark set holds: opposites in several languages, foreign numbers, units, missing values."""

import pytest

from orchestrator.gate.information.suspicions import suspicions
from tests.propose.builtin_help import column, settle, settled


@pytest.mark.parametrize(
    ("usual", "odd", "right"),
    [
        (["M", "F"], ["Male", "female", "m", "X"], ["M", "F", "M", "X"]),
        (["Male", "Female"], ["F", "male", "Prefer not to say"], ["Female", "Male", "Prefer not to say"]),
        (["male", "female", "diverse"], ["m", "F", "d", "Diverse"], ["male", "female", "diverse", "diverse"]),
        (["m", "w", "d"], ["männlich", "W", "divers", "D"], ["m", "w", "d", "d"]),
        (["ja", "nein"], ["J", "Nein", "weiß nicht"], ["ja", "nein", "weiß nicht"]),
        (["oui", "non"], ["o", "OUI"], ["oui", "oui"]),
        (["ja", "nein"], ["Y", "N", "yes", "vielleicht"], ["ja", "nein", "ja", "vielleicht"]),
        (["sí", "no"], ["Y", "N"], ["sí", "no"]),
        (["ja", "nej"], ["yes", "Y", "no"], ["ja", "ja", "nej"]),
        (["Yes", "No"], ["y", "N", "Unknown", "1"], ["Yes", "No", "Unknown", "1"]),
        (["oui", "NON", "Oui", "oui", "non", "NON"], ["o", "NON", "non"], ["oui", "non", "non"]),  # not oui and NON
    ],
)
def test_opposites_take_the_majority_words(usual: list[str], odd: list[str], right: list[str]) -> None:
    """The column's own pair of words wins; what says something else stays, and so do digits beside it."""
    assert settled([*usual * 12, *odd])[-len(odd) :] == right


@pytest.mark.parametrize(
    "cells",
    [
        ["S", "M", "L", "M", "XL", "F"] * 5,  # sizes
        ["M", "F", "D", "M", "F"] * 5,
        ["1", "0", "2", "1"] * 5,
        ["Y", "N", "M", "Yes"] * 5,  # one letter beside other answers may be anything
    ],
)
def test_letters_that_may_mean_something_else_stay(cells: list[str]) -> None:
    """Sizes, codes and counts are no opposites."""
    assert settled(cells) == cells


def test_numbers_with_decimal_commas_keep_their_size() -> None:
    """Beside 893,47 and 2.961,82 the point of 2.500 stands between thousands; where points are decimal ones, not."""
    assert settled(["1.234,50", "2.500", "893,47", "12", "7.310,00", "45,5"]) == [
        "1234.50", "2500", "893.47", "12", "7310.00", "45.5",
    ]  # fmt: skip
    assert settled(["21,0", "20.512", "21.004", "22.111"]) == ["21.0", "20.512", "21.004", "22.111"]
    assert settled(["12 933,70 €", "16\u202f668,87", "893,47", "45.50"]) == ["12933.70", "16668.87", "893.47", "45.50"]
    phones = ["612 345 678", "611 222 333", "699 123 456"]
    assert settled(phones) == phones


def test_a_strange_unit_stays_and_the_others_are_cleaned() -> None:
    """Pounds among bare numbers are not touched, nor kilograms beside them; decimal commas are mended all the same."""
    cells = [f"{number}.5" for number in range(50, 70)]
    assert settled([*cells, "71,5", "160 lb", "70.2 kg"])[20:] == ["71.5", "160 lb", "70.2 kg"]
    pressure = [f"{number}.5 hPa" for number in range(1000, 1020)]
    assert settled([*pressure, "1003.2hPa", "1003.2 hpa", "100.3 kPa"])[20:] == [
        "1003.2 hPa", "1003.2 hPa", "100.3 kPa",
    ]  # fmt: skip


def test_a_column_gets_one_decimal_mark_whatever_stands_beside_the_digits() -> None:
    """Bare numbers among euros, and dollars, got points in their fellows only: a column with both marks."""
    euros = ["72,19 €", "4 821,50 €", "13,66 €"] * 8
    assert settled([*euros, "700,97", "21,50 $", "-3,10"])[24:] == ["700.97", "21.50 $", "-3.10"]
    assert settled([*["$1,200.50", "$99.00"] * 9, "1,700.97"])[18:] == ["1700.97"]


@pytest.mark.parametrize("odd", ["12 g", "7h", "3m", "M3", "h2"])
def test_a_letter_beside_a_house_number_is_no_unit(odd: str) -> None:
    """House 12 g became house 12, and room M3 room 3; where more cells have the unit it is one."""
    cells = [*map(str, range(1, 40)), odd]
    assert settled(cells) == cells
    assert settled([*map(str, range(1, 10)), "12 g", "7.5 g", "1g"])[9:] == ["12", "7.5", "1"]


@pytest.mark.parametrize(
    "cells",
    [
        ["M1", "M2", "m2", "M12", "M 3"],  # gates, rooms
        ["1.000000000000000001", "2.5", "12.000000000000000003"],  # 18 places: no binary fraction has so many figures
        ["256055.0000000000", "174079.8571428571", "283787.8571428572"],  # ten places throughout
    ],
)
def test_codes_and_long_fractions_are_no_slips_of_numbers(cells: list[str]) -> None:
    assert settled(cells * 6) == cells * 6


def test_commas_before_three_digits_are_believed_only_where_something_tells() -> None:
    """A litre at 1,549 cost 1549 where it was a German column of its own; visitors below a thousand have no comma."""
    fuel = [f"1,{number}" for number in range(501, 561)]
    assert settled(fuel) == fuel
    assert settled([f"{text} €" for text in fuel])[0] == "1,501 €"
    assert settled([f"${text}" for text in fuel])[0] == "$1501"
    assert settled([*fuel, "512", "87", "930"])[0] == "1501"
    assert settled([*fuel, "1,234,567"])[0] == "1501"
    german, _ = settle(column(fuel, "price", litres=["12,50", "3,99", "40,1"] * 20))
    assert list(german["price"])[:2] == ["1.501", "1.502"]
    american, _ = settle(column(fuel, "people", cost=["1,200.50", "3.99", "40.10"] * 20))
    assert list(american["people"])[:2] == ["1501", "1502"]
    times, _ = settle(column(fuel, "price", at=["9.30", "10.15", "12.00"] * 20))
    assert list(times["price"]) == fuel


def test_a_columns_own_decimal_commas_are_not_overruled() -> None:
    """A weight of 36,250 became 36250 beside 30,6, as another column had 1,200.50, or beside 12.5 and 48.125."""
    weights = ["36,250", "30,6", "41.5", "7.125"] * 15
    cleaned, _ = settle(column(weights, "weight", cost=["1,200.50", "3.99", "40.10", "7.00"] * 15))
    assert list(cleaned["weight"])[:4] == ["36,250", "30.6", "41.5", "7.125"]
    for cost in (["1,200.50", "3.99", "40.10"], ["a", "b", "c"]):
        beside, _ = settle(column(["36,250", "12.5", "48.125"] * 20, "weight", cost=cost * 20))
        assert list(beside["weight"])[:3] == ["36,250", "12.5", "48.125"]
    halves = ["2,119", "5.093", "8,255", "3.590", "933,367", "607.205"]
    assert settled(halves * 20) == halves * 20
    assert settled(["687,193", "1.204,500", "902,250"] * 20)[:3] == ["687.193", "1204.500", "902.250"]
    assert settled(["1,250", "812.5", "48.125"] * 20)[0] == "1250"
    assert settled(["12,500", "5.99", "48.50", "7.25"] * 20)[0] == "12500"


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2", "1,3", "3", "2,4", "4"],  # answers of which several may be ticked
        ["12", "7", "7,8", "12,13", "9"],  # pages
        ["2019", "2020", "2019,2021"],
        ["1", "2,7", "3", "1,2,3", "5"],
        [*(str(number) for number in range(101, 130)), *(f"{n},{n + 1}" for n in range(101, 125))],  # rooms
    ],
)
def test_items_of_a_list_are_no_decimals(cells: list[str]) -> None:
    """The answers 1 and 3 became 1.3, the years 2019 and 2021 the number 2019.2021."""
    assert settled(cells * 4) == cells * 4


def test_decimals_beside_whole_numbers_are_no_lists() -> None:
    """Marks from 1,0 to 5,0, and one price among whole ones: not all can be items."""
    assert settled(["1", "1,3", "1,7", "2", "2,3", "2,7", "3"] * 4)[:4] == ["1", "1.3", "1.7", "2"]
    assert settled(["5", "12", "12,50", "8"] * 4)[:4] == ["5", "12", "12.50", "8"]


def test_none_and_nil_beside_numbers_may_be_zero() -> None:
    """Children: 2, none, 1. Dates have no zero, and None is what Python writes."""
    children = ["2", "none", "1", "nil", "3"] * 5
    assert settled(children) == children
    assert settled(["2", "None", "1"] * 5) == ["2", "", "1"] * 5
    assert settled(["2024-01-02", "none", "2024-03-04"] * 5)[1] == ""


def test_missing_values_in_other_languages_leave_columns_of_numbers() -> None:
    """k.A., néant and ERR say nothing where the other cells are numbers; in a column of words they stay."""
    assert settled(["12,5", "k.A.", "7,1", "ERR", "néant", "3,0"]) == ["12.5", "", "7.1", "", "", "3.0"]
    words = ["payé", "impayé", "néant", "payé"] * 3
    assert settled(words) == words


def test_years_of_two_digits_stay_and_do_not_keep_the_others_from_one_format() -> None:
    """A birth in 45 became one in 2045."""
    births = [f"{month:02}/{month + 12}/{1930 + 5 * month}" for month in range(1, 13)]
    short = ["01/05/45", "02/20/50", "02/20/05"]
    assert settled([*births, "1945-01-05", *short])[12:] == ["01/05/1945", *short]


def test_dates_before_a_time_of_day_take_one_format_and_keep_the_time() -> None:
    """Such a column was left alone, whatever its dates. Midnight is a time there; times alone are no dates."""
    stamps = [f"2024-03-{day} 08:15:00" for day in range(13, 29)]
    odd = ["15.03.2024 11:00", "16.03.2024 00:00", "17.03.2024 9:05 pm", "Mar 5, 2024, 5:00 pm", "31.02.2024 10:00"]
    assert settled([*stamps, *odd])[16:] == [
        "2024-03-15 11:00", "2024-03-16 00:00", "2024-03-17 9:05 pm", "2024-03-05 5:00 pm", "31.02.2024 10:00",
    ]  # fmt: skip
    assert settled(["2024-03-15T10:00:00Z", "2024-03-16T11:00:00Z", "03/17/2024 1:00 PM", "03/18/2024 2:00 AM"] * 3)[
        2
    ] == ("2024-03-17 1:00 PM")
    for right in (stamps, ["9:05", "10:15"] * 8, [f"03/{day:02}/2024 10:00" for day in range(1, 13)] + stamps[:2]):
        assert settled(right) == right


def test_dates_that_do_not_exist_do_not_keep_the_others_from_one_format() -> None:
    """They stay as they are; those of nothing but zeros mean that there is none. Versions are no dates."""
    cells = [f"{day}.03.2024" for day in range(13, 23)]
    assert settled([*cells, "2024-03-05", "2024-02-30", "31.02.2024"])[10:] == [
        "05.03.2024",
        "2024-02-30",
        "31.02.2024",
    ]
    assert settled([*cells, "0000-00-00", "00.00.0000"])[10:] == ["", ""]
    versions = ["1.2.3", "1.2.4", "2.0.1", "10.1.2024", "2024-01-02"] * 4
    assert settled(versions) == versions


def test_nan_and_na_among_words_are_words_if_written_so() -> None:
    """Nan is a bread and a town, Na is sodium; NaN and NA say nothing."""
    assert settled(["Naan", "Nan", "NaN", "Roti"] * 5) == ["Naan", "Nan", "", "Roti"] * 5
    assert settled(["chlorine", "Na", "NA", "n/a", "iron"] * 5) == ["chlorine", "Na", "", "", "iron"] * 5
    assert settled(["1.5", "Nan", "2.5"] * 5) == ["1.5", "", "2.5"] * 5


def test_months_in_other_languages_are_read() -> None:
    """French, German and Japanese dates take the column's format; a column of French dates is not turned to English."""
    usual = [f"{day:02}/03/2024" for day in range(1, 29)]
    assert settled([*usual, "5 mars 2023", "11. März 2023", "2024年3月5日", "5 foo 2023"])[28:] == [
        "05/03/2023", "11/03/2023", "05/03/2024", "5 foo 2023",
    ]  # fmt: skip
    assert settled([*usual, "1er mars 2023", "4 de mayo de 2023", "1º maggio 2023"])[28:] == [
        "01/03/2023", "04/05/2023", "01/05/2023",
    ]  # fmt: skip
    french = [f"{day} mars 2023" for day in range(10, 29)]
    assert settled([*french, "2024-03-05"]) == [*french, "2024-03-05"]


def test_wide_letters_become_plain_where_they_are_slips() -> None:
    """Wide digits among plain ones are narrowed; a column that is written so throughout stays."""
    cells = [f"03-1234-56{number}" for number in range(10, 30)]
    assert settled([*cells, "０３－１２３４－５６７８"])[-1] == "03-1234-5678"
    wide = ["ＡＢＣ", "ＤＥＦ", "ＧＨＩ"]
    assert settled(wide) == wide


def test_small_letters_of_short_codes() -> None:
    """A few icu and tx become ICU and TX; pM beside PM may be another unit."""
    assert settled(["Cardiology"] * 20 + ["ICU"] * 20 + ["Oncology"] * 20 + ["icu"])[-1] == "ICU"
    assert settled(["TX", "CA", "NY", "WA", "IL"] * 4 + ["tx", "Ohio"])[20:] == ["TX", "OH"]


def test_a_clean_file_with_lookalikes_stays() -> None:
    """Codes with zeros, versions, locales, regions, grades and times: nothing is proposed."""
    frame = column(
        [f"{number:05}" for number in range(60)],
        "sku",
        version=["1.1", "1.10", "2.0"] * 20,
        locale=["en-US", "en-GB", "de-DE"] * 20,
        region=["EMEA", "NA", "APAC"] * 20,
        grade=["A", "A-", "-", "B"] * 15,
        at=[f"{number % 24:02}:30" for number in range(60)],
        consent=["Yes", "No", "Unknown"] * 20,
    )
    assert settle(frame)[1] == []


def test_dates_of_year_day_and_month_are_not_read_as_year_month_and_day() -> None:
    """2024-05-03 became 03 May 2024 beside 2024-24-01 and 2023-17-06; one such slip says nothing."""
    cells = ["02 Dec 2008", "11 Jan 2024", "2024-05-03", "2024-24-01", "2023-17-06"]
    assert settled(cells * 4, "day") == cells * 4
    iso = [f"2023-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29, 3)]
    slips = [*iso, "2023-13-05", "2023-13-07", "2023-13-23", "13-Sep-2023"]
    assert settled(slips, "d") == [*slips[:-1], "2023-09-13"]
    half = [*iso, *(f"2023-{day:02}-{month:02}" for month in range(1, 13) for day in (14, 25)), "13-Sep-2023"]
    assert settled(half, "d") == half
    one = [*["02 Dec 2008", "11 Jan 2024", "30 Jun 2021"] * 9, "2024-05-03", "2024-24-01"]
    assert settled(one, "day")[-2:] == ["03 May 2024", "2024-24-01"]


@pytest.mark.parametrize(
    ("pair", "odd", "mended"),
    [
        (["ναι", "όχι"], ["ΝΑΙ", "Όχι", "οχι"], ["ναι", "όχι", "όχι"]),
        (["예", "아니오"], ["네", "아니요"], ["예", "아니오"]),
        (["نعم", "لا"], ["y", "N", "Yes"], ["نعم", "لا", "نعم"]),
        (["כן", "לא"], ["Y", "n"], ["כן", "לא"]),
        (["はい", "いいえ"], ["Y", "N"], ["はい", "いいえ"]),
        (["Y", "N"], ["✓", "✗", "Yes"], ["Y", "N", "Y"]),
        (["남", "여"], ["남성", "여자"], ["남", "여"]),
        (["Masculino", "Femenino"], ["M", "F"], ["Masculino", "Femenino"]),
        (["muž", "žena"], ["m", "ž", "zena"], ["muž", "žena", "žena"]),
        (["पुरुष", "महिला"], ["M", "F"], ["पुरुष", "महिला"]),
    ],
)
def test_answers_and_sexes_of_more_languages(pair: list[str], odd: list[str], mended: list[str]) -> None:
    """The gate believes what becomes of them."""
    usual = pair * 40
    assert settled([*usual, *odd]) == [*usual, *mended]
    assert suspicions([*((word, word) for word in pair), *zip(odd, mended, strict=True)]) == []


def test_short_codes_say_nothing_of_the_case_of_words() -> None:
    """CNG is written in capitals among fuels that are not; they are no reason to leave PETROL."""
    fuels = ["CNG"] * 60 + ["Diesel"] * 50 + ["Petrol"] * 50
    assert settled([*fuels, *["PETROL"] * 7, *["diesel"] * 7], "fuel") == [*fuels, *["Petrol"] * 7, *["Diesel"] * 7]


def test_words_for_nothing_among_addresses_of_email_go() -> None:
    addresses = [f"{letter}{n}@example.com" for n in range(20) for letter in "abc"]
    assert settled([*addresses, "not provided", "unknown", "none", "-"], "email")[-4:] == [""] * 4


def test_a_name_that_most_write_as_one_is_no_word_for_nothing_in_capitals_either() -> None:
    towns = ["Nan", "Oslo", "Bern", "Rome"] * 10
    assert "" not in settled([*towns, "NAN", "nan"], "town")
    assert settled([*["Oslo", "Bern", "Rome"] * 10, "NAN", "nan"], "town")[-2:] == ["", ""]


def test_territories_stand_beside_states() -> None:
    """Many Puerto Ricans switched the repair of all states off; a column of countries is still none of states."""
    usual = [*["CA", "NY", "TX", "MA", "PR"] * 20, "GU", "AE"]
    assert settled([*usual, "California", "ny", "Puerto Rico"], "state") == [*usual, "CA", "NY", "PR"]
    countries = [*["AE", "AS", "PR", "DE", "IN"] * 20, "Georgia", "Delaware"]
    assert settled(countries, "country") == countries


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        ("active", ["Active", "ACTIVE"], ["active", "active"]),
        ("Active", ["active", "active"], ["Active", "Active"]),
        ("mW", ["MW", "MW"], ["MW", "MW"]),
        ("active", ["actve", "inactive"], ["actve", "inactive"]),
    ],
)
def test_one_word_alone_is_written_in_one_case(usual: str, odd: list[str], mended: list[str]) -> None:
    """It is no list in which slips are known, but another case of it is no other word."""
    assert settled([*[usual] * 200, *odd * 5], "status")[200:] == mended * 5
