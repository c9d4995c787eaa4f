"""A witness shows one change; what is made up, halved, cut or converted beside it is held nevertheless."""

import pytest

from orchestrator.gate.information.beyond_shown.sides_converted import sides_otherwise
from orchestrator.gate.information.beyond_shown.two_codes import two_codes_of_one
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.emptied import emptied_like_others
from orchestrator.gate.information.suspicions import suspicions

DATES = (("3.4.23", "2023-04-03"), ("3 Apr 2023", "2023-04-03"), ("4/3/2023", "2023-04-03"))
AMERICAN = [(f"{n % 12 + 1}/{n}/2020", f"2020-{n % 12 + 1:02}-{n}") for n in range(13, 20)]
IN_TEXTS = (("am 3. April 2023", "am 2023-04-03"), ("03.04.2023:", "2023-04-03:"))
GRAMS = (("1.5 kg", "1500 g"), ("12 oz", "340 g"), ("1,5kg", "1500 g"), ("750g", "750 g"))
MILES = (("12 miles away", "19 km away"), ("a 3-mile walk", "a 4.8 km walk"))
PIECES = (("1,000 pcs", "1000"), ("2 dozen", "24"))
CODES = (("e119", "E11.9"), ("E11,9", "E11.9"))
DIAGNOSES = [("M54.5", "M54.5"), ("I10", "I10"), ("E11.9", "E11.9")]
TYRES = [(text, text) for text in ("205/55 R16", "195/65 R15 91V", "225/40 ZR18", "205/50 R17")]


def kinds(*cells: Change, shown: tuple[Change, ...] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("right", "wrong", "shown", "others"),
    [
        (("19.01.21", "2021-01-19"), ("19.01.", "1900-01-19"), DATES, []),
        (("5 May 2020", "2020-05-05"), ("May 2020", "2020-05-01"), DATES, []),
        (("11/15/2022", "2022-11-15"), ("15/11/2022", "2022-11-15"), DATES, AMERICAN),
        (("am 4. M\u00e4r. 2022", "am 2022-03-04"), ("am 4. M\u00e4r. 2022", "am 2022-05-04"), IN_TEXTS, []),
        (("Stand 16.09.1972", "Stand 1972-09-16"), ("Stand 16.09.72", "Stand 0072-09-16"), IN_TEXTS, []),
        (("4 kg", "4000 g"), ("< 4 kg", "4000 g"), GRAMS, []),
        (("2 kg", "2000 g"), ("2 t", "2000 g"), GRAMS, [("3 kg", "3000 g"), ("5 lb", "2268 g")]),
        (
            ("8,785 miles by train, 4 miles on foot", "14138 km by train, 6.4 km on foot"),
            ("8,785 miles by train, 4 miles on foot", "13 km by train, 6.4 km on foot"),
            MILES,
            [],
        ),
        (("2 miles on foot", "3.2 km on foot"), ("2-5 miles on foot", "2-8.0 km on foot"), MILES, []),
        (("60 kg", "60000 g"), ("<60 kg", "60000 g"), GRAMS, []),
        (("4 pairs", "8"), ("4 pairs", "4"), PIECES, [("12 pcs", "12")]),
        (("4 pcs", "4"), ("4 kg", "4"), PIECES, [("12 pcs", "12")]),
        (("r021", "R02.1"), ("R02", "R2"), CODES, DIAGNOSES),
        (("205/55R16", "205/55 R16"), ("195/70 R15C", "195/70 R15"), (("175/50R15", "175/50 R15"),), TYRES),
    ],
)
def test_another_change_than_the_shown_one_is_held(
    right: Change, wrong: Change, shown: tuple[Change, ...], others: list[Change]
) -> None:
    """Its own kind of change has to be shown, and then it passes."""
    assert not kinds(right, *others, shown=shown)
    assert kinds(wrong, *others, shown=shown)
    assert not kinds(wrong, *others, shown=(*shown, wrong))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (("8 pm lamp", "20:00 lamp"), ("4 \u2013 8 pm lamp", "4 \u2013 20:00 lamp")),
        (("<b>lamp</b> red desk", "lamp red desk"), ("<script>alert(1)</script>red desk", "alert(1)red desk")),
        (("<script>alert(1)</script>red desk", "red desk"), ("<style>p {}</style>desk", "p {}desk")),
        (
            ("the clo-\nck, a lamp\nnew", "the clock,\na lamp\nnew"),
            ("the clo-\nck, a lamp\nnew", "the clock\na lamp\nnew"),
        ),
    ],
)
def test_a_text_keeps_what_its_reader_needs(right: Change, wrong: Change) -> None:
    """Both ends of a span in one way, no program among the words, the commas of lines that are joined."""
    assert not kinds(right)
    assert kinds(wrong)


