"""Files as people have them: what looks like a slip in a column and is none, and what is one."""

from collections.abc import Callable

import pytest

from orchestrator.core.conventions import Conventions
from tests.propose.builtin_help import ask, column, settle, settled


def test_short_codes_in_capitals_stay_where_nobody_wrote_them_small() -> None:
    """IU is no slip among mg, and mM is no mm; MG is one."""
    cells = ["mg"] * 60 + ["MG", "MG", "MG", "Mg", "g", "g", "g", "IU", "IU", "mM"]
    assert settled(cells, "unit") == ["mg"] * 64 + ["g", "g", "g", "IU", "IU", "mM"]


def test_milli_and_mega_are_no_two_ways_to_write_a_measure() -> None:
    """The unit's case tells a thousandth from a million, and a bit from a byte."""
    cells = ["5 mW"] * 40 + ["10 mW"] * 10 + ["5 MW"] * 3
    assert settled(cells, "power") == cells
    speeds = ["100 Mbps up"] * 40 + ["50 Mbps up"] * 10 + ["100 MBps up"]
    assert settled(speeds, "line") == speeds


@pytest.mark.parametrize(
    "cells",
    [
        ["kg"] * 160 + ["mg"] * 60 + ["mm"] * 60 + ["Mg"] * 2 + ["Mm"] * 2,
        ["-v"] * 100 + ["-r"] * 90 + ["-x"] * 60 + ["-R"] * 14 + ["-V"] * 11,
        ["C"] * 120 + ["D"] * 70 + ["F#"] * 60 + ["Eb"] * 40 + ["c"] * 4 + ["d"] * 4 + ["f#"] * 2,
    ],
)
def test_case_that_is_the_meaning_of_short_codes_stays(cells: list[str]) -> None:
    """A ton is no milligram, -R no -r and c minor no C major: a slip of case would have hit the other codes too."""
    assert settled(cells, "code") == cells


def test_short_words_in_title_case_are_slips_of_capitals() -> None:
    """`Get` beside `GET`; of two letters they may be `Mg` and `MG`, and in columns of small letters anything."""
    methods = ["GET", "POST", "PUT", "DELETE"] * 30
    assert settled([*methods, "get", "Get", "Put"], "method") == [*methods, "GET", "GET", "PUT"]


def test_turkish_capitals_are_another_way_to_write_a_name() -> None:
    """The dotted I is the capital of i, and beside it the other is that of ı."""
    cities = ["İzmir", "Diyarbakır", "İstanbul", "Ankara"] * 30
    odd = ["İZMİR", "DİYARBAKIR", "istanbul", "ANKARA"]
    assert settled([*cities, *odd], "şehir") == [*cities, "İzmir", "Diyarbakır", "İstanbul", "Ankara"]


def test_turkish_capitals_without_a_dotted_one_are_read_by_what_the_column_holds() -> None:
    """IĞDIR shows no dotted İ; in small letters `kir` is dirt and `kır` the country, whatever is frequent."""
    cities = ["Iğdır", "Şanlıurfa", "Kırıkkale", "Bursa"] * 30
    odd = ["IĞDIR", "ŞANLIURFA", "KIRIKKALE", "ığdır"]
    assert settled([*cities, *odd], "şehir") == [*cities, "Iğdır", "Şanlıurfa", "Kırıkkale", "Iğdır"]
    payers = ["alıcı", "gönderici"] * 40
    assert settled([*payers, "ALICI", "GÖNDERİCİ", "ALICI"], "ödeme")[80:] == ["alıcı", "gönderici", "alıcı"]
    words = ["sınır", "kırsal", "deniz", "orman"] * 40 + ["sinir"] * 5
    assert settled(words, "konu") == words


def test_case_that_hits_all_short_codes_alike_is_a_slip() -> None:
    """Where each frequent code was written small now and then, none is a code of its own."""
    cells = ["OR"] * 90 + ["TX"] * 80 + ["NY"] * 70 + ["or"] * 4 + ["tx"] * 3 + ["ny"] * 3
    assert settled(cells, "code") == ["OR"] * 90 + ["TX"] * 80 + ["NY"] * 70 + ["OR"] * 4 + ["TX"] * 3 + ["NY"] * 3
    units = ["pcs"] * 300 + ["kg"] * 120 + ["m"] * 100 + ["KG"] * 10 + ["Pcs"] * 3
    assert settled(units, "unit")[520:] == ["kg"] * 10 + ["pcs"] * 3


