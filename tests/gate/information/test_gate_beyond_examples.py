"""What a user's examples do not show: other cells that they do not speak for are judged as if there were none."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.kept_of_text import build
from orchestrator.gate.information.suspicions import suspicions

PHONE = ("1235550102", "(123) 555-0102")
OTHER_PHONE = ("4255550199", "(425) 555-0199")


def concerns(change: Change, shown: Sequence[Change]) -> set[str]:
    cells = [change, *shown]
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("shown", "wrong", "right"),
    [
        ([PHONE], ("4251239876", "(425) 123-9877"), "(425) 123-9876"),
        ([PHONE, OTHER_PHONE], ("8332213215", "(123) 555-0102"), "(833) 221-3215"),
        ([("03_2005_XXX.xls", "03/01/2005")], ("04_2015_rrrrr.xls", "04/01/2016"), "04/01/2015"),
        ([("19851231", "Dec 31, 1985")], ("20110301", "Mar 01, 2012"), "Mar 01, 2011"),
        ([("1:00 PM", "1300")], ("11:00 PM", "2301"), "2300"),
        ([("III", "3")], ("VI", "4"), "6"),
        ([("5 km", "3.10685596 mile")], ("1349 km", "83.8229738 mile"), "838.229739 mile"),
        ([("20%", "0.2"), ("15%", "0.15")], ("-5%", "0.05"), "-0.05"),
        ([("1 l", "1000 ml"), ("0.5 l", "500 ml")], ("ca. 0.7 l", "700 ml"), "ca. 0.7 l"),
        ([("2 kg", "2000 g"), ("1.5 kg", "1500 g")], ("2-6 kg", "6000 g"), "2-6 kg"),
        ([("8-16:30", "08:00-16:30"), ("9 – 17", "09:00-17:00")], ("06:30-17:15", "06:00-17:15"), "06:30-17:15"),
        ([("30 days net", "net 30"), ("n/60", "net 60")], ("2/10 net 30", "net 30"), "2/10 net 30"),
        ([("Lab", "Labour"), ("CON", "Conservative")], ("Labour (Leeds)", "Labour"), "Labour (Leeds)"),
        ([("BLK", "black"), ("RED", "red")], ("BLK/WHT", "black"), "BLK/WHT"),
        ([("TV|pool", "tv, pool"), ("Wi-Fi", "wifi")], ("wifi, balcony", "wifi"), "wifi, balcony"),
        ([("Autorin", "aut"), ("Hrsg.", "edt")], ("Autor", "edt"), "aut"),
        ([("Verfasser(in)", "aut"), ("Hrsg.", "edt")], ("Verfasserin", "edt"), "aut"),
        ([("C 10.71", "10.71")], ("C 27.4", "27.04"), "27.4"),
        ([("75-425165//r75", "75425165")], ("96852397/AC/r98", "96852379"), "96852397"),
    ],
)
def test_a_wrong_cell_beside_right_examples_is_held(shown: Sequence[Change], wrong: Change, right: str) -> None:
    """Where an example shows how cells of a build are said, one that is said otherwise waits; the right one passes."""
    assert concerns(wrong, shown)
    assert not concerns((wrong[0], right), shown)


@pytest.mark.parametrize(
    ("shown", "change"),
    [
        ([("FL350", "35000")], ("FL064", "6400")),
        ([("350p", "£3.50"), ("£12", "£12.00")], ("46p", "£0.46")),
        ([("500 g", "0.5 kg"), ("1.5 t", "1500 kg")], ("4 t", "4000 kg")),
        ([("30 mpg", "7.8"), ("6.5 L/100 km", "6.5")], ("22 mpg", "10.7")),
        ([("0612345678", "+33612345678")], ("0985442405", "+33985442405")),
        ([("2.431", "2.4"), ("1.58", "1.6")], ("23.45", "23.5")),
        ([("3 pairs", "6"), ("12 ind.", "12")], ("8 pairs", "16")),
        ([("/blog/index.html", "/blog"), ("/shop/lamp/", "/shop/lamp")], ("/index.html", "/")),
        ([("Knuth (née Hopper)", "Knuth")], ("Perlman (née Smith-Roe)", "Perlman")),
        ([("10 c.t.", "10:15"), ("14:00 c.t.", "14:15")], ("15 ct", "15:15")),
        ([("2 MB", "2048 KB"), ("1.5 GB", "1572864 KB")], ("76 MB", "77824 KB")),
        ([("3 x 10 tablets", "30 tablets")], ("5×10 tablets", "50 tablets")),
        ([("MÜLLER Anna", "Anna Müller"), ("VAN DIJK Tom", "Tom Van Dijk")], ("ROOT Ida Eva", "Ida Eva Root")),
        ([("35mm 90 ft", "1:00"), ("16mm, 400 ft", "11:07")], ("16mm, 1489 ft", "41:22")),
        ([("C 10.71", "10.71"), ("1071", "10.71")], ("C.27.4", "27.4")),
        ([("101-7", "101-0007"), ("S101-0007", "101-0007")], ("S127-99", "127-0099")),
    ],
)
def test_what_the_examples_show_passes(shown: Sequence[Change], change: Change) -> None:
    """Other lengths, other units with their own factor, rounding and ends that go are no other change."""
    assert not concerns(change, shown)


def test_a_time_is_moved_as_far_as_an_example_shows() -> None:
    """Three hours later is shown of every time, over noon and midnight; another span is not, but for summer's hour."""
    shown = [("9:41 PM, Aug 17, 2015", "12:41 AM, Aug 18, 2015")]
    assert not concerns(("10:00 AM, Mar 20, 2015", "1:00 PM, Mar 20, 2015"), shown)
    assert not concerns(("10:00 AM, Mar 20, 2015", "2:00 PM, Mar 20, 2015"), shown)
    assert concerns(("10:00 AM, Mar 20, 2015", "7:00 AM, Mar 20, 2015"), shown)
    clock = [("1:00 AM", "4:00 AM"), ("11:30 PM", "2:30 AM")]
    assert not concerns(("10:00 AM", "1:00 PM"), clock)
    assert concerns(("10:00 AM", "2:00 PM"), clock)


