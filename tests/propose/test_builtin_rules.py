"""What each rule repairs, and the look-alikes that it must leave alone."""

import pandas as pd
import pyarrow as pa
import pytest

from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.working_rows import profile
from tests.propose.builtin_help import column, settle, settled

CITIES = ["Springfield"] * 30 + ["Hamilton"] * 25 + ["Burlington"] * 20
WORDS = [f"{first} {second}" for first in ("Blue", "Green", "Tall", "Short") for second in ("Chair", "Table", "Lamp")]


def test_blanks_around_texts_and_odd_spaces_go() -> None:
    """Padding, no-break spaces, zero-width marks and byte-order marks disappear; inner line breaks stay."""
    assert settled([" a", "b\t", "c\u00a0d", "\ufeffe", "f\u200bg", "h\ni", "  "]) == [
        "a", "b", "c d", "e", "fg", "h\ni", "",
    ]  # fmt: skip
    marked = ["941\u200f", "thea\u00adtre", "\u202a12\u202c", "\u05d0\u200f-1", "n\u200c\u0645"]
    assert settled(marked) == ["941", "theatre", "12", "\u05d0\u200f-1", "n\u200c\u0645"]


def test_accidental_runs_of_blanks_become_one() -> None:
    """A few slips among many texts are repaired."""
    cells = [f"{word} no {number}" for word in WORDS for number in "abcdefgh"]
    messy = [cell.replace(" ", "  ", 1) if place % 9 == 0 else cell for place, cell in enumerate(cells)]
    assert settled(messy) == cells


def test_two_blanks_behind_a_comma_are_an_accident() -> None:
    """They part no fields: the comma does."""
    cells = [f"{n} Vera Hill, {'Miami' if n % 2 else 'Fresno'}" for n in range(60)]
    messy = [cell.replace(", ", ",  ") if n % 6 == 0 else cell for n, cell in enumerate(cells)]
    assert settled(messy, "full_address") == cells


@pytest.mark.parametrize(
    "cells",
    [
        ["given the  right kind"] * 9 + ["other words here"] * 9,  # always written so
        ["1234-5678     8765-4321"] * 3 + ["1234-5678"] * 9,  # the blanks separate fields
        [f"Room {n} -  {n * 3} m" for n in range(9)] + ["Hall"] * 9,
        ["First sentence ends here.  Then there comes another one that is long enough to be prose. " * 2 + "x"] * 4,
        ["Yeti  Stout"] + [f"Beer {number}" for number in "abcdefghijkl"],  # one of its kind: no evidence
    ],
)
def test_runs_of_blanks_that_may_be_meant_stay(cells: list[str]) -> None:
    """A run that is repeated, separates fields, stands in prose or is alone is left."""
    cells = [cell.strip() for cell in cells]
    assert settled(cells) == cells


def test_wrongly_decoded_text_is_read_rightly() -> None:
    """UTF-8 taken for Windows-1252 is repaired, also twice over; true accents stay."""
    cells = ["CafÃ© Noir", "BrÃ»lÃ©e", "Café Noir", "naïve", "Ã\u0192Â©clair", "itâ€™s", "Ângelo", "plain"]
    assert settled(cells) == ["Café Noir", "Brûlée", "Café Noir", "naïve", "éclair", "it’s", "Ângelo", "plain"]


def test_text_that_a_macintosh_read_wrongly_is_read_rightly() -> None:
    """UTF-8 taken for Mac Roman, as spreadsheets there do, is repaired; roots and signs of logic stay."""
    cells = ["Don‚Äôt", "Caf√©", "√ñsterreich", "20¬∞C", "na√Øve", "2√π", "√2", "A ¬ B", "√π r", "plain"]
    right = ["Don’t", "Café", "Österreich", "20°C", "naïve", "2√π", "√2", "A ¬ B", "√π r", "plain"]
    assert settled(cells) == right


def test_html_entities_become_characters() -> None:
    """Named and numeric entities, also escaped twice; text with a lone ampersand stays."""
    cells = ["Salt &amp; Pepper", "O&#39;Brien", "a &amp;lt; b", "AT&T", "R&D; more", "x &unknown; y"]
    assert settled(cells) == ["Salt & Pepper", "O'Brien", "a < b", "AT&T", "R&D; more", "x &unknown; y"]


def test_markup_is_not_unescaped() -> None:
    """A column that holds tags is HTML, where entities are right."""
    cells = ["<b>Salt &amp; Pepper</b>", "Tom &amp; Jerry", "x"]
    assert settled(cells) == cells


def test_stand_ins_leave_columns_of_numbers_and_dates() -> None:
    """Any word for nothing goes where the other cells are numbers or dates."""
    assert settled(["1", "2", "N/A", "unknown", "-", "ERROR", "7", "12"]) == ["1", "2", "", "", "", "", "7", "12"]
    numbers = [str(number) for number in range(20, 60)]
    for word in ("unbekannt", "Inconnu", "desconocido", "bilinmiyor", "nieznany", "brak danych", "N/D", "TBC"):
        assert settled([*numbers, word], "value") == [*numbers, ""]
    beside = [*numbers, *["<5", "47 moves"] * 3, "missing"]  # bounds and the name's own unit are values, too
    assert settled(beside, "moves")[-3:] == ["<5", "47", ""]
    several = [*numbers, *numbers, "nd", "ND", "waived", "n.d.", "unknown"]  # words that may mean something are few
    assert settled(several, "value")[-5:] == ["nd", "ND", "waived", "", ""]
    mixed = [*numbers, *["positive", "negative", "trace"] * 3, "unknown"]
    assert settled(mixed, "value") == mixed
    answers = ["Chien", "Chat", "Lapin"] * 20 + ["inconnu"] * 3
    assert settled(answers, "value") == answers
    assert settled(["2024-01-02", "2024-03-04", "none", "?"]) == ["2024-01-02", "2024-03-04", "", ""]