def test_levels_of_an_outline_keep_their_blanks() -> None:
    """A report of accounts shows its levels by blanks in front."""
    cells = ["Assets", "  Current assets", "    Cash", "    Inventory", "  Fixed assets", "Liabilities"] * 5
    assert settled(cells, "name") == cells
    assert settled([" Oslo", "  Bergen", "Oslo", "Bergen", "Bodø "] * 5, "city")[:2] == ["Oslo", "Bergen"]
    assert settled(["    12", "   123", "  1234", "     5"] * 5, "count")[:2] == ["12", "123"]


def test_a_label_on_two_levels_makes_no_accident_of_an_outline() -> None:
    """ "Total" stands below both, again and again; lines of code are set in with blanks and with tabs."""
    cells = ["Assets", "  Cash", "    Trade", "    Total", "  Total", "Total", "Liabilities", "  Loans"] * 5
    assert settled(cells, "line_item") == cells
    assert settled([*cells, "   Trade", " Cash"], "line_item")[:40] == cells
    code = ["def f():", "  return x", "    return x", "\tpass", "x = 1"] * 8
    assert settled(code, "line") == code


def test_blanks_that_hit_any_text_are_no_outline() -> None:
    """Where each town stands mostly without them, two blanks in front are an accident, however often it happened."""
    towns = ["Oslo", "Bergen", "Bodø", "Tromsø"] * 30
    odd = ["  Oslo", "  Bergen", "  Bodø", "   Tromsø"] * 12
    assert settled([*towns, *odd], "city") == [*towns, *towns[:48]]


@pytest.mark.parametrize("name", ["Land", "Region"])
def test_postal_codes_of_a_country_that_has_shorter_ones_stay(name: str) -> None:
    """German codes with their zeros beside Swiss ones of four digits; without the other column they are believed."""
    codes = ["01067", "10115", "80331", "04109", "8001", "50667"] * 8
    countries = ["DE", "DE", "DE", "DE", "CH", "DE"] * 8
    assert list(settle(column(codes, "PLZ", **{name: countries}))[0]["PLZ"]) == codes
    lost = ["01067", "10115", "80331", "04109", "4109", "50667"] * 8
    cities = ["Dresden", "Berlin", "München", "Leipzig", "Leipzig", "Köln"] * 8
    assert "4109" not in set(settle(column(lost, "PLZ", **{name: cities}))[0]["PLZ"])


def test_amounts_with_the_minus_behind_or_a_plus_become_plain() -> None:
    """Both are in what banks export; a grade of 3- is no amount."""
    cells = ["1.212,40-", "+66,47", "17,38", "421,72-", "-5,00"] * 6
    assert settled(cells, "Betrag") == ["-1212.40", "+66.47", "17.38", "-421.72", "-5.00"] * 6
    grades = ["3-", "2", "1", "4-", "2"] * 6
    assert settled(grades, "Note") == grades


def test_a_comma_before_a_last_zero_is_doubtful_where_decimals_drop_theirs() -> None:
    """Who writes 1,5 would write 1,2 and not 1,200, which may be a thousand; 12,75 and 8,125 are of one habit."""
    cells = ["1,5", "12,75", "1,200", "2,500", "3,000"] * 10
    assert settled(cells, "amount") == cells
    assert settled(["1,5", "12,75", "8,125", "9,625"] * 10, "amount") == ["1.5", "12.75", "8.125", "9.625"] * 10