def test_a_divided_word_is_joined_as_other_cells_have_it() -> None:
    """`carpet` in another text shows that `car-` and `pet` are no compound."""
    whole = ("a carpet", "a carpet")
    assert "mark-lost" in kinds(("the car-\npet is new", "the car-pet\nis new"), whole)
    assert not kinds(("the car-\npet is new", "the carpet\nis new"), whole)
    assert not kinds(("a well-\nknown desk", "a well-known\ndesk"), whole)


def test_all_divided_words_of_a_text_are_joined() -> None:
    """Three texts of which only the first one is joined show a function that stops there."""
    shown = (("the car-\npet is new", "the carpet\nis new"),)
    halved = [(f"the car-\npet {n}x sto-\nol, stool", f"the carpet\n{n}x sto-\nol, stool") for n in "abc"]
    whole = [(f"the car-\npet {n}x sto-\nol", f"the carpet\n{n}x stool") for n in "abc"]
    assert "value-changed" in kinds(*halved, shown=shown)
    assert not kinds(*whole, shown=shown)


def test_all_numbers_of_a_text_are_hidden_as_shown() -> None:
    """Not the first one only, and no more figures to be seen behind the signs than in the examples."""
    card, other, hidden = "4111 1111 1111 1111", "5105 1051 0510 5100", "**** **** ****"
    shown = ((f"card {card}, help", f"card {hidden} 1111, help"),)
    halved = [(f"{n}: {card} and {other} too", f"{n}: {hidden} 1111 and {other} too") for n in "abc"]
    whole = [(f"{n}: {card} and {other} too", f"{n}: {hidden} 1111 and {hidden} 5100 too") for n in "abc"]
    assert "value-changed" in kinds(*halved, shown=shown)
    assert "value-changed" not in kinds(*whole, shown=shown)
    assert "figures-lost" in kinds(("ref 41111111111111110000", f"ref {hidden} 11110000"), shown=shown)


def test_a_number_with_fewer_figures_than_all_others_gets_no_country() -> None:
    """Five numbers of one length show how long those of the country are."""
    others = [(f"06 12 34 56 {n}", f"+336123456{n}") for n in range(10, 16)]
    assert "figures-added" not in kinds(*others)
    assert "figures-added" in kinds(*others, ("06 48 52 19", "+336485219"))


@pytest.mark.parametrize(
    ("cell", "wrong", "shown"),
    [
        (("(7070)", "-7070.00"), ("7070", "-7070.00"), (("(1,234.50)", "-1234.50"), ("9 CR", "-9"), ("8 DR", "8"))),
        (("7 \u2030", "0.007"), ("7 \u20ac", "0.007"), (("12,5 %", "0.125"), ("7 Promille", "0.007"))),
        (
            ("http://shop.example/a#top", "shop.example"),
            ("http://blog.lamp.example/a", "lamp.example"),
            (("https://www.lamp.example/en/?a=1", "lamp.example"),),
        ),
    ],
)
def test_what_a_witness_shows_in_another_spelling_is_believed(
    cell: Change, wrong: Change, shown: tuple[Change, ...]
) -> None:
    """An amount in brackets without decimals, nothing of ten, per mille as a sign, any page of a host."""
    stay = [("5", "5"), ("7", "7"), ("shop.example", "shop.example")]
    assert not kinds(cell, *stay, shown=shown)
    assert kinds(wrong, *stay, shown=shown)