def test_stand_ins_become_null_where_the_column_has_nulls() -> None:
    """In a nullable column nothing is null, not a blank text."""
    cleaned = settle(column(["1", "2", None, "N/A", "5"]))[0]["value"]
    assert list(cleaned.isna()) == [False, False, True, True, False]
    assert str(cleaned.dtype) == "str"


@pytest.mark.parametrize(
    "cells",
    [
        ["empty"] * 20 + ["fifth avenue", "main street"],  # a word like any other
        ["US", "DE", "NA", "FR", "NA", "IT"],  # Namibia
        ["EMEA", "APAC", "NA", "LATAM"],  # North America
        ["A+", "B-", "-", "+", "AB"],
        ["None", "Peanuts", "Shellfish", "None", "Gluten"],  # no allergies is a fact
        ["Unknown", "Single", "Married", "Divorced", "Unknown"],
        ["Nan Goldin", "Null Island", "The Null Hypothesis", "Nothing", "John Missing"],
        ["Yes", "No", "Unknown"],
    ],
)
def test_words_that_can_be_data_stay(cells: list[str]) -> None:
    """A stand-in for nothing in one column is a value in another."""
    assert settled(cells) == cells


def test_names_of_persons_that_look_like_stand_ins_stay() -> None:
    """Null, Nan and Na are surnames; what a program writes for nothing goes from the same column."""
    cells = ["Miller", "Null", "Okafor", "Nan", "Na", "Schmidt", "NULL", "N/A", "nan", "null", "NaN"]
    assert settled(cells, "last_name") == [*cells[:6], "", "", "", "", ""]
    assert settled(["Miller Road", "Null", "Okafor Street", "Mill Lane"], "street")[1] == ""


def test_a_stand_in_of_numeric_columns_is_one_in_the_whole_table() -> None:
    """UNKNOWN in a numeric column says what UNKNOWN means in this table, where cells can be missing."""
    frame = column(["1", "2", "UNKNOWN", "4"], "n", item=["Coffee", "UNKNOWN", "", "Sandwich"])
    cleaned, _ = settle(frame)
    assert list(cleaned["item"]) == ["Coffee", "", "", "Sandwich"]


def test_numbers_lose_separators_currencies_and_units() -> None:
    """Money, thousands, decimal commas and units end as plain numbers where plain ones are the custom."""
    assert settled(["$1,234.50", "12.00", "9.99", "USD 7.10", "3.00", "8,90", "4.20", "1.00"]) == [
        "1234.50", "12.00", "9.99", "7.10", "3.00", "8.90", "4.20", "1.00",
    ]  # fmt: skip
    assert (
        settled(["12.0 oz", "12.0 oz.", "16.0 ounce", "8.4 OZ.", "16.0 oz"] * 3) == ["12", "12", "16", "8.4", "16"] * 3
    )
    assert settled(["12.0 oz", "12.0 oz.", "16.0 ounce"] * 3) == ["12", "12", "16"] * 3
    assert settled(["5", "6", "5 pcs", "7.0", "three", "12", "8"]) == ["5", "6", "5", "7", "3", "12", "8"]
    assert settled(["48,0", "0,188", "31", "163,07"]) == ["48.0", "0.188", "31", "163.07"]
    assert settled(["379,998", "1,234,567", "12", "46,421"]) == ["379998", "1234567", "12", "46421"]


def test_the_majority_style_of_numbers_wins() -> None:
    """Where most cells carry the unit, the others get it; grams become kilograms where nothing is lost."""
    cells = ["1.2 kg"] * 12 + ["0.4kg", "0,7 kg", "2.5 KG", "400 g", "450 g", "3"]
    assert settled(cells)[12:] == ["0.4 kg", "0.7 kg", "2.5 kg", "0.4 kg", "450 g", "3"]
    assert settled(["10%"] * 9 + ["5 %", "7 percent", "5.0%"])[9:] == ["5%", "7%", "5%"]


@pytest.mark.parametrize(
    "cells",
    [
        ["7.0", "8.6", "7.2", "9.0"],  # one decimal throughout
        ["5.0", "", "12.0", "100.0"],  # floats, and a missing one
        ["1.0", "2.0", "4.0", "3", "1.0"],  # floats, one of them written without
        ["5 kg", "7 lb", "3 kg", "8 lb"],  # different units
        ["$5.00", "€7.00", "$3.00", "€4.00"],  # different currencies
        ["0.05", "5%", "0.07", "7%", "0.03", "9%"],  # per cent of another size
        ["90 min", "88 min", "120 min"],  # one style
        ["1,234", "5,678", "12"],  # thousands or decimals: nobody knows
        ["192.168.100.200", "192.168.100.201", "10.0.0.1"],
        ["00123", "04567", "98765"],
        ["Room 5", "Room 6", "12"],
        ["1.5", "one more thing", "two of them"],
    ],
)
def test_numbers_that_may_be_right_stay(cells: list[str]) -> None:
    """Uniform, ambiguous or different things are left."""
    assert settled(cells) == cells


