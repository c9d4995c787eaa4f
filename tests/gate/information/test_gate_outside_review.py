"""What an outside review got past the gate, or saw held by mistake: one law or another looked away."""

import pytest

from orchestrator.gate.checks.changed_columns.frequent_values import frequent_values_merged
from orchestrator.gate.information.beyond_shown.sides_converted import sides_otherwise
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.characters.broken_forms import apostrophe_gone, decimal_mark_to_blank
from orchestrator.gate.information.column_evidence.hosts import www_made_up
from orchestrator.gate.information.column_evidence.other_values import found_inside
from orchestrator.gate.information.column_evidence.same_factor import into_two_units
from orchestrator.gate.information.proper_names.turned_round import another_article, article_left_out
from orchestrator.gate.information.row_evidence.added_parts import left_bare
from orchestrator.gate.information.signs_of_numbers.code_marks import letters_of_codes_changed, sentinel_as_number
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.text_changes.grouping_marks import one_mark_for_two
from orchestrator.gate.information.text_changes.main_form import cut_unlike_others


@pytest.mark.parametrize(
    ("cells", "wrong"),
    [
        ([("175 cm", "175"), ("182 cm", "182"), ("1.98 m", "1980")], ("1.98 m", "1980")),
        ([("175 cm", "175"), ("182 cm", "182"), ("1,98m", "198")], None),
        ([("90 min", "90"), ("45 min", "45"), ("30m", "1800")], ("30m", "1800")),
        ([("90 min", "90"), ("2 hours", "120"), ("30m", "30"), ("5 s", "1")], None),
        ([("500 g", "500"), ("2 kg", "2")], ("2 kg", "2")),
        ([("500 g", "500 g"), ("2 kg", "2")], None),
        ([("30m", "30"), ("4m", "4000000")], None),
    ],
)
def test_quantities_become_numbers_of_one_unit(cells: list[Change], wrong: Change | None) -> None:
    """Metres came out in millimetres beside centimetres; what `m` means, the others say."""
    found = into_two_units(cells, cells)
    assert (found is None) if wrong is None else (found is not None and found[0] == "numbers come out in two units")
    if len(cells) > 2 and wrong is not None:
        assert found is not None
        assert found[1] == wrong
    assert into_two_units([], cells) is None


@pytest.mark.parametrize(
    ("before", "after", "doubted"),
    [
        ("1 234.50", "1.234.50", True),
        ("1 234,50", "1,234,50", True),
        ("1 234.50", "1234.50", False),
        ("1 234,50", "1.234,50", False),
        ("1,021.94", "1.021.94", True),
    ],
)
def test_groups_and_decimals_keep_two_marks(before: str, after: str, *, doubted: bool) -> None:
    """Groups that a blank parts are groups as well."""
    assert (one_mark_for_two([(before, after)]) is not None) is doubted


@pytest.mark.parametrize(
    ("before", "after", "doubted"),
    [
        ("ZX1256", "ZY-1256", True),
        ("zx-6279", "ZX-6279", False),
        ("ZX 8838", "ZX-8838", False),
        ("ZX12", "ZY12", False),
        ("vor 1871", "bef 1871", False),
        ("MAI 2020", "MAY 2020", False),
        ("ZX 8838", "ZY 8838", True),
        ("ZX1256", "ZXA1256", False),
    ],
)
def test_the_letters_of_a_code_stay(before: str, after: str, *, doubted: bool) -> None:
    """With a hyphen put in beside it, nobody saw that the code was another one."""
    assert (letters_of_codes_changed([(before, after)]) is not None) is doubted


@pytest.mark.parametrize(
    ("before", "after", "doubted"),
    [
        ("Inspector Calls, An", "A Inspector Calls", True),
        ("Inspector Calls, An", "An Inspector Calls", False),
        ("Hobbit, The", "The Hobbit", False),
        ("Zeit, Die", "Das Zeit", True),
    ],
)
def test_an_article_in_front_is_the_one_from_behind(before: str, after: str, *, doubted: bool) -> None:
    assert (another_article([(before, after)]) is not None) is doubted


