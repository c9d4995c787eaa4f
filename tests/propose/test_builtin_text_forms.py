"""The built-in rules for texts of a known form: right in the column that shows what is usual, silent in all others."""

import re

import pytest

from orchestrator.propose.builtin.rules.forms import country_words
from tests.propose.builtin_help import ask, column, settle, settled

RANGES = [f"{low}-{low + 7}" for low in range(20, 60)]
SIZES = [f"{side}x{side + 3}" for side in range(20, 60)]
MARKS = [f"{points}/5" for points in (1, 2, 3, 4, 5)] * 6
TAGS = ["red, blue", "green, red", "blue, black", "black, green", "red, black"] * 4
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"] * 6
MONTHS = ["January", "March", "May", "June", "August"] * 6
NAMES = ["Anna Keller", "Ben Ochoa", "Jan Braun", "Ines Costa", "Hugo Noor", "Emre Yildiz"] * 5
PHONES = [f"+49 30 {number}" for number in range(1234500, 1234530)]
LANDS = ["Germany", "France", "Spain", "Italy"] * 8
CODES = ["DE", "FR", "ES", "IT"] * 8
CITIES = ["Berlin", "Essen", "Bremen", "Köln"] * 8
PAGES = [f"https://shop{number}.example.com/Page" for number in range(30)]
PLAIN_TEXTS = [f"Blue chair of beech wood, number {number}" for number in range(30)]


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        (RANGES, "3 - 7", "3-7"),
        (RANGES, "3 to 7", "3-7"),
        (RANGES, "3–7", "3-7"),
        ([text.replace("-", " - ") for text in RANGES], "3 bis 7", "3 - 7"),
        (SIZES, "30 X 40", "30x40"),
        (SIZES, "30×40×5", "30x40x5"),
        ([f"{text} cm" for text in SIZES], "30.5 x 40 cm", "30.5x40 cm"),
        ([f"{h}:00-{h + 8}:30" for h in range(5, 14)] * 3, "8:00 to 16:30", "8:00-16:30"),
        ([f"{h}:00-{h + 8}:30" for h in range(5, 14)] * 3, "22:00 - 6:00", "22:00-6:00"),
        (MARKS, "4 of 5", "4/5"),
        (MARKS, "4 out of 5", "4/5"),
    ],
)
def test_numbers_get_the_usual_sign_between_them(usual: list[str], odd: str, mended: str) -> None:
    assert settled([*usual, odd])[-1] == mended


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        (RANGES, "3 -7"),  # perhaps a minus
        (RANGES, "5:3"),
        (RANGES, "3x7"),
        (MARKS, "4-5"),
        ([f"{day:02}/0{day % 9 + 1}" for day in range(1, 29)], "4 to 5"),
    ],
)
def test_signs_that_mean_something_else_stay(usual: list[str], odd: str) -> None:
    """Scores, minus signs, dates: what is joined otherwise may be something else."""
    cells = [*usual, odd]
    assert settled(cells)[-1] in (odd, "04/05")
    assert settled(cells)[:-1] == usual


@pytest.mark.parametrize("odd", ["red;green", "green | red", "black ;blue"])
def test_lists_of_known_items_get_the_usual_separator(odd: str) -> None:

    assert settled([*TAGS, odd])[-1] == ", ".join(re.split(r"\W+", odd))


def test_a_list_in_which_two_signs_part_stays() -> None:
    """Of `Beck, Ada; Booch, Jan` the comma parts no authors."""
    names = ["Beck, Ada", "Booch, Jan", "Knuth, Eva", "Helm, Ada", "Gosling, Jan", "Wayne, Eva", "Beck, Jan"]
    cells = [*names, *names, "Beck, Ada; Booch, Jan", "Knuth, Eva; Helm, Ada"]
    assert settled(cells) == cells