def test_float_noise_and_lost_integers_are_repaired() -> None:
    """Binary noise goes; ".0" goes beside more whole numbers."""
    assert settled(["0.05", "0.07%", "0.10400000000000001", "0.06", "0.08", "0.03", "0.05%"]) == [
        "0.05", "0.07", "0.104", "0.06", "0.08", "0.03", "0.05",
    ]  # fmt: skip
    assert settled(["5.0", "", "12", "100", "7"]) == ["5", "", "12", "100", "7"]


def test_mixed_dates_become_iso() -> None:
    """Days above 12 tell what 04/10/2024 means."""
    cells = [
        "2024-05-06",
        "04/10/2024",
        "25/12/2024",
        "31/01/2024",
        "19/02/2024",
        "May 4, 2024",
        "3-Jun-2024",
        "2024/7/9",
    ]
    assert settled(cells) == [
        "2024-05-06", "2024-10-04", "2024-12-25", "2024-01-31", "2024-02-19", "2024-05-04", "2024-06-03", "2024-07-09",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "odd",
    [
        "04May2024",
        "4MAY2024",
        "May 4,2024",
        "4 of May 2024",
        "2024 May 04",
        "2024-May-4",
        "04-May-24",
        "4 May '24",
        "Saturday, 4 May 2024",
        "Sat 04 May 2024",
        "Sat, May 4th, 2024",
    ],
)
def test_dates_as_programs_and_people_write_them_become_iso(odd: str) -> None:
    """A month by its name tells which part is which; two digits of a year are of the time of the others."""
    assert settled([*(f"2024-05-{day}" for day in range(10, 30)), odd])[-1] == "2024-05-04"


@pytest.mark.parametrize("odd", ["Sun 4 May 2024", "Nov 2024", "04-Foo-24", "4 May", "04-May-31", "Sat 4th"])
def test_what_names_no_day_of_the_column_stays(odd: str) -> None:
    """A weekday that is not the date's, no day at all, a year that may be of another century."""
    assert settled([*(f"2024-05-{day}" for day in range(10, 30)), odd])[-1] == odd


def test_dates_with_short_years_throughout_stay() -> None:
    """As spreadsheets write them; one format is a convention, which draws other dates."""
    cells = [f"{day}-May-24" for day in range(10, 30)]
    assert settled(cells) == cells
    glued = [f"{day}MAY2024" for day in range(10, 30)]
    assert settled([*glued, "4-May-2024", "2024-05-05"])[-2:] == ["4MAY2024", "5MAY2024"]


def test_dates_with_two_marks_keep_no_other_one_from_the_usual_form() -> None:
    """Nobody can say which day 07/02-2024 is, and 2024/10/05 is the fifth of October."""
    cells = [*(f"2024-05-{day}" for day in range(10, 30)), "07/02-2024", "09/03-2024", "23/05-2024", "2024/10/05"]
    assert settled(cells) == [*cells[:-1], "2024-10-05"]


def test_eight_digits_among_dates_are_a_date() -> None:
    """One form that the rule did not know kept it from a column where it was more than a tenth of the cells."""
    cells = ["2024-05-06", "31.01.2024", "19.02.2024", "25.12.2024", "4 May 2024", "20240603", "20240709"]
    assert settled(cells) == [
        "2024-05-06", "2024-01-31", "2024-02-19", "2024-12-25", "2024-05-04", "2024-06-03", "2024-07-09",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "others",
    [
        ["20240631", "20240709"],  # no such day: these are numbers
        ["20240603", "20240709", "20240710", "20240711", "20240712"],  # most of the column
        ["20240603", "10240709"],
    ],
)
def test_eight_digits_that_may_be_a_number_stay(others: list[str]) -> None:
    """Among a few dates, and beside numbers that are no days."""
    cells = ["2024-05-06", "31.01.2024", "19.02.2024", "25.12.2024", *others]
    assert settled(cells)[4:] == others


def test_dates_whose_order_is_unknown_stay() -> None:
    """Without proof only a day above 12 is rewritten; a date that does not exist never is."""
    cells = ["2024-05-06", "04/10/2024", "12/25/2024", "30/02/2024", *(f"2024-05-{day}" for day in range(10, 30))]
    assert settled(cells)[:4] == ["2024-05-06", "04/10/2024", "2024-12-25", "30/02/2024"]


@pytest.mark.parametrize(
    "cells",
    [
        ["08/22/2017", "12/31/2018", "01/02/2019"],  # one format is a convention
        ["8 September 1960 (USA)", "19 July 1985 (USA)", "2016 (USA)"],
        ["1.2.3", "2.10.4", "10.0.1"],
        ["2024-01-01 10:30:00", "2024-01-02 11:45:10"],
    ],
)
def test_dates_without_a_mess_stay(cells: list[str]) -> None:
    """Uniform dates, versions and times of day are no mess."""
    assert settled(cells) == cells


