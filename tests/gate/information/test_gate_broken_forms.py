"""Values that keep their letters and figures and yet say something else, in columns of public files."""

from collections.abc import Callable

import pytest

from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.text_changes.labels_and_cuts import merged_without_an_item

STAGES = ["Series A", "Series B", "Post-IPO", "Acquired"]
COUNTRIES = ["United States", "United Kingdom", "India", "Germany"]
ADDRESSES = ["39 Buhler Point,New York City,New York", "72 Vera Hill,Austin,Texas", "8 Eastlawn Pass,Miami,Florida"]
NAMES = ["James van Dyk", "Ines van Dyk", "Bo Kelly", "Ines Müller"]
PRODUCTS = [
    "Newell 322", "Avery 508", "Xerox 1967", "Bush Collection Bookcase", "Logitech G19", "Self-Adhesive Labels",
    "Easy-staple paper 8 1/2", "Eldon Cart System",
]  # fmt: skip
DATES = ["Dec 31, 2020", "Jun 30, 2021", ""]
PLACES = ["Austin, Texas", "New York, NY", "Remote"]
PERSONS = ["Perlman, Ada B.", "Smith, John", "Berg, Dr. Eva Maria", "O'Brien, Mary Ann"]
LISTS = ['["TV", "Kitchen"]', '["Wifi", "Heating"]']


def without_marks(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum() or sign.isspace())


@pytest.mark.parametrize(
    ("texts", "change", "said"),
    [
        (["1.5", "4.25", "10.0", "3"], lambda text: text.replace(".", " "), "a point inside a number"),
        (["$226.00", "$44.00"], lambda text: text.replace(".", " ").strip("$"), "a point inside a number"),
        (["2.0.1", "1.2.4"], lambda text: text.replace(".", " "), "a point inside a number"),
        (["10,000+", "1,000,000+", "500+"], lambda text: text.replace(",", ", "), "one number becomes several"),
        (["0%", "80%", "95%"], lambda text: text.lstrip("0"), "a number goes and its sign stays"),
        (LISTS, lambda text: " ".join(reversed(text.split(" "))), "can no longer be read"),
        (["Nina Sanchez", "Rock Rivers"], str.swapcase, "small and capital letters are exchanged"),
        (ADDRESSES, without_marks, "words are joined that a sign kept apart"),
        (ADDRESSES, lambda text: " ".join(reversed(text.split(" "))), "words change places inside of their part"),
        (["Intel Core i7 2.7GHz", "Intel Core i5 2.3GHz"], lambda text: text.replace(" ", ""), "become one number"),
        (STAGES, lambda text: text.split(" ")[0], "the letters that tell values apart"),
        (["Ada K.", "Ada M.", "Jan"], lambda text: text.split(" ")[0], "a word is left out"),
        (COUNTRIES, lambda text: text.split(" ")[-1], "the name of a country"),
        (COUNTRIES, lambda text: text[:10], "texts are cut inside of a word"),
        (["4.1 /5", "3.8/5"], lambda text: text.replace(".", " ").replace("/", " "), "a point inside a number"),
        (["300", "800", "1,200", "450"], lambda text: text.replace(",", ", "), "one number becomes several"),
        (["300", "800", "450"], lambda text: f"{int(text) / 100:.2f}", "another number"),
        (["080 41714161", "+91 9663487993"], lambda text: text.lstrip("0"), "the zero in front"),
        (
            ["https://www.shop.example/a", "https://www.shop.example/b"],
            lambda text: text.replace(".", ""),
            "its points",
        ),
        (["Crime, Drama", "Comedy, Drama", "Action"], lambda text: text.split(", ")[-1], "differ in an item"),
        (
            ["Roe, Ada Eva", "Poe, Jan Nil"],
            lambda text: "{1} {0}, {2}".format(*text.replace(",", "").split()),
            "their part",
        ),
        (NAMES, lambda text: " ".join(text.split()[:2]), "cut behind a word that goes on"),
        (PRODUCTS, lambda text: text.replace("Xerox 1967", "1967"), "its number"),
        (DATES, lambda text: "".join(filter(str.isdecimal, text)), "the month of a date"),
        (["1,256.00", "468.00", "Free"], lambda text: text.replace(",", ", "), "one number becomes several"),
        (["4.0.3 and up", "4.1 and up", "5.0"], lambda text: text.removesuffix(" and up"), "a bound becomes"),
    ],
)
def test_what_holds_a_value_together_or_apart_may_not_go(
    texts: list[str], change: Callable[[str], str], said: str
) -> None:
    found = [one.detail for one in suspicions([(text, change(text)) for text in texts * 20])]
    assert any(said in one for one in found)