@pytest.mark.parametrize("odd", ["AC;DC", "red;pink", "red", "red-green", "red/green"])
def test_a_list_with_an_unknown_item_stays(odd: str) -> None:
    """A sign inside of a name is no separator, and a stroke may say "or"."""
    assert settled([*TAGS, odd])[-1] == odd


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        (DAYS, "Monday", "Mon"),
        (DAYS, "THURS", "Thu"),
        (DAYS, "tue.", "Tue"),
        (["MONDAY", "TUESDAY", "FRIDAY"] * 9, "Wed", "WEDNESDAY"),
        (MONTHS, "Sept", "September"),
        (MONTHS, "03", "March"),
        (MONTHS, "APR", "April"),
        (["Jan", "Mar", "Jun"] * 9, "December", "Dec"),
    ],
)
def test_days_and_months_get_the_usual_form(usual: list[str], odd: str, mended: str) -> None:
    assert settled([*usual, odd])[-1] == mended


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        (DAYS, "3"),  # weeks begin on different days
        (["April", "May", "June", "Peter", "Grace"] * 6, "August"),  # first names
        ([str(month) for month in range(1, 13)] * 3, "March"),
        (["Sun", "Moon", "Mars"] * 9, "SUN"),
    ],
)
def test_what_may_be_no_day_or_month_stays(usual: list[str], odd: str) -> None:
    assert ask(column([*usual, odd])).source is None or "calendar" not in str(ask(column([*usual, odd])).source)


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        (CODES, "Germany", "DE"),
        (CODES, "Poland", "PL"),
        (CODES, "FRA", "FR"),
        (LANDS, "DE", "Germany"),
        (LANDS, "ESP", "Spain"),
        ([*LANDS, *["USA"] * 4], "United States", "USA"),
        (["DEU", "FRA", "ESP"] * 9, "UK", "GBR"),
        (CODES, "Österreich", "AT"),
        (LANDS, "Deutschland", "Germany"),
        (["EUR"] * 20 + ["Euro"], "€", "EUR"),
        (["EUR", "USD"] * 10, "US$", "USD"),
        (["EUR", "EMEA", "APAC"] * 9, "Euro", "Euro"),  # regions
    ],
)
def test_countries_get_the_usual_form(usual: list[str], odd: str, mended: str) -> None:
    assert settled([*usual, odd])[-1] == mended


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        (LANDS, "PL"),  # the column never writes Poland out
        (["CA", "DE", "IN", "TX", "NY"] * 8, "Germany"),  # states
        (["de", "fr", "es", "it"] * 8, "IT"),  # languages
    ],
)
def test_what_may_be_no_country_stays(usual: list[str], odd: str) -> None:
    source = ask(column([*usual, odd])).source
    assert source is None or "country" not in source


def test_every_country_has_two_letters_three_letters_and_a_name() -> None:
    """No spelling stands for two of them."""
    lines = [line.split() for line in country_words._COUNTRIES]
    assert all((len(code), len(three)) == (2, 3) and names[0].islower() for code, three, names in lines)
    spellings = [name.casefold() for code, three, names in lines for name in (code, three, *names.split("|"))]
    assert sorted(set(spellings)) == sorted(spellings)


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        ([f"{number:05}" for number in range(400, 430)], "'00123", "00123"),
        ([f"{number:05}" for number in range(400, 430)], '="00123"', "00123"),
        ([*CITIES, '"Bremen"', '"Essen"'], '"Berlin"', "Berlin"),
    ],
)
def test_marks_of_texts_go(usual: list[str], odd: str, mended: str) -> None:
    assert settled([*usual, odd])[-1] == mended


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        ([str(year) for year in range(1990, 2020)], "'24"),
        (["Low", "Station to Station", "Lodger"] * 9, '"Heroes"'),  # a title with quotes
        (['"Essen"', '"Berlin"', "Essen", "Berlin"] * 9, '"Köln"'),
        (CITIES, "'t Zand"),
    ],
)
def test_marks_that_belong_to_a_text_stay(usual: list[str], odd: str) -> None:
    assert settled([*usual, odd])[-1] == odd


