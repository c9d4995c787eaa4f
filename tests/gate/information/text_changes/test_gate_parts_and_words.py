"""Words that are put in, parts of lists, acronyms, centuries, keys with another name; and what is like them."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.emptied import emptied_like_others
from orchestrator.gate.information.item_order import in_their_order, shows_another_order
from orchestrator.gate.information.nested_losses import nested_losses
from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.row_evidence.halves_of_day import clock_rows
from orchestrator.gate.information.row_evidence.measures import same_measure
from orchestrator.gate.information.row_evidence.moved import signs_moved
from orchestrator.gate.information.row_evidence.templates import template
from orchestrator.gate.information.row_evidence.told_prefixes import prefixed_rows, put_in_front
from orchestrator.gate.information.suspicions import suspicions

TOWNS = [(town, town) for town in ("Berlin", "Paris", "Rome", "New York")]
PORTS = [(code, code) for code in ("DEHAM", "NLRTM", "SGSIN", "FRLEH")]
TERMS = [(term, term) for term in ("Fall 2015", "Spring 2018", "Fall 2021", "Summer 2023")]
SHARES = [(f"{number}%", f"{number}%") for number in (37, 45, 62, 81)]
CODES = [(f"DE000{number}", f"DE000{number}") for number in range(2662855, 2662865)]
SIZES = [(f"{size} {unit}", size) for unit in ("cm", "mm") for size in ("20 x 30", "5 x 7", "2 x 3")]
FILTERED = "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fx.org%2Fa&data=1"
FLATS = [(f"{kind} {number}",) * 2 for kind in ("Apt", "Ste") for number in "123"]
EMPLOYERS = [(f"12-345678{n}", f"12-345678{n}") for n in range(6)]
FRACTIONS = [("0.45", "0.45%"), ("0.62", "0.62%"), ("0.13", "0.13%"), ("0.81", "0.81%")]


def kinds(*cells: Change, shown: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("kind", "cells", "shown"),
    [
        ("words-added", [("Oslo", "Oslo (verified)"), *TOWNS], ("Bath", "Bath (verified)")),
        ("words-added", [("Oslo", "Oslo visit evil.example"), *TOWNS], ("Bath", "Bath visit evil.example")),
        ("words-added", [("Oslo", "Oslo Berlin"), *TOWNS], ("Bath", "Bath Rome")),
        ("mark-lost", [("C++, SQL", "C, SQL"), ("Java", "Java")], ("F#, Java", "F, Java")),
        ("mark-lost", [("Tim O'Neil", "Tim ONeil"), ("Ada King", "Ada King")], ("Pat D'Arc", "Pat DArc")),
        ("mark-lost", [("O'NEIL", "Oneil"), ("KING", "King")], ("D'ARC", "Darc")),
        ("separator-moved", [("Cf http://a/?b", "Cf http ://a/ ?b"), ("N", "N")], ("x http://a?b", "x http://a ?b")),
        ("separator-moved", [("à 16:17 : oui", "à 16 :17 : oui"), ("Non", "Non")], ("de 8:30", "de 8 :30")),
        ("case-changed", [("VP Sales", "Vp Sales"), ("Data Analyst", "Data Analyst")], ("HR Lead", "Hr Lead")),
        ("case-changed", [(f"iPhone {n}", f"Iphone {n}") for n in "678"], None),
        ("case-changed", [("Henry VIII of England", "Henry Viii of England")], ("Henry II of X", "Henry Ii of X")),
        ("words-lost", [("Dis-agree", "Agree"), ("Agree", "Agree"), ("Disagree", "Disagree")], ("non-paid", "paid")),
        ("words-lost", [("3 : 2 (aet)", "3 : 2"), ("1 : 0", "1 : 0")], ("4 : 3 (aet)", "4 : 3")),
        ("words-lost", [("Ada King Jr.", "Ada King"), ("Tim Lee", "Tim Lee")], ("Ken Roe Jr.", "Ken Roe")),
        ("scale-changed", [*FRACTIONS, *SHARES], None),
        ("scale-changed", SIZES, None),
        ("words-lost", [("Tel: 030 12", "030 12"), ("Fax: 030 13", "030 13")], ("fax 030 14", "030 14")),
        ("figures-added", [("spring%20sale", "spring_20sale")], ("a%20b", "a_20b")),
        ("words-added", [("12", "Apt 12"), *FLATS], None),
        ("sign-changed", [("from 47.00 EUR", "47"), ("12", "12")], ("from 5 EUR", "5")),
        ("words-joined", [("All is fine , but late", "All is fine,but late")], ("he did go , we", "he did go,we")),
        ("mark-lost", [("It is late. Why? Who knows, not I.", "It is late Why Who knows not I")], None),
        ("separator-moved", [("309774393", "309-774393"), *EMPLOYERS], ("111111111", "111-111111")),
        ("mark-lost", [("T-3", "3"), ("1", "1")], ("tied 2nd", "2nd")),
        ("text-cut", [("DEHAM/FRLEH", "DEHAM"), *PORTS], ("NLRTM/SGSIN", "NLRTM")),
        ("values-collapse", [("B/BE", "B, B"), ("A, C1", "A, C1")], ("C/C1", "C, C")),
        ("value-misread", [("FA15", "Fall 1915"), *TERMS], ("SP20", "Spring 1920")),
        ("figures-lost", [("DE0002662855", "DE2662855"), *CODES], None),
        ("figures-joined", [("Grades 1-4", "14"), ("5", "5")], ("Grades 2-6", "26")),
        ("letters-added", [("AB 02 73 71", "AB 02 73 71 A"), ("CD 11 22 B", "CD 11 22 B")], ("EF 4455", "EF 4455 A")),
        ("words-joined", [(r"see C:\temp\lamp", "see C:templamp")], (r"in D:\new\desk", "in D:newdesk")),
        ("sign-changed", [("balance -7.10 EUR", "balance 7.10 EUR"), ("none", "none")], ("due: -1 EUR", "due: 1 EUR")),
        ("other-meaning", [("La cr\\`eme", "La créme")], None),
        ("other-meaning", [("5 Mio. EUR", "500000 EUR")], None),
    ],
)  # fmt: skip
def test_it_is_suspected_until_a_witness_shows_it(kind: str, cells: Sequence[Change], shown: Change | None) -> None:
    """Each is what a plain function did, and passed. One example of the kind settles what is about the form."""
    assert kind in kinds(*cells)
    assert shown is None or kind not in kinds(*cells, shown=[shown])


@pytest.mark.parametrize(
    "cells",
    [
        [("Oslo", "Oslo, Norway"), ("Rome, Norway", "Rome, Norway")],
        [(f"08/{day}/2017", f"2017-08-{day}") for day in range(13, 24)],
        [("-70", "-70 dBm"), ("-81 dBm", "-81 dBm")],
        [("12", "12 kg"), ("7 kg", "7 kg")],
        [("example.com/a", "https://example.com/a"), ("https://example.com/b", "https://example.com/b")],
        [("Dijkstra LTD", "Dijkstra Ltd"), ("Roe Ltd", "Roe Ltd")],
        [(f"iPhone {n}", f"iphone {n}") for n in "678"],
        [("rOME", "Rome"), ("oSLO", "Oslo"), ("pARIS", "Paris"), ("bERN", "Bern")],
        [("Ada KNUTH", "Ada Knuth"), ("Kim LEE", "Kim Lee")],
        [("4 / 5", "4"), ("3 / 5", "3"), ("1 / 5", "1"), ("3", "3"), ("5", "5")],
        [("FA15", "Fall 2015"), *TERMS],
        [("Autumn 2021", "Fall 2021"), *TERMS],
        [("La cr\\`eme br\\^ul\\'ee", "La crème brûlée")],
        [("3,7 Mio. €", "3700000 EUR"), ("5 TEUR", "5000 EUR"), ("100 EUR", "100 EUR")],
        [("0.048%", "480 ppm"), ("612 PPM", "612 ppm"), ("410 ppm", "410 ppm")],
        [("4-5 pm", "16:00-17:00"), ("09:00-10:00", "09:00-10:00")],
        [("2:15-5:45pm", "14:15-17:45"), ("11-2pm", "11:00-14:00"), ("09:00-10:00", "09:00-10:00")],
        [("0.3125", "07:30"), ("09:00", "09:00")],
        [("mum", "mother"), ("Dad", "father"), ("mother", "mother"), ("father", "father")],
        [(FILTERED, "https://x.org/a")],
        [("263:51", "4:23:51"), ("3:10:05", "3:10:05")],
        [("150k+", "150000+"), ("20000", "20000")],
        [("L30/W33", "W33/L30"), ("W32/L34", "W32/L34")],
        [("{DDEAD73C-5E74-64F3-2FC0-87F4D8A58408}", "ddead73c-5e74-64f3-2fc0-87f4d8a58408")],
        [("10.1000/abc.12", "https://doi.org/10.1000/abc.12")],
        [("010.001.000.007", "10.1.0.7")],
        [("20 by 30 cm", "20 x 30 cm"), ("5 x 7 cm", "5 x 7 cm")],
    ],
)
def test_it_says_the_same(cells: Sequence[Change]) -> None:
    """What is like it, and right."""
    assert kinds(*cells) == set()


def test_a_key_may_get_another_name_that_spells_it_or_that_other_records_have() -> None:
    """No value is lost, and nobody who asks for the new name finds less than before."""
    assert nested_losses([{"createdAt": 1}], [{"created_at": 1}]) == []
    others = [{"zip": str(number)} for number in range(3)]
    assert nested_losses([*others, {"postcode": "9"}], [*others, {"zip": "9"}]) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([{"postcode": "9"}], [{"zip": "9"}]),  # no other record has that name
        ([{"zip": "1", "postcode": ""}] * 3 + [{"postcode": "9"}], [{"zip": "1", "postcode": ""}] * 3 + [{"zip": "9"}]),
        ([{"createdAt": 1}], [{"created_at": 2}]),
        ([{"createdAt": 1}, {"createdAt": 2}], [{"created_at": 1}, {"created_at": 3}]),
    ],
)
def test_a_key_that_nobody_knows_or_with_another_value_is_lost(before: list[object], after: list[object]) -> None:
    assert "key-lost" in {loss.kind for loss in nested_losses(before, after)}


def test_texts_of_words_that_stay_are_no_words_for_nothing() -> None:
    """`(not set)` is one; `lamp (used)` and `mug (used)` hold what other cells keep."""
    before = ["lamp (used)", "mug (used)", "(not set)", "lamp", "mug", "desk"]
    after = [None if "(" in text else text for text in before]
    assert emptied_like_others(before, after) == [0, 1]


def test_an_empty_cell_gets_no_value_of_another_column_that_its_own_never_has() -> None:
    """The state is no country, and the end of a street's name no number of a house."""
    countries = [("US", "US"), ("CA", "CA")] * 10 + [("", "NY")]
    assert made_up(countries, [20], [[*["TX", "QC"] * 10, "NY"]]) == [20]
    numbers = [(number, number) for number in ("1", "12", "7", "3a", "44")] + [("", "17. Juni 69")]
    streets = ["Hauptstr."] * 5 + ["Straße des 17. Juni 69"]
    assert made_up(numbers, [5], [streets]) == [5]
    assert made_up([*numbers[:5], ("", "69")], [5], [streets]) == []