def test_thousands_with_points_are_read_like_those_beside_them_with_cents() -> None:
    """14.000,00 € as 14000.00 € beside 10.000 € that stays would make ten euros of the other one.

    Most have no cents, so none is written with any.
    """
    prices = ["10.000 €", "18.500 €", "14.000,00 €", "950 €", "2.000 €"] * 6
    assert settled(prices, "price") == ["10000 €", "18500 €", "14000 €", "950 €", "2000 €"] * 6
    weights = ["10.125", "18.500", "1.014,00", "2.375", "3.125"] * 6
    assert settled(weights, "weight") == weights
    assert any("Points in weight may part thousands" in note for note in ask(column(weights, "weight")).notes)
    declared = Conventions.model_validate({"columns": {"weight": {"numbers": {"decimal": ","}}}})
    cleaned, _ = settle(column(weights, "weight"), conventions=declared)
    assert list(cleaned["weight"]) == ["10125", "18500", "1014.00", "2375", "3125"] * 6


def test_a_name_with_an_initial_is_no_slip_of_the_name_without() -> None:
    """Where one column is made of two others, a word more says something; a letter too many does not."""
    first, last = ["Anna", "Jon", "Maria", "Ben"] * 10, ["Lee", "Smyth", "Li", "Ng", "Lee"] * 8
    whole = [f"{one} {other}" for one, other in zip(first, last, strict=True)]
    shown = ["Anna K. Lee", "Jon Smyth", "Mariaa Li", *whole[3:]]
    cleaned, _ = settle(column(shown, "display", first=first, last=last))
    assert list(cleaned["display"])[:3] == ["Anna K. Lee", "Jon Smyth", "Maria Li"]


def test_areas_and_currencies_of_more_countries_are_units() -> None:
    """A square is written with a 2 as well; beside yen and rupees a comma parts thousands."""
    assert settled(["23 m²", "104 m2", "67m²", "57m2", "99 m²", "88 m²", "1 m²", "2 m²", "3 m²", "4 m²"] * 3)[:4] == [
        "23 m²", "104 m²", "67 m²", "57 m²",
    ]  # fmt: skip
    assert settled(["523,15 zł", "89 543,26 zł", "1.200,00 zł"] * 8)[:3] == ["523.15 zł", "89543.26 zł", "1200.00 zł"]
    assert settled(["¥32,506", "¥67,263", "¥8,722"] * 8)[:2] == ["¥32506", "¥67263"]
    rooms = ["M3", "M2", "A3", "12 m", "B2"] * 6
    assert settled(rooms, "room") == rooms


def test_blanks_between_thousands_are_believed_beside_a_currency() -> None:
    """Prices as France, Poland and Sweden write them; without a currency they may be two numbers."""
    prices = ["725 000 €", "89 000 €", "1 250 000 €", "950 €", "120000 €"] * 6
    assert settled(prices, "prix") == ["725000 €", "89000 €", "1250000 €", "950 €", "120000 €"] * 6
    mixed = ["725 000 €", "871.000 €", "89 000 €", "1.250.000 €", "950 €"] * 6
    assert settled(mixed, "prix") == ["725000 €", "871000 €", "89000 €", "1250000 €", "950 €"] * 6
    odd = ["725 000 €", "871.000 €", "89 000 €", "12.5 €", "950 €"] * 6
    assert settled(odd, "prix") == odd
    for cells in (["10 200 mm", "12 250 mm", "40 mm", "60 mm"] * 6, ["552 100 554", "732 829 320", "552 100"] * 6):
        assert settled(cells) == cells


def test_salaries_with_commas_are_as_large_as_those_without() -> None:
    """131 beside 47500 would be too small; 36,250 beside 12 and 48 may be 36.25, and 1,250 beside 3 may be 1250."""
    salaries = ["131,000", "47500", "102000", "55,000", "38000", "64000"] * 5
    assert settled(salaries, "salary") == ["131000", "47500", "102000", "55000", "38000", "64000"] * 5
    visitors = ["12", "40", *map(str, range(400, 9000, 180))]
    assert settled([*visitors, "2,615", "7,100"], "visitors") == [*visitors, "2615", "7100"]
    for doubtful in (["36,250", "12", "48", "31", "27"] * 6, ["1,250", "3", "17", "8", "5"] * 6):
        assert settled(doubtful, "amount") == doubtful