@pytest.mark.parametrize(
    ("odd", "mended"),
    [
        ("<b>Blue</b> chair<br/>new", "Blue chair new"),
        ("<p>Blue chair</p><p>new</p>", "Blue chair new"),
        ('<span style="color: red">Blue</span> chair', "Blue chair"),
        ("<i>Blue</i>&nbsp;chair", "Blue chair"),
    ],
)
def test_tags_for_the_look_go(odd: str, mended: str) -> None:
    assert settled([*PLAIN_TEXTS, odd])[-1] == mended


@pytest.mark.parametrize("odd", ["5 <b and c> 7", "10 m<sup>2</sup> of wood", 'see <a href="x">this</a>', "a < b > c"])
def test_tags_that_say_more_stay(odd: str) -> None:
    """A raised figure without its tag is another number, and a link without its tag leads nowhere."""
    assert settled([*PLAIN_TEXTS, odd])[-1] == odd
    html = ["<b>Blue</b> chair", "<i>Red</i> chair", "Plain chair"] * 9
    assert settled(html) == html


def test_persons_get_their_first_name_in_front() -> None:
    assert settled([*NAMES, "Novak, Jan"], "customer")[-1] == "Jan Novak"
    assert settled([*NAMES, "Novak, Jan"], "name")[-1] == "Jan Novak"


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        ("place", "Novak, Jan"),  # Paris, Texas
        ("customer", "Novak, Petra"),  # nobody else is called so
        ("customer", "Ines, Jan"),
        ("customer", "Smith, Jan Peter"),
    ],
)
def test_what_may_be_no_turned_name_stays(name: str, odd: str) -> None:
    assert settled([*NAMES, odd], name)[-1] == odd


@pytest.mark.parametrize(
    ("odd", "mended"),
    [
        ("0049 30 1234567", "+49 30 1234567"),
        ("030 1234567", "+49 30 1234567"),
        ("030/1234567", "+49 30 1234567"),
        ("(030) 1234567", "+49 30 1234567"),
        ("0049301234567", "+49 30 1234567"),
        ("0041 44 1234567", "+41 44 1234567"),
        ("0911 1234567", "+49 911 1234567"),  # an area that no other number shows
    ],
)
def test_telephone_numbers_get_the_code_of_their_country(odd: str, mended: str) -> None:
    assert settled([*PHONES, odd])[-1] == mended


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        ([*PHONES, "+43 1 1234567"], "030 1234567"),
        ([text.replace("+49 ", "+39 0") for text in PHONES], "06 1234567"),  # Italian numbers keep their zero
        ([text.replace("+49 30", "+49 (0)30") for text in PHONES], "030 1234567"),
        (PHONES, "1234567"),
        (PHONES, "0 30"),
    ],
)
def test_numbers_whose_country_nothing_tells_stay(usual: list[str], odd: str) -> None:
    assert settled([*usual, odd])[-1] == odd


def test_hosts_of_web_addresses_get_small_letters() -> None:
    """The path stays: case counts there."""
    odd = ["HTTPS://Shop.Example.com/Page?Q=A", "http://SHOP.example.com", "ftp://Shop.example.com", "Shop.Example.com"]
    assert settled([*PAGES, *odd])[-4:] == [
        "https://shop.example.com/Page?Q=A", "http://shop.example.com", *odd[2:],
    ]  # fmt: skip


def test_codes_without_signs_lose_those_of_a_few() -> None:
    """Also blanks in groups of four, as bank accounts have them."""
    accounts = [f"DE{number}" for number in range(10**19, 10**19 + 30)]
    assert settled([*accounts, "DE12 3456 7890 1234 5678 90"])[-1] == "DE12345678901234567890"
    postcodes = [f"{area}B1{n} {n}CD" for n, area in zip(range(1, 10), "ABCDEFGHI", strict=True)] * 4
    assert settled([*postcodes, "ab17 3cd"])[-1] == "AB17 3CD"