@pytest.mark.parametrize(
    ("before", "after", "doubted"),
    [
        ("https://mail.co.uk/", "https://www.mail.co.uk", True),
        ("mail.co.uk/Team", "https://www.mail.co.uk/Team", True),
        ("www.mail.co.uk", "https://www.mail.co.uk", False),
        ("https://mail.co.uk/", "mail.co.uk", False),
        ("a@mail.co.uk", "www.mail.co.uk", False),
    ],
)
def test_no_host_gets_a_name_that_nobody_wrote(before: str, after: str, *, doubted: bool) -> None:
    assert (www_made_up([(before, after)]) is not None) is doubted


@pytest.mark.parametrize(
    ("before", "after", "doubted"),
    [
        ("It\u2019s fine\u2026", "Its fine", True),
        ("we'll see", "well see", True),
        ("It\u2019s fine", "It's fine", False),
        ("'quoted words'", "quoted words", False),
        ("O'Neil", "ONeil", False),
        ("it's late", "It is late", False),
    ],
)
def test_words_of_a_text_keep_their_apostrophe(before: str, after: str, *, doubted: bool) -> None:
    """One that was left out with all that is no ASCII made other words."""
    assert (apostrophe_gone([(before, after)]) is not None) is doubted


@pytest.mark.parametrize(
    ("before", "after", "doubted"),
    [
        ("Godfather, The (1966)", "Godfather", True),
        ("Hobbit, The", "Hobbit", True),
        ("Godfather, The (1966)", "The Godfather", False),
        ("Godfather, The (1966)", "Godfather, The", False),
        ("Lion, the Witch", "Lion Witch", False),
        ("Miller, Ada", "Miller", False),
    ],
)
def test_an_article_behind_a_title_stays(before: str, after: str, *, doubted: bool) -> None:
    """That a year goes, as an example shows, says nothing of the article in front of it."""
    assert (article_left_out([(before, after)]) is not None) is doubted


@pytest.mark.parametrize(
    ("before", "after", "doubted"),
    [
        ("-999", "-99.9", True),
        ("-999", "-999.0", False),
        ("-999", "", False),
        ("-12", "-1.2", False),
        ("999", "9.99", False),
    ],
)
def test_what_stands_for_no_number_becomes_none(before: str, after: str, *, doubted: bool) -> None:
    """Examples of other numbers let it be divided with them."""
    assert (sentinel_as_number([(before, after)]) is not None) is doubted


def test_two_codes_of_a_list_stay_two() -> None:
    """`G` became `PG` as an example showed `Unrated` as `NR`; what is known to be one thing may be one."""
    before = ["G", "PG", "R", "NR"] * 30
    merged = ["PG" if cell == "G" else cell for cell in before]
    assert frequent_values_merged(before, merged, [("Unrated", "NR")]) is not None
    assert frequent_values_merged(before, merged, [("G", "PG")]) is None
    places = ["UK", "GB", "DE"] * 30
    assert frequent_values_merged(places, ["GB" if cell == "UK" else cell for cell in places], []) is None


def test_right_functions_that_were_held() -> None:
    """Sides keep their unit, an address loses its `mailto:`, and figures of a telephone number stand in pairs."""
    shown = [("10x20x30 cm", "10 x 20 x 30 cm"), ("12\u00d734\u00d756", "12 x 34 x 56")]
    assert sides_otherwise([("355 X 374 X 88 mm", "355 x 374 x 88 mm")], shown) is None
    given = [("mailto:ada@shop.example", "ada@shop.example"), ("ada@shop.example", "ada@shop.example")]
    assert found_inside(given[:1], given) is None
    assert decimal_mark_to_blank([("04.82.38.98.05", "04 82 38 98 05")]) is None
    assert decimal_mark_to_blank([("12.5", "12 5")]) is not None
    others = [(f"1{n}/1{n}", f"1{n}/1{n}") for n in range(10, 60)]
    assert cut_unlike_others([("97 over 105", "97/105")], others) is None
    assert cut_unlike_others([("97 over 1052", "97/1052")], others) is None
    assert cut_unlike_others([("150105", "15/0105")], others) is not None