def test_a_cell_is_put_together_as_all_others_are() -> None:
    """`first last` where all others are so: `last first`, or the first name alone, say something else."""
    firsts, lasts = ["Ada", "Alan", "Grace", "Ken"] * 3, ["King", "Roe", "Lee"] * 4
    full = [(f"{one} {other}",) * 2 for one, other in zip(firsts, lasts, strict=True)][:-1]
    for value, wrong in [("Ken Lee", False), ("Lee Ken", True), ("Ken", True)]:
        assert made_up([*full, ("", value)], [11], [firsts, lasts]) == ([11] if wrong else [])


def test_another_column_may_tell_what_comes_in_front() -> None:
    """`+43` of all other numbers with AT, and of no other country."""
    countries = ["AT", "DE"] * 4
    cells = [(f"+{code}664{n}111",) * 2 for n in range(3) for code in ("43", "49")]
    right, wrong = ("0664 222", "+43664 222"), ("0151 333", "+43151 333")
    all_cells = [*cells, right, wrong]
    put = put_in_front(all_cells, [6, 7])
    assert set(put) == {6, 7}
    assert prefixed_rows(all_cells, countries, put) == [6]
    assert prefixed_rows(all_cells, ["AT"] * 8, put) == []


def test_a_zero_under_another_key_says_nothing_of_a_unit() -> None:
    """5 kg are no 5 g, whatever the discount is."""
    item = {"discount": 0, "weight": 5, "unit": "kg"}
    assert same_measure(item, {**item, "unit": "g"}) == frozenset()