def test_one_duration_shows_nothing_of_another() -> None:
    """Minutes and seconds that get hours are no time of day that moves."""
    assert not concerns(("8:34", "0:08:34"), [("12:05", "0:12:05")])


@pytest.mark.parametrize(
    ("shown", "wrong", "right"),
    [
        ([(20, 0.2), (15, 0.15)], (40, 4.0), 0.4),
        ([(68.0, 20.0), (50.0, 10.0)], (74.7, 24.0), 23.7),
    ],
)
def test_numbers_change_as_two_examples_show(
    shown: Sequence[tuple[float, float]], wrong: tuple[float, float], right: float
) -> None:
    """Two examples show the factor or the scale of a column of numbers; one alone does not."""
    assert concerns(wrong, shown)
    assert not concerns((wrong[0], right), shown)
    assert not concerns(wrong, shown[:1])


@pytest.mark.parametrize("wrong", [(3.14, 31.4), (-446.55, 0.0), (84.73, 80.0), (3346.15, -3346.2)])
def test_one_number_shows_that_it_is_rounded(wrong: tuple[float, float]) -> None:
    """No witness of a rounding speaks for numbers that are cut off at a bound, or become others."""
    assert concerns(wrong, [(1.25, 1.3)])
    assert not concerns((wrong[0], round(wrong[0], 1)), [(1.25, 1.3)])
    assert not concerns((0.5028, 50.3), [(1.25, 1.3)])  # whether shares are on one scale is a question of its own


def test_two_numbers_that_stand_for_none_do_not_speak_for_those_between() -> None:
    """-1 and 999 as 28 say nothing of 30, which is nearer to 28; another number beyond them may stand for none, too."""
    shown = [(-1, 28), (999, 28)]
    assert concerns((30, 28), shown)
    assert not concerns((9999, 28), shown)


@pytest.mark.parametrize(
    ("shown", "wrong", "right"),
    [
        ((20.0, 0.2), (-5.0, 0.05), -0.05),
        ((20.0, -20.0), (841.59, -842.0), -841.59),
    ],
)
def test_one_number_shows_its_sign_and_that_it_keeps_its_size(
    shown: tuple[float, float], wrong: tuple[float, float], right: float
) -> None:
    """A refund that becomes negative says nothing of one that is rounded, too."""
    assert concerns(wrong, [shown])
    assert not concerns((wrong[0], right), [shown])


def test_a_side_of_the_earth_says_minus_with_or_without_a_blank() -> None:
    """`W 70.5` as -70.5 shows `W141.128`; a letter of a code is no side."""
    shown = [("W 70.5", "-70.5")]
    assert not concerns(("W141.128", "-141.128"), shown)
    assert concerns(("W14", "-14"), [("E 70", "70")])
    assert concerns(("E141.128", "-141.128"), shown)


def test_figures_that_stay_together_are_not_shown_to_go() -> None:
    """A phone number that loses its brackets says nothing of an extension that goes."""
    shown = [("(11) 91234-5678", "+5511912345678"), ("011 3234-5678", "+551132345678")]
    assert concerns(("(14) 3155-6159 ramal 52", "+551431556159"), shown)
    assert not concerns(("(14) 3155-6159", "+551431556159"), shown)


def test_a_range_is_no_number() -> None:
    """Ages that become months say nothing of `3-5 years` as 60."""
    shown = [("2y 3m", "27"), ("18 months", "18"), ("1.5 years", "18")]
    assert concerns(("3-5 years", "60"), shown)
    assert not concerns(("3-5 years", "60"), [*shown, ("1-2 years", "24")])