def test_a_word_that_is_as_often_small_takes_the_case_of_its_column() -> None:
    """Small ones may be common, capitals only as often as the rest; a word in capitals that is more common stays."""
    cells = ["Boston"] * 9 + ["boston"] * 12 + ["BOSTON"] * 8 + ["Chicago"] * 15 + ["Denver"] * 15
    assert settled(cells, "city") == ["Boston"] * 29 + cells[29:]
    agencies = ["NASA"] * 12 + ["Nasa"] * 8 + ["Roscosmos"] * 15 + ["Eumetsat"] * 15
    assert settled(agencies, "agency") == agencies


@pytest.mark.parametrize("write", [str.upper, str.lower, str.title])
def test_the_name_of_a_month_keeps_the_case_of_most_cells(write: Callable[[str], str]) -> None:
    """16-SEP-2023 is how a database writes it; one date in another format becomes one of these, and they stay."""
    days = [write(f"{day:02}-{month}-2023") for month in ("Sep", "Oct") for day in range(10, 28)]
    assert settled([*days, "2023-10-28"], "hired") == [*days, write("28-Oct-2023")]
    long = [write(f"September {day}, 2022") for day in range(10, 28)]
    assert settled([*long, "2022-09-28"], "published") == [*long, write("September 28, 2022")]


def test_short_codes_of_another_kind_get_no_zeros() -> None:
    """Of codes that lost their zeros few lost two; one that stands for no code stands there often."""
    codes = [f"{number:06}" for number in range(20_011, 950_000, 9_973)]
    lost = [code.lstrip("0") if number % 2 else code for number, code in enumerate(codes)]
    assert "020011" in codes
    assert settled(lost, "account") == codes
    others = [*codes, "4226", "5130", "8771", "9002"]
    assert settled(others, "account") == others
    unknown = [*codes, *["99999"] * 8]
    assert settled(unknown, "account") == unknown


@pytest.mark.parametrize(
    ("write", "spoilt"),
    [
        (lambda n: f"AB{n % 90 + 10} C{chr(65 + n % 26)}E", lambda text: text.replace(" ", "")),
        (lambda n: f"{n + 100}-{n % 89 + 10}-{n * 7 % 9000 + 1000}", lambda text: text.replace("-", " ")),
        (lambda n: f"{n + 10000}-{n % 900 + 100}", lambda text: text.replace("-", "")),
        (lambda n: f"EL-{n * 13 % 9000 + 1000}", lambda text: text.replace("-", "")),
    ],
)
def test_codes_that_are_built_alike_are_parted_alike(write: Callable[[int], str], spoilt: Callable[[str], str]) -> None:
    """A plate, a social security number, a postal code, an article: the letters and digits stay."""
    codes = [write(number) for number in range(60)]
    assert settled([*codes[5:], *map(spoilt, codes[:5])], "code") == [*codes[5:], *codes[:5]]


def test_signs_that_may_say_something_stay() -> None:
    """Short texts, numbers, parts of other lengths, and a key that would become another row's key."""
    for texts, odd in (
        ([f"{n % 9}-{n % 7}" for n in range(60)], "3:1"),
        ([f"{n + 1000}.{n % 90 + 10}" for n in range(60)], "104512"),
        ([f"{n + 10}-{n * 7919 % 9000000 + 1000000}" for n in range(60)], "123-456789"),
        ([f"AB{n + 10} CDE" for n in range(60)], "AB11CDE"),
        ([f"{n % 24:02}:{n % 60:02}:{n * 7 % 60:02}" for n in range(60)], "128456"),
    ):
        assert settled([*texts, odd], "code") == [*texts, odd]


def test_a_minus_before_the_sign_of_a_currency_is_that_of_the_number() -> None:
    """-£4,000.00 is written as £33.10 is; where numbers are plain, it stands before them."""
    cells = ["£5388.55", "-£649.10", "£33.10", "£17.20", "-£4,000.00"] * 6
    assert settled(cells, "paid") == ["£5388.55", "-£649.10", "£33.10", "£17.20", "-£4000.00"] * 6