def test_booleans_take_the_majority_vocabulary() -> None:
    """Yes, Y, TRUE and 1 become what most rows say."""
    cells = ["yes"] * 6 + ["no"] * 6 + ["Y", "TRUE", "1", "N", "False", "0"]
    assert settled(cells)[12:] == ["yes", "yes", "yes", "no", "no", "no"]


@pytest.mark.parametrize(
    "cells", [["1", "0", "2", "1", "t"], ["Y", "N", "M", "Y"], ["yes", "no"] * 4, ["F", "M", "F"], ["0", "1", "0", "1"]]
)
def test_what_is_more_than_yes_and_no_stays(cells: list[str]) -> None:
    """One more value, or one vocabulary only: nothing to do."""
    assert settled(cells) == cells


def test_phones_take_the_majority_format() -> None:
    """Brackets, dots, blanks and the country's 1 give way to the usual format; extensions stay."""
    cells = [f"512-555-01{n:02}" for n in range(20)]
    odd = ["(512) 555-0199", "512.555.0199", "5125550199", "+1 512 555 0199", "1-512-555-0199", "512-555-0199 x7"]
    assert settled(cells + odd)[20:] == ["512-555-0199"] * 5 + ["512-555-0199 x7"]


def test_numbers_of_ten_digits_are_no_phones() -> None:
    """Ten digits in a row need neighbours with the looks of a telephone number."""
    cells = [f"978030640{n}" for n in range(10)]
    assert settled(cells) == cells


def test_zip_codes_regain_their_zeros() -> None:
    """Short codes are filled where the column's codes have five digits and some begin with zero."""
    assert settled(["02108", "06103", "2140", "90210", "10001", "01001", "60601", "30301"], "code")[2] == "02140"
    counts = ["12345", "23456", "3456", "45678", "56789", "67890"]
    assert settled(counts, "population") == counts


def test_short_codes_with_a_zero_in_front_are_those_of_another_country() -> None:
    """Oslo has 0150: no code that lost its zeros begins with one, and the short ones beside it may be whole, too."""
    codes = ["10115", "00100", "75001", "00184", "20095", "00153", "0150", "80331"] * 6
    assert settled(codes, "zip") == codes


def test_mail_addresses_become_small_and_bare() -> None:
    """Capitals, blanks and mailto: go where most addresses are small; names in capitals elsewhere stay."""
    cells = [f"user{n}@example.com" for n in range(20)]
    assert settled([*cells, "ANN.LEE@EXAMPLE.COM", "mailto:bob@example.com", "c @example.com"])[20:] == [
        "ann.lee@example.com", "bob@example.com", "c@example.com",
    ]  # fmt: skip
    assert settled([*cells, "a b@example.com", "john. doe @example.com", " < c@example.com> "])[20:] == [
        "a b@example.com", "john. doe @example.com", "c@example.com",
    ]  # fmt: skip
    capitals = [f"USER{n}@EXAMPLE.COM" for n in range(5)]
    assert settled(capitals) == capitals


def test_a_state_moves_out_of_the_city() -> None:
    """A blank state gets the code at the city's end; a city that merely ends in letters stays."""
    cities = ["Portland", "San Jose", "Reno", "Bend", "Gary", "Portland OR", "San Francisco CA", "Reno NV", "Fort X"]
    states = ["OR", "CA", "NV", "OR", "NV", "", "", "", "CA"]
    cleaned, _ = settle(column(cities * 2, "city", state=states * 2))
    assert list(cleaned["city"][5:9]) == ["Portland", "San Francisco", "Reno", "Fort X"]
    assert list(cleaned["state"][5:9]) == ["OR", "CA", "NV", "CA"]


def test_state_names_become_codes() -> None:
    """Written-out states join the codes; in a column of names they stay."""
    states = ["RI", "MA", "TX", "CA", "NY", "WA", "IL", "OH"] * 4
    assert settled([*states, "Rhode Island"])[-1] == "RI"
    assert settled([*states, "Calif.", "Ga.", "N.Y.", "W. Va."])[-4:] == ["CA", "GA", "NY", "WV"]
    assert settled([*states * 2, "Calif.", "Miss", "Wash"])[-3:] == ["CA", "Miss", "Wash"]
    assert settled(["Texas", "Ohio", "Utah", "TX"]) == ["Texas", "Ohio", "Utah", "TX"]


def test_a_closed_list_is_one_in_a_large_chunk_too() -> None:
    """A name in 15 rows is a name, however many rows there are; slips of the frequent ones are corrected."""
    starts = (
        "Abnex",
        "Kordul",
        "Muivo",
        "Zevik",
        "Wolpa",
        "Grinto",
        "Heus",
        "Dijkel",
        "Fraup",
        "Oostri",
        "Lembo",
        "Tiqua",
        "Nys",
        "Vercam",
    )
    ends = ("stad", "haven", "dorp", "burg", "kerk", "broek", "meer", "veld", "wijk", "zand", "horst", "gouw", "laan")
    names = [f"{start}{end}" for start in starts for end in ends]
    cells = ["Amsterdam"] * 1600 + ["Rotterdam"] * 1600 + [name for name in names for _ in range(15)]
    cleaned, emitted = settle(column([*cells, "Amsterdm", "Roterdam"]))
    assert [one.candidate.name for one in emitted] == ["correct_spelling_in_value"]
    assert list(cleaned["value"]) == [*cells, "Amsterdam", "Rotterdam"]