@pytest.mark.parametrize("odd", ["ann (at) x.example.org", "ann[at]x.example[dot]org", "Ann@X.example.org"])
def test_addresses_that_hide_their_sign_are_addresses(odd: str) -> None:
    assert settled([*(f"u{number}@x.example.org" for number in range(30)), odd])[-1] == "ann@x.example.org"


@pytest.mark.parametrize(
    ("usual", "name", "odd", "mended"),
    [
        ([f"{size} cm" for size in range(150, 190)], "height", "1.68 m", "168 cm"),
        ([f"{size} MB" for size in range(150, 190)], "size", "160mb", "160 MB"),
        ([f"{size} g" for size in range(150, 190)], "weight", "1.5 kg", "1500 g"),
        ([str(age) for age in range(20, 60)], "age", "forty", "40"),
        ([str(age) for age in range(20, 60)], "age", "68y", "68"),
        ([f"{size} cm" for size in range(150, 190)], "height", "1.6825 m", "1.6825 m"),  # 168.25
        ([f"{size} cm" for size in range(150, 190)], "height", "5 ft", "5 ft"),
        ([str(number) for number in range(20, 60)], "house", "68y", "68y"),
    ],
)
def test_numbers_of_another_power_of_ten_get_the_usual_unit(usual: list[str], name: str, odd: str, mended: str) -> None:
    """Only where nothing is rounded."""
    assert settled([*usual, odd, odd], name)[-1] == mended


CARDS = [f"{number:012x}" for number in range(0xABCDEF000000, 0xABCDEF000000 + 40 * 4099, 4099)]
COLOURS = [f"#{number:06x}" for number in range(0xA0B0C0, 0xA0B0C0 + 30 * 77, 77)]
KEYS = [f"{number:08x}-1b2c-4d3e-a4f5-0123456789ab" for number in range(0xABCDE000, 0xABCDE000 + 30 * 77, 77)]


def _colons(card: str) -> str:
    return ":".join(card[at : at + 2] for at in range(0, 12, 2))


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        ([*map(_colons, CARDS)], "AA-BB-CC-00-11-22", "aa:bb:cc:00:11:22"),
        ([*map(_colons, CARDS)], "aabbcc001122", "aa:bb:cc:00:11:22"),
        (COLOURS, "A0B0FF", "#a0b0ff"),
        (COLOURS, "#fa0", "#ffaa00"),
        ([colour[1:] for colour in COLOURS], "#A0B0FF", "a0b0ff"),
        ([str(number) for number in range(106000, 106040)], "#A0B0FF", "#A0B0FF"),
        (["facade", "decade", "accede", "deface", "beaded", "efface"] * 9, "#A0B0FF", "#A0B0FF"),
        (KEYS, "{ABCDEF01-1B2C-4D3E-A4F5-0123456789AB}", "abcdef01-1b2c-4d3e-a4f5-0123456789ab"),
    ],
)
def test_hexadecimal_codes_get_the_usual_form(usual: list[str], odd: str, mended: str) -> None:
    assert settled([*usual, odd])[-1] == mended


@pytest.mark.parametrize("odd", ["#12", "red", "#a0b0c", "A0B0FFA0", "#xyzxyz"])
def test_what_is_no_code_of_the_form_stays(odd: str) -> None:
    assert settled([*COLOURS, odd])[-1] == odd


def test_a_letter_and_a_number_are_no_hexadecimal_code() -> None:
    """`B22003` is taken for no colour: what that had repaired was in the way of the signs between its parts."""
    batches = [f"B{number}" for number in range(22001, 22601, 7)]
    _, emitted = settle(column([*batches, "B-22333", "B-22444", "b22555", "b22666"]))
    assert [one.candidate.name for one in emitted] == ["same_separators_in_value", "upper_case_codes_in_value"]
    assert settled([*batches, "B-22333", "B-22444", "b22555", "b22666"])[-4:] == [
        "B22333",
        "B22444",
        "B22555",
        "B22666",
    ]