@pytest.mark.parametrize(
    ("texts", "change"),
    [
        (["1.234.567", "45.000", "1.000"], lambda text: text.replace(".", " ")),
        (["10.03.2022", "28.11.2021"], lambda text: text.replace(".", " ")),
        (["101,202,303", "404,505"], lambda text: text.replace(",", ", ")),
        (["8471.30.00", "9403.60.10"], lambda text: text.replace(".", " ")),
        (["-29.970,167.275", "12.125,100.250"], lambda text: text.replace(",", ", ")),
        (["01-02-2020", "05-11-2021"], lambda text: text.removeprefix("0")),
        (LISTS, lambda text: text.replace(" ", "")),
        (["<https://shop.example/a|the red chair>"], lambda _: "[the red chair](https://shop.example/a)"),
        (["NINA SANCHEZ", "ROCK RIVERS"], str.title),
        (ADDRESSES, lambda text: text.replace(",", ", ")),
        (PLACES, lambda text: ", ".join(reversed(text.split(", ")))),
        (PERSONS, lambda text: " ".join(reversed(text.split(", ")))),
        (["Elm Street", "Oak Street", "Low Street"], lambda text: text.replace("Street", "St")),
        (["United States of America", "United States", "India"], lambda text: text.removesuffix(" of America")),
        (["12 months", "6 months", "permanent"], lambda text: text.removesuffix(" months")),
        (["Dec 3, 2020", "Jun 30, 2021"], lambda text: text.replace(",", "")),
        (["Nestle S A", "Danone S A", "Bosch"], lambda text: text.removesuffix(" S A")),
    ],
)
def test_other_ways_of_writing_the_same_are_believed(texts: list[str], change: Callable[[str], str]) -> None:
    assert suspicions([(text, change(text)) for text in texts * 20]) == []


def test_lists_beside_texts_are_no_reason_to_stop() -> None:
    """A typed column may hold both."""
    cells = [("Crime, Drama", "Drama"), ("Comedy, Drama", "Drama"), (["a"], ["a"]), ({"a": 1}, {"a": 1})] * 9
    assert "values-collapse" in [one.kind for one in suspicions(cells)]


@pytest.mark.parametrize("places", [["Rome, Italy", "Rome, Italia"], ["Oslo, Norge", "Oslo, Norway"], ["Jazz, Soul"]])
def test_two_names_of_one_thing_tell_nothing_apart(places: list[str]) -> None:
    cells = [(place, place.split(", ")[0]) for place in places * 20]
    assert merged_without_an_item(cells, cells) is None


@pytest.mark.parametrize(
    ("texts", "change", "shown"),
    [
        (STAGES, lambda text: text.split(" ")[0], "Series A"),
        (COUNTRIES, lambda text: text[:10], "United States"),
        (NAMES, lambda text: " ".join(text.split()[:2]), "Ines van Dyk"),
        (DATES, lambda text: "".join(filter(str.isdecimal, text)), "Dec 31, 2020"),
        (["Crime, Drama", "Comedy, Drama", "Action"], lambda text: text.split(", ")[-1], "Crime, Drama"),
        (ADDRESSES, without_marks, "39 Buhler Point,New York City,New York"),
    ],
)
def test_a_user_may_want_it(texts: list[str], change: Callable[[str], str], shown: str) -> None:
    assert suspicions([(text, change(text)) for text in texts * 20], [(shown, change(shown))]) == []