def test_spelling_follows_the_common_texts() -> None:
    """Case, separators, quotes and slips go to the common text, also slips that were never seen before."""
    frame = column([*CITIES, "springfield", "HAMILTON", '"Burlington"', "Sprngfield", "Hamlton", "Burlingtonn"])
    cleaned, emitted = settle(frame)
    assert set(cleaned["value"]) == set(CITIES)
    unseen = column(["Springfeild", "Hamiltn", "SPRINGFIELD", "Sacramento"])
    assert list(emitted[-1].clean(unseen)["value"]) == ["Springfield", "Hamilton", "Springfield", "Sacramento"]


@pytest.mark.parametrize(
    ("right", "odd"),
    [
        ("Master's degree", "Master\u2019s degree"),
        ("Самара", "Сaмaрa"),
        ("Moscow", "M\u043es\u0441ow"),
        ("Stop-over", "Stop\u2013over"),
    ],
)
def test_signs_that_look_alike_become_the_common_ones(right: str, odd: str) -> None:
    assert settled([*CITIES, *[right] * 40, *[odd] * 6])[-6:] == [right] * 6
    assert settled([*CITIES, *[right] * 20, *[odd] * 20])[-20:] == [odd] * 20


@pytest.mark.parametrize(
    "rare",
    [
        ["Springfield North"],
        ["Cortland"],
        ["Wilmington"],
        ["Hamilton 2"],
        ["Harrington"],
    ],
)
def test_rare_texts_that_are_not_near_stay(rare: list[str]) -> None:
    """Rare is not wrong."""
    assert settled(CITIES + ["Portland"] * 20 + rare)[-1] == rare[0]


@pytest.mark.parametrize(
    "cells",
    [
        ["Risk 1 (High)"] * 50 + ["Risk 2 (High)"] * 2 + ["Low"] * 10,
        ["scip-inf-1"] * 60 + ["scip-inf-2"] * 3 + ["scip-inf-3"],
        ["IL"] * 50 + ["IN", "IA", "ID"],
        ["shipped"] * 40 + ["skipped"] * 39,  # two frequent texts
        ["Male"] * 60 + ["Female"] * 60 + ["Make"],
        ["al_hf-1"] * 50 + ["ak_hf-1"],
        ["active"] * 90 + ["inactive"] * 3 + ["archived"] * 30,
        ["approved"] * 60 + ["unapproved"],
        ["Type A"] * 50 + ["Type B"] * 2 + ["Type C"],
        ["PM"] * 40 + ["AM"] * 30 + ["pM"],
    ],
)
def test_texts_that_differ_in_meaning_are_not_merged(cells: list[str]) -> None:
    """A digit, a code, a short word or two frequent texts: different things."""
    assert settled(cells) == cells


def test_names_in_capitals_take_the_usual_case() -> None:
    """A name all in capitals or all small is rewritten when each word is known; acronyms and unknown names stay."""
    first, last = ["Anna", "Bruno", "Carla", "Dirk", "Eva"], ["Stone", "McDonald", "Meyer", "Novak", "Okafor"]
    names = [f"{a} {b}" for a in first for b in last] * 2
    odd = ["ANNA MCDONALD", "eva stone", "ANNA BELL", "IBM"]
    assert settled(names + odd)[-4:] == ["Anna McDonald", "Eva Stone", "ANNA BELL", "IBM"]


def test_codes_take_the_usual_case() -> None:
    """A few small letters among codes in capitals are raised; codes of another shape stay."""
    codes = [f"ORD-{n}" for n in range(1000, 1040)]
    assert settled([*codes, "ord-2000", "x/9"])[-2:] == ["ORD-2000", "x/9"]


def test_rows_of_one_thing_agree() -> None:
    """A slip in a row that otherwise describes a known thing is corrected; another value or digit is a fact."""
    saints = {"Anne": "Dothan", "Bruno": "Gadsden", "Clara": "Mobile", "Denis": "Decatur", "Edda": "Fairhope"}
    things = [(f"{1000 + n}", f"Hospital of Saint {name}", town) for n, (name, town) in enumerate(saints.items())]
    rows = [list(thing) for thing in things for _ in range(12)]
    rows[0][0], rows[13][1], rows[26][2] = "1x00", "Hxspital of Saint Brunx", "Mxbxle"
    rows[39][2], rows[50][0] = "Huntsville", "1009"
    frame = pd.DataFrame(rows, columns=["number", "name", "town"], dtype=str)
    cleaned, _ = settle(frame)
    assert (cleaned.loc[0, "number"], cleaned.loc[13, "name"], cleaned.loc[26, "town"]) == (
        "1000", "Hospital of Saint Bruno", "Mobile",
    )  # fmt: skip
    assert cleaned.loc[39, "town"] == "Huntsville"
    assert cleaned.loc[50, "number"] == "1009"