@pytest.mark.parametrize(("odd", "mended"), [("€", "EUR"), ("Euro", "EUR"), ("us$", "USD"), ("gbp", "GBP"), ("$", "$")])
def test_currencies_get_their_code(odd: str, mended: str) -> None:
    """A dollar may be one of many."""
    assert settled([*["EUR", "USD", "GBP"] * 10, odd])[-1] == mended


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        ([f"{year}-Q{quarter}" for year in range(2015, 2024) for quarter in range(1, 5)], "Q1 2019", "2019-Q1"),
        ([f"Q{quarter}/{year}" for year in range(2015, 2024) for quarter in range(1, 5)], "2011 q1", "Q1/2011"),
        ([f"{year}-Q{quarter}" for year in range(2015, 2024) for quarter in range(1, 5)], "4Q24", "4Q24"),
        ([f"2024-05-{day} 10:20:30" for day in range(10, 30)], "2024-05-04T11:12:13", "2024-05-04 11:12:13"),
        ([f"2024-05-{day}T10:20" for day in range(10, 30)], "2024-05-04 11:12:13", "2024-05-04T11:12:13"),
        ([f"2024-05-{day} 10:20:30" for day in range(10, 30)], "2024-05-04T11:12:13Z", "2024-05-04T11:12:13Z"),
    ],
)
def test_quarters_and_moments_get_the_usual_form(usual: list[str], odd: str, mended: str) -> None:
    """A century and a zone are not made up, nor left out."""
    assert settled([*usual, odd])[-1] == mended


@pytest.mark.parametrize("odd", ["<ann@x.example.org>", "ann@x.example.org;", "<Ann@x.example.org>,"])
def test_addresses_lose_the_signs_of_a_list(odd: str) -> None:
    assert settled([*(f"u{number}@x.example.org" for number in range(30)), odd])[-1] == "ann@x.example.org"


def test_one_blank_where_many_texts_of_the_form_have_one() -> None:
    """Nobody else lives in 10115 Berlin, but everybody has one blank between postcode and town."""
    towns = [f"{number} {town}" for number, town in zip(range(10115, 10175), CITIES * 2, strict=False)]
    assert settled([*towns, "99084  Ulm", "99086  Gera"])[-2:] == ["99084 Ulm", "99086 Gera"]
    rows = [f"{name:<8}{number}" for name, number in zip(["AB", "ABC", "A"] * 9, range(10, 37), strict=True)]
    assert settled(rows) == rows


@pytest.mark.parametrize(
    ("odd", "mended"), [("34 C", "34 °C"), ("34 deg C", "34 °C"), ("34 ºC", "34 °C"), ("94 °F", "94 °F")]
)
def test_degrees_get_the_usual_sign(odd: str, mended: str) -> None:
    assert settled([*(f"{degrees} °C" for degrees in range(5, 35)), odd])[-1] == mended