def kinds(cells: list[Change], *shown: Change) -> list[str]:
    """What is suspected of a column's cells beside witnesses."""
    return [one.kind for one in suspicions(cells, shown)]


FIVE = [(f"1{n:04}", f"1{n:04}") for n in range(40)]
MACS = [(f"60:70:0c:0b:b9:{n:02x}", f"60:70:0c:0b:b9:{n:02x}") for n in range(20)]
IPS = [(f"10.{n}.7.5", f"10.{n}.7.5") for n in range(20)]
VERSIONS = [(f"2.{n}.1", f"2.{n}.1") for n in range(20)]
LINK = "https://shop.example.com"


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([*FIVE, ("123", "000000123")], ["figures-added"]),
        ([*FIVE, ("123", "00123")], []),
        ([*FIVE, *((f"2{n:05}", f"2{n:05}") for n in range(40)), ("123", "0000123")], []),
        ([*MACS, ("AA0B0C0D0E0F", "aa:b:c:d:e:f")], ["figures-lost"]),
        ([*MACS, ("AA0B0C0D0E0F", "aa:0b:0c:0d:0e:0f")], []),
        ([*MACS, ("AA:B:C:D:E:F", "aa:b:c:d:e:f")], []),
        ([(f"{LINK}/Item?id=5&utm_source=x", f"{LINK}/item?id=5")], ["case-changed"]),
        ([(f"{LINK}/Item?id=5&utm_source=x", f"{LINK}/Item?id=5")], []),
        ([*IPS, ("10.1.7.000", "10.1.7.0")], []),
        ([*VERSIONS, ("1.10", "1.1")], ["figures-lost"]),
    ],
)
def test_forms_that_the_other_cells_keep(cells: list[Change], found: list[str]) -> None:
    """More figures than any other, one figure for two, a path in small letters; an address keeps its numbers."""
    assert kinds(cells) == found


AIRPORTS = {
    "LHR": "London Heathrow",
    "LGW": "London Gatwick",
    "JFK": "New York Kennedy",
    "CDG": "Paris Charles de Gaulle",
    "SFO": "San Francisco",
}


def test_an_example_of_other_words_does_not_settle_two_that_are_exchanged() -> None:
    """They wait as they do without an example, until one shows them."""
    names = [(name, name) for name in AIRPORTS.values()]
    turned = AIRPORTS | {"LHR": "London Gatwick", "LGW": "London Heathrow"}
    shown = ("JFK", "New York Kennedy"), ("SFO", "San Francisco")
    assert kinds([*names, *AIRPORTS.items()], *shown) == []
    assert kinds([*names, *turned.items()]) == ["word-replaced"]
    assert kinds([*names, *turned.items()], *shown) == ["word-replaced"]
    assert kinds([*names, *turned.items()], *(("LHR", "London Gatwick"), ("LGW", "London Heathrow"))) == []


@pytest.mark.parametrize(
    ("cell", "value", "shown", "found"),
    [
        ("ann@c.co.uk", "", [("ann@a.com", "a.com"), ("x@b.org", "b.org")], True),
        ("ann@localhost", "", [("ann@a.com", "a.com"), ("x@b.org", "b.org")], False),
        ("ann@c.co.uk", "", [("ann@a.com", "a.com"), ("x@d.uk", "")], False),
        ("Austin, TX", None, [("Reno, NV", "NV")], True),
        ("Paris, France", None, [("Reno, NV", "NV")], False),
        ("ann", "", [("ann@a.com", "a.com")], False),
    ],
)
def test_a_row_that_has_what_the_examples_take_gets_it(
    cell: str, value: str | None, shown: list[Change], *, found: bool
) -> None:
    """One that lacks it, or is built otherwise, gets nothing by right."""
    assert (left_bare([value], [cell], shown) is not None) is found