def test_a_joined_column_says_nothing_of_its_own() -> None:
    """What was learnt where all states were "al" does not turn "ak_pn-2" of later rows into "al_pn-2"."""
    words = ["lung", "heart", "blood", "child", "stroke", "wound"]
    rows = [("al", f"pn-{n}", f"care of the {word}", f"{word} team", f"al_pn-{n}") for n, word in enumerate(words)] * 15
    rows[0] = ("al", "px-0", *rows[0][2:])
    frame = pd.DataFrame(rows, columns=["state", "code", "measure", "team", "both"], dtype=str)
    cleaned, emitted = settle(frame)
    assert cleaned.loc[0, "code"] == "pn-0"
    later = pd.DataFrame(
        [("ak", "pn-2", "care of the blood", "blood team", "ak_pn-2")], columns=frame.columns, dtype=str
    )
    for each in emitted:
        pd.testing.assert_frame_equal(each.clean(later), later)


def test_rows_that_another_column_explains_are_no_slips() -> None:
    """ "ak_" instead of "al_" is a fact where the state column says so too."""
    measures = ["pneumonia care", "heart attack aid", "surgery blood", "asthma children", "stroke recovery"]
    rows = [
        (state, f"m{n}{word[:2]}", word, f"{state}_m{n}{word[:2]}")
        for n, word in enumerate(measures)
        for state in ["al"] * 40 + ["ak"] * 2
    ]
    frame = pd.DataFrame(rows, columns=["state", "code", "measure", "average"], dtype=str)
    cleaned, _ = settle(frame)
    pd.testing.assert_frame_equal(cleaned, frame)


def test_usual_words_of_a_column_are_spelt_rightly() -> None:
    """Misspellings of a word that most cells hold go; its singular and other words stay."""
    cells = [f"{n} patients" for n in range(60)] + ["9 patient", "8 parents"]
    assert settled([*cells, "5 patiexts", "6 paxienxs"]) == [*cells, "5 patients", "6 patients"]


def test_a_column_made_of_two_others_is_corrected_by_them() -> None:
    """A slip in the joined text goes; a joined text that is another true one stays."""
    rows = [(state, f"pn-{n % 5}", f"{state}_pn-{n % 5}") for n, state in enumerate(["al"] * 40 + ["ak"] * 10)]
    frame = pd.DataFrame(rows, columns=["state", "code", "both"], dtype=str)
    frame.loc[3, "both"], frame.loc[7, "both"], frame.loc[9, "both"] = "al_px-3", "axpn-2", "ak_pn-4"
    cleaned, _ = settle(frame)
    assert list(cleaned.loc[[3, 7, 9], "both"]) == ["al_pn-3", "al_pn-2", "ak_pn-4"]


def test_an_instruction_steers() -> None:
    """Case, ISO dates, a null word and columns to be left alone are understood in plain words."""
    frame = column(
        ["Pass", "Fail", "Pass"], "result", day=["08/22/2017", "08/01/2017", "12/31/2018"], sex=["", "f", "N/A"]
    )
    cleaned, _ = settle(frame, "Upper case for result. ISO dates in day, month first; null word UNANSWERED in sex.")
    assert list(cleaned["result"]) == ["PASS", "FAIL", "PASS"]
    assert list(cleaned["day"]) == ["2017-08-22", "2017-08-01", "2018-12-31"]
    assert list(cleaned["sex"]) == ["UNANSWERED", "f", "UNANSWERED"]
    phones = ["512-555-0199", "(512) 555-0123"]
    assert settled(phones, "phone", "Phone numbers to E.164, fix typos") == ["+15125550199", "+15125550123"]
    assert settled([" a", "b "], "note", "Leave note alone.") == [" a", "b "]


def test_examples_in_an_instruction_are_followed() -> None:
    """In the columns that their sentence names, else in all; none that lead in a circle or contradict each other."""
    frame = column(["N.Y.", "LA", "Boston"] * 4, "city", area=["N.Y.", "CA", "MA"] * 4)
    cleaned, _ = settle(frame, 'In city "N.Y." -> "New York", and `LA` becomes `Los Angeles`.')
    assert list(cleaned["city"])[:3] == ["New York", "Los Angeles", "Boston"]
    assert list(cleaned["area"])[:3] == ["N.Y.", "CA", "MA"]
    cleaned, _ = settle(frame, '"N.Y." => "New York"')
    assert list(cleaned["city"])[:3] == ["New York", "LA", "Boston"]
    assert list(cleaned["area"])[:3] == ["New York", "CA", "MA"]
    for instruction in ('"LA" -> "N.Y."; "N.Y." -> "LA"', '"LA" -> "Los Angeles"; "LA" -> "L.A."'):
        cleaned, _ = settle(frame, instruction)
        assert list(cleaned["city"])[:3] == ["N.Y.", "LA", "Boston"]


def test_conventions_win_over_an_instruction_that_contradicts_them() -> None:
    """A note says so, and one where examples lead in a circle; neither ends the run."""
    table = profile(pa.table({"city": ["N.Y.", "Boston"]}))
    only = Conventions(columns={"city": ColumnConvention(values=("Boston",))})
    for instruction in ('"N.Y." -> "New York"', "Upper case."):
        read = Preferences.read(instruction, table, only)
        assert read["city"] == only.columns["city"]
        assert "contradicts the conventions on city" in read.notes[0]
    assert "circle" in Preferences.read('"LA" -> "N.Y."; "N.Y." -> "LA"', table).notes[0]
    assert Preferences.read('"N.Y." -> "New York"', table).notes == ()