MOMENTS = [f"2024-03-{day:02} {hour:02}:53" for day in range(1, 20) for hour in range(8)]
HALF_DAYS = [f"{hour}:{minute} {half}" for hour in range(1, 13) for minute in ("00", "30") for half in ("AM", "PM")]


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        (HALF_DAYS, "8:15am", "8:15 AM"),
        (HALF_DAYS, "02:30 p.m.", "2:30 PM"),
        (HALF_DAYS, "11 AM", "11:00 AM"),
        ([text.replace(" ", "").lower() for text in HALF_DAYS], "8:15 AM", "8:15am"),
        ([text.replace("M", ".m.").replace("A", "a").replace("P", "p") for text in HALF_DAYS], "8.15 AM", "8:15 a.m."),
        (HALF_DAYS, "10:30", "10:30"),
        (HALF_DAYS, "14:30", "14:30"),
        (HALF_DAYS, "13:30 PM", "13:30 PM"),
        (HALF_DAYS, "8:15:30 am", "8:15:30 am"),
    ],
)
def test_times_of_half_days_get_the_usual_form(usual: list[str], odd: str, mended: str) -> None:
    """Case, blanks, stops and full hours; what does not say its half of the day, or says more, stays."""
    assert settled([*usual, odd, "9 PM"], "hearing")[:-1] == [*usual, mended]


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        (["NOR", "IND", "CHN", "GER"] * 20, ["chn", "Ger", "Norway", "nor"] * 2, ["CHN", "GER", "NOR", "NOR"] * 2),
        (MOMENTS, ["2024-03-26 14:00:00", "2024-03-26T14:00:00"], ["2024-03-26 14:00"] * 2),
        (MOMENTS, ["2024-03-26 14:00:00", "2024-03-26 14:00:07"], ["2024-03-26 14:00:00", "2024-03-26 14:00:07"]),
    ],
)
def test_codes_in_another_case_and_seconds_that_say_nothing(
    usual: list[str], odd: list[str], mended: list[str]
) -> None:
    """Codes of countries that the column has in capitals; seconds go only where no cell has others than 00."""
    assert settled([*usual, *odd])[len(usual) :] == mended


UTC = [f"2024-05-{day:02}T{hour:02}:12:40Z" for day in range(1, 28) for hour in range(5)]


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        (UTC, "2024-05-23 22:00:24Z", "2024-05-23T22:00:24Z"),
        (UTC, "2024-05-23T22:00:24.000Z", "2024-05-23T22:00:24Z"),
        (UTC, "2024-05-23T22:00:24+00:00", "2024-05-23T22:00:24Z"),
        ([text.replace("T", " ").replace("Z", " UTC") for text in UTC], UTC[0], "2024-05-01 00:12:40 UTC"),
        (UTC, "2024-05-23T22:00:24+02:00", "2024-05-23T22:00:24+02:00"),
        (UTC, "2024-05-23T22:00:24", "2024-05-23T22:00:24"),
        (UTC, "2024-05-23T22:00:24.125Z", "2024-05-23T22:00:24.125Z"),
    ],
)
def test_moments_in_utc_get_the_usual_form(usual: list[str], odd: str, mended: str) -> None:
    """Not those in another zone, without any, or with parts of seconds."""
    assert settled([*usual, odd, "2024-05-24T10:00:00Z"])[:-1] == [*usual, mended]


@pytest.mark.parametrize(
    ("odd", "mended"),
    [("608 258 777", "+34 608 258 777"), ("608258777", "+34 608 258 777"), ("0034 608 258 777", "+34 608 258 777"),
     ("908 258 777", "908 258 777"), ("608 258 77", "608 258 77"), ("34 608 258 777", "34 608 258 777")],
)  # fmt: skip
def test_a_number_of_a_country_that_dials_no_zero_gets_its_code(odd: str, mended: str) -> None:
    """Only one that begins as the others do, and has as many figures."""
    usual = [f"+34 {first}08 258 {number}" for number in range(500, 540) for first in (6, 7)]
    assert settled([*usual, odd], "phone") == [*usual, mended]