def test_years_of_two_digits_are_of_the_time_of_the_others() -> None:
    """Where days tell that the year comes last; a year that the column's time does not hold is left, as is a doubt."""
    days = [f"{day}.{day % 12 + 1:02}.{2014 + day % 11}" for day in range(10, 29)] * 3
    short = ["28.05.16", "30.10.21", "27.03.17", "05.06.19", "01.02.34"]
    whole = ["28.05.2016", "30.10.2021", "27.03.2017", "05.06.2019", "01.02.34"]
    assert settled([*days, *short], "paid") == [*days, *whole]
    doubtful = ["28.05.16", "30.10.21", "27.03.17", "24.06.11"]
    assert settled([*days, *doubtful], "paid") == [*days, *doubtful]
    assert settled([*days, "05.06.16", "01.10.21"], "paid") == [*days, "05.06.16", "01.10.21"]


def test_a_name_that_people_write_in_two_ways_stays_in_capitals() -> None:
    """One MacDonald among many Macdonalds: the other names in capitals are written as the column writes them."""
    names = ["Macdonald"] * 30 + ["MacDonald", "Johnson", "Johnson", "Thompson", "Thompson"] + ["Lee", "Ray"] * 12
    cells = [*names, "MACDONALD", "JOHNSON", "THOMPSON"]
    assert settled(cells, "surname") == [*names, "MACDONALD", "Johnson", "Thompson"]


@pytest.mark.parametrize(
    ("odd", "mended"),
    [
        ("6:40 PM", "18:40"),
        ("06:40 a.m.", "06:40"),
        ("12:05 AM", "00:05"),
        ("6pm", "18:00"),
        ("14h15", "14:15"),
        ("16.22", "16:22"),
        ("16.22 Uhr", "16:22"),
        ("8 Uhr", "08:00"),
        ("8:15 hrs", "08:15"),
        ("1046", "10:46"),
        ("1730 hrs", "17:30"),
        ("0915h", "09:15"),
        ("18:05:00", "18:05"),
        ("6:05:00 PM", "18:05"),
        ("7:05", "07:05"),
        ("16h", "16h"),
        ("1.50 h", "1.50 h"),
        ("13:00 PM", "13:00 PM"),
        ("25:10", "25:10"),
        ("7:05:10", "7:05:10"),
    ],
)
def test_times_of_day_are_written_as_most(odd: str, mended: str) -> None:
    """What is no time of day, or says more than the others, stays."""
    cells = [f"{hour:02}:{minute:02}" for hour in range(5, 23) for minute in (0, 15, 40)]
    assert settled([*cells, odd, odd], "departure") == [*cells, mended, mended]


def test_many_other_ways_of_few_times_are_seen() -> None:
    """Most rows are written in one way; of the different texts most are not."""
    odd = ["9h00", "9.00 Uhr", "9:00", "9 Uhr", "900 Uhr", "17h30", "17.30", "5:30 PM", "17:30 Uhr"]
    cells = ["09:00", "17:30", "12:00", "13:15", "08:45", "16:20"] * 20
    assert settled([*cells, *odd], "from")[-9:] == ["09:00"] * 4 + ["900 Uhr"] + ["17:30"] * 4


def test_seconds_of_times_are_kept_and_not_invented() -> None:
    cells = [f"{hour:02}:{minute:02}:{minute:02}" for hour in range(5, 23) for minute in (0, 15, 40)]
    assert settled([*cells, "7:05:10", "3:05:10 PM", "7:05"], "at")[-3:] == ["07:05:10", "15:05:10", "7:05"]


@pytest.mark.parametrize(
    "cells",
    [
        [f"{minute}:{second:02}" for minute in range(2, 9) for second in (5, 17, 40)] + ["3.45", "12:10"],
        [f"{hour:02}:{minute:02}" for hour in range(1, 13) for minute in (0, 15, 40)] + ["6:40 PM", "16.22"],
    ],
)
def test_durations_and_hours_of_unknown_halves_are_left(cells: list[str]) -> None:
    """3.45 minutes are no 3:45; where no hour is after noon, 06:40 may be in the evening as well."""
    assert settled(cells, "time") == cells
