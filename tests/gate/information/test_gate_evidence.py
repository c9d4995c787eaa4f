"""Changed cells still say what they said: sign, size, figures and words."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.gate.information.reinterpretation import misread
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.value_loss import _whole_groups, lost

DAYS_FIRST = [("28/08/2018", "2018-08-28"), ("20/05/2007", "2007-05-20")]


@pytest.mark.parametrize(
    "changes",
    [
        [("1500 g", "1.5"), ("900 g", "0.9"), ("50 g", "0.05"), ("7000 g", "7"), ("12 kg", "12")],
        [("50F", "10.0 °C"), ("212F", "100.0 °C"), ("32F", "0.0 °C"), ("77F", "25.0 °C"), ("-4 C", "-4.0 °C")],
        [("$1,234.50", "1234.50"), ("(12.50)", "-12.50"), ("12.50-", "-12.50"), ("1.234,50 €", "1234.50")],
        [("22.06° S", "-22.06"), ("55.36 N", "55.36"), ("85k", "85000"), ("2.6 million", "2600000")],
        [("(6)", "6"), ("no. 4", "4"), ("ab-1196", "AB-1196"), ("AB1197", "AB-1197"), ("'19", "2019")],
        [("19", "2019"), ("98", "1998"), ("20", "2020"), ("75", "1975"), ("501", "00501")],
        [("(555) 123-4567", "+15551234567"), ("5551234567", "+15551234567"), ("1-555-123-4567", "5551234567")],
        [("021.199.105.085", "21.199.105.85"), ("25/12/2020", "2020-12-25"), ("555-1234 x12", "555-1234")],
        [("California", "CA"), ("Texas", "TX"), ("New York", "NY"), ("male", "M"), ("Mr Tim Roe", "Tim Roe")],
        [("0.059000000000000004%", "0.059"), ("0.07200000000000001%", "0.00072"), ("0.052%", "0.052")],
        [("0,22", "0.22"), ("0,579", "0.579"), ("12,5", "12.5"), ("1,234", "1.234"), ("48,0", "48.0"), ("7,3", "7.3")],
        [
            ("1.234,50 \u20ac", "1234.50"),
            ("1.234 \u20ac", "1234"),
            ("9,90 \u20ac", "9.90"),
            ("1,234", "1234"),
            ("0,5", "0.5"),
        ],
        [("12 oz", "355 ml"), ("16 oz", "454 g"), ("5 lb", "2.3 kg"), ("2 L", "2000 ml"), ("1 gal", "3.8 l")],
        [("90 min", "1.5"), ("2 h", "2"), ("45 min", "0.75"), ("30m", "30"), ("3m", "3000000"), ("2,375 l", "2.375")],
        [
            ("6 ft", "183"),
            ("180 cm", "180"),
            ("1.75 m", "175"),
            ("'19", "2019"),
            ("14 h", "2 pm"),
            ("3600 sec", "60"),
            ("5 in.", "12.7"),
        ],
        [("20 \u00b0C", "68 \u00b0F"), ("-4 \u00b0F", "-20 \u00b0C"), ("12kg", "12 kg"), ("1.500 kg", "1.5 kg")],
        [(5, -6), (-5, None), (True, False), (0.0, -0.0), (float("nan"), 1.0)],
        [("68%", "0.68"), ("7%", "0.07"), ("130.0", "130"), ("4.5/5", "4.5"), ("12-19", "12\u201319")],
    ],
)
def test_cleaning_leaves_the_evidence(changes: list[tuple[object, object]]) -> None:
    """Units, signs in another notation, prefixes, separators and abbreviations lose nothing."""
    assert lost(changes) is None


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ([("(12.50)", "12.50")], "sign"),
        ([("-3.25 kg", "3.25 kg"), ("-7", "7")], "sign"),
        ([("$1,234.50", "123450")], "decimal mark"),
        ([("12,5", "125"), ("0,22", "0.22")], "decimal mark"),
        ([("85k", "85000000"), ("1.2M", "1200")], "thousands"),
        ([("07010", "701")], "figures"),
        ([("500 g", "5"), ("250 g", "2.5")], "quantity"),
        ([("5 mi", "5 km")], "quantity"),
        ([("6'1\"", "29")], "quantity"),
        ([("1h 30m", "61")], "quantity"),
        ([("12 kg", "12"), ("500 g", "500")], "one unit"),
        ([("20 \u00b0C", "52 \u00b0F")], "temperature"),
        ([(3, 3.5), (-5.0, 5.0)], "sign"),
        ([("+15551234567", "+1555123467")], "figures"),
        ([("1 kg", "1"), ("2 kg", "2"), ("3 kg", "3"), ("4 kg", "40"), ("5 kg", "5")], "converted"),
        (
            [(f"{word} one", f"{word[:-2]} one") for word in ("lamps", "desks", "vases", "mugs", "clocks", "rugs")],
            "letters",
        ),
    ],
)
def test_damage_is_seen(changes: list[tuple[object, object]], word: str) -> None:
    """A lost sign, a lost decimal mark, lost figures, an odd conversion and words without their letters."""
    found = lost(changes)
    assert found is not None
    assert word in found[0]


@pytest.mark.parametrize(
    "cells",
    [
        [("03/04/2021", "2021-03-04"), ("03/25/2021", "2021-03-25"), ("4 Mar 2021", "2021-03-04")],
        [("03.04.2021", "2021-04-03"), ("25.03.2021", "25.03.2021"), ("43831", "2020-01-01")],
        [("1600000000", "2020-09-13T12:26:40Z"), ("1600000000000", "2020-09-13 14:26:40"), ("9:05 pm", "21:05")],
        [("yes", "1"), ("N", "0"), ("y", "1"), ("N/A", ""), ("\u0434\u0430", "1"), ("nein", "0")],
        [("F", "1"), ("M", "0")],
        [("enabled", "no"), ("disabled", "yes")],
        [
            ("5 Main St", "5 Main St."),
            ("a;b", "a, b"),
            ("B minus", "B-"),
            ("http://x.org", "http://x.org/"),
            ("Note&#58;", "Note:"),
        ],
        [("5/8/1973", "1973-08-05"), *DAYS_FIRST, ("05/15/2020", "2020-05-15"), ("20140224", "2014-02-24")],
        [("germany", "Germany"), ("DE", "Germany"), ("ES", "Spain"), ("Estonia", "Estonia"), ("WARN", "WARNING")],
    ],
)
def test_meaning_is_kept(cells: list[tuple[str, str]]) -> None:
    """Dates keep their month and day, times are times, spellings become the word that they spell."""
    assert misread(cells) is None


@pytest.mark.parametrize(
    ("cells", "word"),
    [
        ([("03/04/2021", "2021-04-03"), ("03/25/2021", "03/25/2021")], "another month"),
        ([("4 Mar 2021", "2021-04-04")], "another month"),
        ([("5/8/1973", "1973-05-08"), *DAYS_FIRST, ("05/15/2020", "2020-05-15")], "another month"),
        ([("106038", "1060-03-08"), ("20140224", "2014-02-24")], "where its month ends"),
        ([("17 Oct 1973", "1973-17-10")], "calendar"),
        ([("4/5/2020", "2020-05-4"), ("14/5/2020", "2020-05-14"), ("x", "x")], "zero"),
        ([("29 Feb 2021", "2021-02-29")], "calendar"),
        ([("12:30 pm", "24:30")], "clock"),
        ([("43831", "2020-01-02")], "another date"),
        ([("1600000000", "2020-09-23T12:26:40Z")], "another date"),
        ([("Aug 1981", "1981-09")], "another month"),
        ([("9/7/08", "9/7/208")], "calendar"),
        ([("Texas", "T"), ("TX", "TX"), ("CA", "CA")], "last letter"),
        ([("yes", "true"), ("no", "true"), ("off", "false")], "means yes"),
        ([("Rome", "Rome,")], "ends in"),
        ([("germany", "France"), ("Germany", "Germany"), ("FR", "France")], "another word"),
    ],
)
def test_another_meaning_is_seen(cells: list[tuple[str, str]], word: str) -> None:
    """Swapped days and months, impossible dates and times, and one word for another."""
    found = misread(cells)
    assert found is not None
    assert word in found[0]


def test_a_word_that_is_known_to_say_something_else_is_seen() -> None:
    """Levels of a log stand in a list of known words, which is asked before the spelling."""
    found = suspicions([("WARN", "ERROR"), ("err", "WARNING"), ("WARNING", "WARNING")])
    assert found[0].kind == "other-meaning"


def test_an_example_shows_what_is_wanted() -> None:
    """What an example does is no loss."""
    assert lost([("07010", "701")], [("08010", "801")]) is None
    assert lost([("07010", "701")], [("08010", "08010")]) is not None
    assert lost([(-7, 7)], [(-3, 3)]) is None
    assert lost([(-7, 7)], [(3, 3)]) is not None


@given(st.lists(st.text("0123456789", min_size=1, max_size=4), min_size=1, max_size=6), st.data())
def test_groups_left_whole_are_no_loss(groups: list[str], data: st.DataObject) -> None:
    """Whichever groups of figures a function leaves out, and however it joins the others, none is cut."""
    kept = [group for group in groups if data.draw(st.booleans())]
    assert _whole_groups(groups, ["".join(group.lstrip("0") for group in kept)])


@given(st.lists(st.text("123456789", min_size=2, max_size=4), min_size=1, max_size=6), st.data())
def test_a_group_that_is_cut_is_a_loss(groups: list[str], data: st.DataObject) -> None:
    """What is left is found in no choice of whole groups: tried here by all choices."""
    left = "".join(groups)[: data.draw(st.integers(1, sum(map(len, groups))))]
    whole = {"".join(chosen) for size in range(len(groups) + 1) for chosen in combinations(groups, size)}
    assert _whole_groups(groups, [left]) == (left in whole)


def test_a_minus_before_the_currency_is_one() -> None:
    """Banks write `1.271,90- EUR`: the minus comes in front, and does not get lost."""
    others = [("50,50-", "-50.50"), ("3.271,95", "3271.95"), ("99,12- EUR", "-99.12"), ("3.344,12 EUR", "3344.12")]
    others += [("8,10 EUR", "8.10"), ("11,20 \u20ac", "11.20")]
    assert lost([*others, ("1.271,90- EUR", "-1271.90")]) is None
    assert lost([*others, ("1.271,90- EUR", "1271.90")]) is not None