def test_uniform_dates_draw_the_others_to_their_format() -> None:
    """Where most dates have one format, the others get it, whatever it is; month names too."""
    usual = [f"{day:02}/03/2024" for day in range(1, 29)]
    assert settled([*usual, "2024-03-05", "March 4, 2024", "2024-02-30"])[28:] == [
        "05/03/2024", "04/03/2024", "2024-02-30",
    ]  # fmt: skip
    named = [f"{day} January 2024" for day in range(10, 29)]
    assert settled([*named, "2024-03-05"])[-1] == "5 March 2024"


def test_declared_dates_are_read_and_written_as_declared() -> None:
    """Two digits make a year when the order is declared; what cannot be such a date, or is written so, stays."""
    asked = {"day": {"dates": {"read": "dmy", "write": "yyyy-mm-dd"}}}
    frame = column(["04/05/24", "31.12.1999", "2024-01-02", "32/01/24", "soon"], "day")
    cleaned, _ = settle(frame, conventions=Conventions.model_validate({"columns": asked}))
    assert list(cleaned["day"]) == ["2024-05-04", "1999-12-31", "2024-01-02", "32/01/24", "soon"]


def test_a_date_that_may_be_rewritten_already_is_rewritten_once() -> None:
    """4/2/15 becomes 2/15/04; 1/1/09 becomes 1/9/01, which looks like an old date and is not taken for one."""
    asked = {"day": {"dates": {"read": "ymd", "write": "m/d/yy"}}}
    frame = column(["4/2/15", "1/1/09", "1/1/09", "1/1/71", "5/20/09"], "day")
    cleaned, emitted = settle(frame, conventions=Conventions.model_validate({"columns": asked}))
    assert list(cleaned["day"]) == ["2/15/04", "1/9/01", "1/9/01", "1/1/71", "5/20/09"]
    assert len(emitted) == 1


def test_a_contradiction_to_two_columns_is_corrected() -> None:
    """Number and name agree on the town: another known town, or none, is wrong; an unknown one is a fact."""
    things = [(str(1000 + n), f"Saint {name}", town) for n, (name, town) in enumerate(
        [("Anne", "Dothan"), ("Bruno", "Gadsden"), ("Clara", "Mobile"), ("Denis", "Decatur"), ("Edda", "Fairhope")]
    )]  # fmt: skip
    rows = [list(thing) for thing in things for _ in range(30)]
    rows[0][2], rows[40][2], rows[66][2] = "Mobile", "", "Huntsville"
    cleaned, _ = settle(pd.DataFrame(rows, columns=["number", "name", "town"], dtype=str))
    assert list(cleaned.loc[[0, 40, 66], "town"]) == ["Dothan", "Gadsden", "Huntsville"]


def test_slips_are_corrected_by_a_function_of_their_own() -> None:
    """What the gate may hold, because only other columns speak for it, does not take along what the cell shows."""
    things = [(str(1000 + n), f"Saint {name}", town) for n, (name, town) in enumerate(
        [("Anne", "Dothan"), ("Bruno", "Gadsden"), ("Clara", "Mobile"), ("Denis", "Decatur"), ("Edda", "Fairhope")]
    )]  # fmt: skip
    rows = [list(thing) for thing in things for _ in range(30)]
    rows[0][2], rows[40][2] = "Mobile", "Gxdsdxn"
    frame = pd.DataFrame(rows, columns=["number", "name", "town"], dtype=str)
    cleaned, emitted = settle(frame)
    assert [one.candidate.name for one in emitted] == ["correct_slips_in_town", "settle_town"]
    assert list(emitted[0].clean(frame).loc[[0, 40], "town"]) == ["Mobile", "Gadsden"]
    assert list(cleaned.loc[[0, 40], "town"]) == ["Dothan", "Gadsden"]
    rows[0][2] = "Dothan"
    _, emitted = settle(pd.DataFrame(rows, columns=["number", "name", "town"], dtype=str))
    assert [one.candidate.name for one in emitted] == ["settle_town"]


def test_one_column_alone_does_not_overrule_another() -> None:
    """Where only one column speaks, a known but different text may be the exception: it stays."""
    rows = [[str(n % 5), "abcde"[n % 5] * 6] for n in range(75)]
    rows[0][1] = "bbbbbb"
    frame = pd.DataFrame(rows, columns=["key", "value"], dtype=str)
    pd.testing.assert_frame_equal(settle(frame)[0], frame)


def test_a_declared_dependency_is_voted_on() -> None:
    """Rows of one flight get the time that most of its rows have; a tie and a lone row stay."""
    rows = [["A1", "7:10"], ["A1", "7:10"], ["A1", "7:16"], ["A1", ""], ["B2", "9:00"], ["B2", "9:30"], ["C3", "1:00"]]
    frame = pd.DataFrame(rows, columns=["flight", "time"], dtype=str)
    asked = Conventions.model_validate({"columns": {"time": {"settled_by": ["flight"]}}})
    cleaned, _ = settle(frame, conventions=asked)
    assert list(cleaned["time"]) == ["7:10"] * 4 + ["9:00", "9:30", "1:00"]