def test_thousands_in_short_are_written_out() -> None:
    """Beside whole numbers below them, or beside millions; with the sign of a currency."""
    hits = [str(number) for number in range(80, 320)]
    assert settled([*hits, "1.6K", "2K", "14.25K", "1.1M"], "hits")[240:] == ["1600", "2000", "14250", "1100000"]
    views = [*map(str, range(900, 2300)), "1.6K", "2.1K", "1.9K"]  # of one size
    assert settled(views, "views")[1400:] == ["1600", "2100", "1900"]
    values = [f"€{number}K" for number in range(300, 390)] + [f"€{number / 2:g}M" for number in range(2, 60)]
    assert settled([*values, "€0"], "value")[89:92] == ["€389000", "€1000000", "€1500000"]


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        ([f"{number}K" for number in range(1, 90)], "salary"),  # all in one way
        ([*map(str, range(90, 300)), "1.6K", "2.2K", "3.4K"], "file_size"),  # of 1,024
        ([*map(str, range(90, 300)), "12K", "14K", "3K", "7M"], "seat"),
        ([*map(str, range(1, 40)), "1.5K", "2.5K", "5.5K"], "distance"),  # no number shows that they are no kilometres
    ],
)
def test_what_may_be_no_thousand_stays(cells: list[str], name: str) -> None:
    """Sizes of files, seats, distances, and columns that write all in one way."""
    assert settled(cells, name) == cells


def test_numbers_beside_a_word_that_comes_again_are_numbers() -> None:
    """Free stands beside every third price, and is no reason to leave the others; many words are another column."""
    prices = ["Free"] * 60 + [f"{number}.00" for number in range(100, 180)] + ["1,828.00", "1,040.50"] * 10
    assert settled(prices, "price")[140:142] == ["1828.00", "1040.50"]
    assert settled(prices, "price")[:60] == ["Free"] * 60
    sizes = ["S", "M", "L", "XL"] * 15 + [f"{number},5" for number in range(100, 180)]
    assert settled(sizes, "size") == sizes


def test_a_blank_in_the_place_of_a_letter_is_no_doubled_one() -> None:
    """Codes that are all as long have a blank where others have a letter."""
    codes = [f"{number:03} 13 0{'AB '[number % 3]} {number:03}.00" for number in range(100, 190)]
    assert settled(codes, "parcel") == codes


def test_numbers_of_other_countries_say_nothing_of_national_ones() -> None:
    """One in ten with `+33` switched off the repair of all."""
    usual = [f"0{n % 6 + 1} {n % 90 + 10} {n % 70 + 11} 24 {n % 80 + 12}" for n in range(100)]
    abroad = [f"+33 6 {n + 20} 31 24 55" for n in range(10)]
    odd = ["01.68.34.12.77", "0168341277", "01-68-34-12-78", "22 01 683 4127"]
    settled_ones = ["01 68 34 12 77", "01 68 34 12 77", "01 68 34 12 78", "22 01 683 4127"]
    assert settled([*usual, *abroad, *odd], "phone") == [*usual, *abroad, *settled_ones]


NATIONAL = [f"0{(89, 40, 221, 6151)[n % 4]} {100_000 + n * 97_331}" for n in range(60)]


@pytest.mark.parametrize(
    ("odd", "mended"),
    [
        ("089/978551", "089 978551"),
        ("040-12345678", "040 12345678"),
        ("0221 / 55512", "0221 55512"),
        ("(06151) 55512", "06151 55512"),
        ("089 978551-12", "089 978551-12"),
        ("+49 221 5577123", "+49 221 5577123"),
        ("12/345678", "12/345678"),
    ],
)
def test_national_telephone_numbers_get_the_usual_sign_behind_their_area(odd: str, mended: str) -> None:
    """However long both are; an extension and the code of a country stay."""
    assert settled([*NATIONAL, odd, "030/123456"], "Telefon")[-2:] == [mended, "030 123456"]


def test_where_no_sign_is_the_usual_one_or_others_are_no_numbers_all_stay() -> None:
    """Half of them have a stroke; and a column of which a tenth is something else holds no telephone numbers."""
    mixed = [*NATIONAL, *["012/3456", "ask at the desk", "room 12"] * 3]
    assert settled(mixed, "Kontakt") == mixed
    halves = [number if n % 2 else number.replace(" ", "/") for n, number in enumerate(NATIONAL)]
    assert settled(halves, "Telefon") == halves