def test_examples_of_no_one_way_show_no_number_to_be_wrong() -> None:
    """Years of two centuries, a number that two factors give: what the examples have not in common, they do not ask."""
    shown = [(16, 2016), (70, 1970), (5, 500)]
    assert not concerns((99, 1999), shown)


@pytest.mark.parametrize("texts", [("aa 5", "k g 5"), ("y 5", "2015 5"), ("a 5", "may 5"), ("aa", "a a")])
def test_texts_of_other_parts_are_of_another_build(texts: tuple[str, str]) -> None:
    """One word is not two, and no year: an example of the one had ended the judge at the other."""
    for one, other in (texts, texts[::-1]):
        concerns((one, "x 7"), [(other, "x 5")])
    assert build(texts[0]) != build(texts[1])


@pytest.mark.parametrize(
    ("changed", "shown"),
    [
        (("6.3.9.3", "6.3.9"), (("v1.2", "1.2.0"), ("V1.2.3", "1.2.3"))),
        (("1:19 000, 1:88 000", "1:19000"), (("1:25 000", "1:25000"), ("1 inch to 2 miles", "1:126720"))),
        (("error?", "ERROR"), (("warn", "WARNING"), ("e", "ERROR"))),
    ],
)
def test_a_part_that_no_example_loses_is_not_lost(changed: Change, shown: tuple[Change, ...]) -> None:
    """A number of a version, an item of a list, the mark of a doubt."""
    stay = (changed[1], changed[1])
    assert suspicions([changed, stay], shown)
    assert not suspicions([changed, stay], [*shown, changed])


def test_what_an_example_shows_hides_no_other_cell_that_is_misread() -> None:
    """30 February of an example's own is believed; the 31st of another month is seen."""
    shown = [("30 Feb 2021", "2021-02-30")]
    cells = [*shown, ("31 Apr 2021", "2021-04-31"), ("2021-03-05", "2021-03-05")]
    assert {one.kind for one in suspicions(cells, shown)} >= {"value-misread"}
    assert suspicions([*shown, cells[-1]], shown) == []


def test_codes_lose_other_signs_than_an_example_shows() -> None:
    """Who writes codes without blanks writes them without hyphens, though other cells keep theirs."""
    stay = [(f"5493-001{n}-IIGC-8Y1R-13",) * 2 for n in range(5)]
    change = ("7LTW-FZYI-CNSX-8D62-1K86", "7LTWFZYICNSX8D621K86")
    shown = [("5493 001K JTII GC8Y 1R12", "5493001KJTIIGC8Y1R12")]
    assert {one.kind for one in suspicions([*stay, change])} == {"mark-lost"}
    assert suspicions([*stay, change, *shown], shown) == []
    shown, stay = [("85-2", "85000002"), ("n 78890351", "n78890351")], [(f"n{n}1-212{n}",) * 2 for n in range(5)]
    assert suspicions([*stay, ("n91-516130", "n91516130"), *shown], shown) == []
    assert suspicions([*stay, ("3-5 years", "60"), *shown], shown)


@pytest.mark.parametrize(
    ("change", "stay", "held"),
    [
        (("05/12/45", "05/12/2045"), (1931, 1960, 2002), True),
        (("05/12/45", "05/12/1945"), (1931, 1960, 2002), False),
        (("05/12/71", "05/12/1971"), (1980, 2000, 2075), False),
        (("05/12/45", "05/12/2045"), (2010, 2030, 2060), False),
    ],
)
def test_a_bound_between_centuries_is_not_shown_where_the_column_denies_it(
    change: Change, stay: Sequence[int], held: bool
) -> None:
    """That 71 is 1971 and 01 is 2001 says nothing of 45 in a column of births; of 71 and above it does."""
    shown = [("05/12/71", "05/12/1971"), ("03/04/01", "03/04/2001")]
    others = [(f"07/08/{year}",) * 2 for year in stay]
    later = (change[0].replace("71", "72"), change[1].replace("71", "72"))
    assert bool(suspicions([later, *others], shown)) is held


@pytest.mark.parametrize(
    ("shown", "change"),
    [
        ([("Ann,Bob,Cy", "Ann, Bob, Cy")], ("Cy,Bob,Ann", "Ann, Bob, Cy")),
        ([("flour;salt", "flour; salt")], ("sugar;flour;salt", "flour; salt; sugar")),
    ],
)
def test_parts_in_another_order_are_held_where_examples_keep_theirs(shown: list[Change], change: Change) -> None:
    """A rank or an ingredient has its place; without an example, or with one of another order, lists may be sorted."""
    kept = (change[0], change[0].replace(",", ", ").replace(";", "; "))
    assert concerns(change, shown) == {"order-changed"}
    assert not concerns(kept, shown)
    assert not concerns(change, [])
    assert not concerns(change, [*shown, ("Li,Bo", "Bo, Li")])