def test_crossed_out_characters_are_filled_in() -> None:
    """x, * or ? in place of a character, also the first one and digits, where one frequent text only fits."""
    cells = ["Books"] * 20 + ["90210"] * 20 + ["90310"] * 20 + ["PASS"] * 20
    assert settled([*cells, "xooks", "Bo?ks", "9021x", "90x10", "PxSS"])[80:] == [
        "Books", "Books", "90210", "90x10", "PASS",
    ]  # fmt: skip


def test_letters_that_belong_there_stay() -> None:
    """A single text with an x, and short words, may be meant."""
    cells = ["Mac"] * 20 + ["Alec"] * 20 + ["Felix"] * 20
    assert settled([*cells, "Max", "Alex"])[60:] == ["Max", "Alex"]


def test_frequent_texts_of_open_columns_are_written_alike() -> None:
    """Quotes, separators, case and a slip in a long word go; names of their own and short words stay."""
    cells = [f"{n} Only Once" for n in "abcdefghijklmnopqrstuvwxyz"] + ["Tallgrass Brewing"] * 8 + ["Mary Lee"] * 8
    odd = ["Tallgrass_Brewing", "tallgrass brewing", "Tallgras Brewing", "Tallgrass Brewign"]
    other = ["Mark Lee", "Tallgrass Two", "Smallgrass Brewing"]
    assert settled([*cells, *odd, *other])[42:] == ["Tallgrass Brewing"] * 4 + other


def test_one_name_in_capitals_may_be_meant() -> None:
    """A single text in capitals whose other form stands nowhere stays as it is."""
    cells = [f"{a} {b}" for a in ("Emerg", "Acad", "Clin", "Pediatr") for b in ("Med", "Surg", "Nurs")] * 3
    assert settled([*cells, *["Radiol Clin"] * 3, "EMERG RADIOL"])[-1] == "EMERG RADIOL"


def test_declared_values_and_spellings_are_obeyed() -> None:
    """Slips of allowed values and known other spellings go; what is near none of them stays."""
    asked = {"values": ["open", "closed"], "spellings": {"shut": "closed"}}
    frame = column(["open", "Opne", "CLOSED", "shut", "ajar"], "state")
    cleaned, _ = settle(frame, conventions=Conventions.model_validate({"columns": {"state": asked}}))
    assert list(cleaned["state"]) == ["open", "open", "closed", "closed", "ajar"]


def test_a_declared_value_is_no_word_for_nothing() -> None:
    """`?` and `none` stay where the user allows them, or has something written so."""
    spelt = {"answer": {"values": ["1", "0", "?"], "spellings": {"maybe": "?"}}, "size": {"spellings": {"0": "none"}}}
    frame = column(["1", "0", "1", "maybe", "?"] * 4, "answer", size=["0", "1", "7", "9", "0"] * 4)
    cleaned, _ = settle(frame, conventions=Conventions.model_validate({"columns": spelt}))
    assert list(cleaned["answer"]) == ["1", "0", "1", "?", "?"] * 4
    assert list(cleaned["size"]) == ["none", "1", "7", "9", "none"] * 4


@pytest.mark.parametrize("nothing", [{}, {"null": ""}, {"null": "UNANSWERED"}])
def test_a_declared_null_word_is_one_more(nothing: dict[str, str]) -> None:
    """A note says to declare the dash; whoever did so kept the N/A that went without it."""
    frame = column(["N/A", "call back", "-", "vip", "", "none", "n/a", "Nan"] * 4, "note")
    asked = Conventions.model_validate({"columns": {"note": {"null_words": ["-"], **nothing}}})
    cleaned, _ = settle(frame, conventions=asked)
    gone = nothing.get("null", "")
    assert list(cleaned["note"]) == [gone, "call back", gone, "vip", gone, "none", gone, "Nan"] * 4


def test_small_words_of_names_stay_small_in_title_case() -> None:
    """As most of the column writes them; one with a capital of its own keeps it, and so does a first word."""
    frame = column(["MARIA DE LA CRUZ", "Ada de la Cruz", "eva de la cruz", "Jo De Vito", "De Niro", "la Boca"], "who")
    asked = Conventions.model_validate({"columns": {"who": {"case": "title"}}})
    cleaned, _ = settle(frame, conventions=asked)
    assert list(cleaned["who"]) == [
        "Maria de la Cruz",
        "Ada de la Cruz",
        "Eva de la Cruz",
        "Jo De Vito",
        "De Niro",
        "La Boca",
    ]


def test_declared_case_decimal_mark_and_null_words_are_obeyed() -> None:
    """Title case, decimal commas and words for nothing, where the data alone would not tell."""
    asked = Conventions.model_validate(
        {
            "columns": {
                "who": {"case": "title"},
                "size": {"numbers": {"decimal": ","}},
                "answer": {"null": "-1", "null_words": ["none"]},
            }
        }
    )
    frame = column(
        ["ann o'neil's", "BOB D'ARCY", "Al McDonald"], "who", size=["1,234", "5,1", "2"], answer=["", "none", "1"]
    )
    cleaned, _ = settle(frame, conventions=asked)
    assert list(cleaned["who"]) == ["Ann O'Neil's", "Bob D'Arcy", "Al McDonald"]
    assert list(cleaned["size"]) == ["1.234", "5.1", "2"]
    assert list(cleaned["answer"]) == ["-1", "-1", "1"]