def test_sides_that_are_all_scaled_as_shown_keep_their_marks() -> None:
    """25,5 is 255 where 42 is 420; where 42 stays it has lost its mark."""
    shown = (("30 x 20 x 10 cm", "300, 200, 100"), ("12 x 8 x 4 cm", "120, 80, 40"))
    assert not kinds(("25,5 x 42 x 79 cm", "255, 420, 790"), shown=shown)
    assert "separator-moved" in kinds(("25,5 x 42 x 79 cm", "255, 42, 79"), shown=shown)


def test_nothing_is_nothing_on_every_scale() -> None:
    """`0/10` as 0.0 loses nothing beside 3.0 of `3/5`, and `6/10` as 6.0 does."""
    shown = (("8/10", "4.0"), ("4/5", "4.0"))
    assert not kinds(("0/10", "0.0"), ("3/5", "3.0"), shown=shown)
    assert kinds(("6/10", "6.0"), ("3/5", "3.0"), shown=shown)


def test_stars_are_counted_beyond_the_range_of_other_cells() -> None:
    """Five stars are five where the numbers go to four; a word for five is doubted."""
    numbers = [(f"{n}", f"{n}") for n in range(1, 5)]
    shown = (("\u2605\u2605\u2605", "3.0"),)
    assert "word-replaced" not in kinds(("\u2605" * 5, "5.0"), *numbers, shown=shown)
    assert "word-replaced" in kinds(("great", "9"), *numbers, shown=shown)


def test_namibia_is_a_country_beside_parts_of_countries() -> None:
    """`NA` among codes of countries, of which some name a part, is no word for nothing."""
    stay = ["DE", "FR", "NO", "US-CA", "Germany"]
    assert emptied_like_others(["NA", "n/a", *stay], [None, None, *stay]) == [0]
    assert emptied_like_others(["n/a", *stay], [None, *stay]) == []
    assert emptied_like_others(["NA", "red", *stay], [None, "red", *stay]) == []


def test_sides_are_converted_to_the_unit_of_the_examples() -> None:
    """Centimetres and inches as millimetres show how large a metre is, and each side has its own unit."""
    shown = (("30 x 20 x 10 cm", "300, 200, 100"), ("12 in x 8 in x 4 in", "305, 203, 102"))
    assert sides_otherwise([("1.9 x 1 x 0.7 m", "1900, 1000, 700")], shown) is None
    assert sides_otherwise([("1.9 x 1 x 0.7 m", "190, 100, 70")], shown) is not None
    assert sides_otherwise([("28 x 13 x 31 in", "280, 130, 310")], shown) is not None
    assert sides_otherwise([("2m x 47cm x 84cm", "2000, 47000, 84000")], shown) is not None
    assert sides_otherwise([("28 x 13 x 31", "280, 130, 310"), ("large", "300")], shown) is None
    assert sides_otherwise([("1.9 x 1 x 0.7 m", "190, 100, 70")], ()) is None


def test_one_country_has_one_code() -> None:
    """As long as the one that it has elsewhere; ISO knows a longer one, too."""
    shown = (("Reino Unido", "GB"), ("Alemanha", "DE"))
    assert not kinds(("England", "GB"), ("Deutschland", "DE"), shown=shown)
    assert "word-replaced" in kinds(("England", "UK"), ("Deutschland", "DE"), shown=shown)
    assert "other-meaning" in kinds(("Northern Ireland", "IE"), shown=shown)
    assert two_codes_of_one([("England", "GB"), ("Reino Unido", "GBR"), ("lamp", "GB")], ()) is None