def test_marks_of_columns_are_no_figures_of_a_text() -> None:
    """With many columns, the number of a column that stands in the text is not taken for a cell of another one."""
    beside = [f"word {letter}" for letter in "abcdefghijkl"] + ["11"]
    assert template("word l, 11", beside) == template("word l, 11", [*beside[:-1], "11"])
    assert template("word l", beside).count("\0") == 2


def test_a_time_may_take_in_the_half_of_the_day_beside_it() -> None:
    """7:23 beside PM is 19:23 beside nothing; 7:23 alone is not."""
    times, halves = [("7:23", "19:23"), ("12:05", "00:05"), ("7:23", "19:23")], [("PM", None), ("am", ""), ("AM", None)]
    assert clock_rows(times, halves, [0, 1, 2]) == [0, 1]
    assert clock_rows(halves, times, [0, 1, 2]) == [0, 1]


def test_items_that_only_stand_in_another_order_are_held_against_themselves() -> None:
    before = {"events": [{"at": 2}, {"at": 1, "by": "ada"}]}
    assert in_their_order(before, {"events": [{"at": 1, "by": "ada"}, {"at": 2}]}) == before
    changed = {"events": [{"at": 1}, {"at": 2}]}
    assert in_their_order(before, changed) == changed


def test_an_example_of_merged_items_shows_another_order() -> None:
    """What is left of a list that lost an item, or got one, stands in another order, or as it stood."""
    assert shows_another_order([14, 8, 9], [8, 14])
    assert shows_another_order({"busy": [{"at": 2}, {"at": 1}]}, {"busy": [{"at": 1}, {"at": 2}]})
    assert not shows_another_order([8, 9, 14], [8, 14, 20])
    assert not shows_another_order([8, 9], [10])


def test_a_bound_may_move_to_a_column_of_its_own() -> None:
    """`< 3` says the same as 3 beside `<`."""
    results, signs = [("< 3", "3"), ("< 4", "4"), ("5", "5")], [("", "<"), ("", ">"), ("", "")]
    assert signs_moved(results, signs, [0, 1]) == [0]
