"""What the other cells or a witness say for a change: each belief with the right change and a wrong one beside it."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.equivalence import Equivalence, Known
from orchestrator.gate.information.null_tokens import stands_for_missing
from orchestrator.gate.information.shown import alike
from orchestrator.gate.information.suspicions import suspicions


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


def stay(*texts: str) -> list[Change]:
    return [(text, text) for text in texts]


CASES = stay("2012-cv-00345", "2011-cv-01200", "2019-cr-00017", "2015-cv-00020")
CODES = stay("E11.9", "I25.10", "A10.1")
RANGE = stay("E11-E14", "B20", "J45.9", "K21.1", "M54.2", "F32.1", "L20.8")
GROUPED = [("4.500,00", "4500.00"), ("12,50", "12.50")]
FEET = stay("6'2", "5'9", "6'0")
ABROAD = [(f"+49 30 123456{n}", f"+4930123456{n}") for n in range(7)]
RUSSIAN = stay("+79161234567", "+79031234568", "+74951234569", "+79267654321")
MOSTLY = [*ABROAD, ("+43 1 1234567", "+4311234567"), ("+44 20 79460018", "+442079460018")]
MAILS = [("Call me.\nSent from my iPhone", "Call me.")]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ([*CASES, ("12-CV-345", "2012-cv-00345")], [*CASES, ("12-CV-345", "2012-cv-00354")]),
        ([*CASES, ("13-CV-7", "2013-cv-00007")], [*CASES, ("13-CV-7", "1913-cv-00007")]),
        ([*CASES, ("12 CR 19", "2012-cr-00019")], [*CASES, ("12 CR 19", "2012-cv-00019")]),
        ([*CODES, ("S72001", "S72.001")], [*CODES, ("S72001", "S7.2001")]),
        ([*CODES, *RANGE, ("S72409A", "S72.409A")], [*CODES, *RANGE, ("S72409A", "S72.49A")]),
        ([("+1 909 915 0334", "(909) 915-0334")], [("+1 909 915 0334", "(909) 915-0344")]),
        ([*RUSSIAN, ("8 (912) 345-67-89", "+79123456789")], [*RUSSIAN, ("8 (912) 345-67-89", "+79123456798")]),
        ([*RUSSIAN, ("89123456789", "+79123456789")], [*RUSSIAN, ("89123456789", "+789123456789")]),
        ([("\u20138,3", "-8.3"), ("7,5", "7.5")], [("\u20138,3", "8.3"), ("7,5", "7.5")]),
        ([("1-909-915-0334", "909-915-0334")], [("44 909 915 0334", "909-915-0334")]),
        ([("Setiembre", "09"), ("ene", "01")], [("Setiembre", "10"), ("ene", "01")]),
        ([("Herr", "M"), ("Frau", "F")], [("Herr", "F"), ("Frau", "M")]),
        ([*GROUPED, ("7.250", "7250")], [*GROUPED, ("7.250", "72500")]),
        ([*FEET, ("5'11", "71 in")], [*FEET, ("5'11", "61 in")]),
        ([('12"', "30.48 cm")], [('12"', "36.58 cm")]),
        ([("1'005", "1005"), *stay("5", "7")], [("1'005", "105"), *stay("5", "7")]),
        ([("1'234", "1234"), *stay("5", "7")], [("1'234", "246"), *stay("5", "7")]),
        ([("1’234.50", "1234.5"), *stay("12.5", "7")], [("1’234.50", "12345.0"), *stay("12.5", "7.25")]),
        ([("CHF 1’234.50", "1234.50")], [("CHF 1’234.50", "12.3450")]),
        ([("FY2023/24", "2024"), *stay("2023", "2022")], [("FY2023/24", "2023"), *stay("2023", "2022")]),
        ([("FY2023-2024", "FY2024"), *stay("FY2023")], [("FY2023-2024", "FY2025"), *stay("FY2023")]),
        ([("12.IV.2020", "2020-04-12")], [("12.IV.2020", "2020-05-12")]),
        ([("3-XII-1999", "1999-12-03")], [("3-XII-1999", "1999-11-03")]),
        ([*MOSTLY, ("030 7654321", "+49307654321")], [*MOSTLY, ("030 7654321", "+43307654321")]),
        ([("03.2010", "2010-03"), ("3/2011", "2011-03")], [("03.2010", "2010-04"), ("3/2011", "2011-03")]),
        ([("0 positiv", "0+"), ("A neg.", "A-")], [("0 negativ", "0+"), ("A neg.", "A-")]),
        ([("https://doi.org/10.1000/a.5.", "10.1000/a.5")], [("https://doi.org/10.1000/a.5.", "10.1000/a.6")]),
        ([("0.04 in", "1.0"), ("1 in", "25.4")], [("0.04 in", "0.0"), ("1 in", "25.4")]),
        ([("Schulstr.13", "Schulstraße 13")], [("Schulstr.13", "Schulstraße 31")]),
        ([("0.1 cm", "1.0"), ("1.5 cm", "15.0")], [("0.1 cm", "0.0"), ("1.5 cm", "15.0")]),
        ([("12 m b.s.l.", "-12"), ("5", "5")], [("12 m a.s.l.", "-12"), ("5", "5")]),
        ([("1620052205123", "2021-05-03T14:30:05.123Z")], [("1620052205123", "2021-05-03T14:30:05.321Z")]),
        ([(1067.0, "01067"), *stay("10115", "60311", "80331")], [(1067.0, "1067"), *stay("10115", "60311", "80331")]),
    ],
)
def test_the_form_that_others_show_is_believed(right: list[Change], wrong: list[Change]) -> None:
    """The right change needs no witness; one that looks like it and says something else is suspected."""
    assert kinds(right) == set()
    assert kinds(wrong)


@pytest.mark.parametrize("end", ["Sent from my iPad", "sent from my Galaxy Tab 5", "Sent  from my\nnew telephone."])
def test_an_end_that_begins_as_a_shown_one_may_go(end: str) -> None:
    """Only with the end that the witness shows, at its place, and without a word of the text itself."""
    text = "Thanks, Ken. See you at 5!"
    assert alike((f"{text}\n{end}", text), MAILS[0])
    assert not alike((f"{text}\n{end}", text[:-1]), MAILS[0])
    assert not alike((f"{text}\nSee you, {end}", text), MAILS[0])
    assert not alike((f"{text}{end}", text), MAILS[0])
    assert not alike((f"\n{end}", ""), MAILS[0])


def test_each_word_of_a_name_is_a_slip_of_its_own() -> None:
    """One letter that is lost makes no South of a North, however long the names are."""
    names = ("University of North Texas", "University of South Texas", "Texas State University")
    known = Equivalence(stay(*names)).known
    assert known("Univesity of North Texas", names[0]) is Known.SAME
    assert known("Univesity of North Texas", names[1]) is not Known.SAME


def test_what_is_known_to_be_another_thing_may_be_shown_by_a_form_that_is_not_known() -> None:
    """The 30th of February is no day, and shows how the 28th is meant; a witness of another form shows nothing."""
    cells = [("28.02.2020", "2020-03-01")]
    assert "other-meaning" in kinds(cells)
    assert "other-meaning" not in kinds(cells, [("30.02.2020", "2020-03-01")])
    assert "other-meaning" in kinds(cells, [("30 Feb 2020", "2020-03-01")])


@pytest.mark.parametrize(("number", "stands"), [(2147483647, False), (9223372036854775807, False), (2147483646, True)])
def test_the_largest_numbers_of_computers_stand_for_nothing(number: int, stands: bool) -> None:
    """They are what is left where a number was missing; the one below is a number."""
    assert stands_for_missing(number) is not stands


def test_a_sign_that_is_both_figure_and_letter_is_no_part_of_a_form() -> None:
    """A small two in a code has the layout of the figures beside it, and is another part: nothing is believed."""
    clean = stay("12-3a", "45-6b", "78-9c")
    assert kinds([*clean, ("1\u00b2-3A", "1\u00b2-3a")]) == set()
    assert kinds([*clean, ("1\u00b2-3A", "1\u00b2-4a")])


def test_stamps_may_go_from_the_beginning_of_lines() -> None:
    """The date that is left in a line is the one that stood there; a line that has another one is suspected."""
    before = "16.07.22, 19:16 - Ada: from 13.12.20 on\n25.03.23, 13:47 - Tim: ok"
    stamps_gone = [(before, "Ada: from 13.12.20 on\nTim: ok"), ("16.07.22, 19:16 - Margaret: yes", "Margaret: yes")]
    assert not kinds(stamps_gone) & {"value-misread", "value-changed"}
    assert "value-misread" in kinds([(before, before.replace("13.12.20", "2020-11-13"))])


@pytest.mark.parametrize(
    ("before", "after", "held"),
    [
        ("QHGCM82633AO04352", "0HGCM82633A004352", False),
        ("IHGCM82633A004352", "1HGCM82633A004352", False),
        ("1HGSM82633A004352", "1HG5M82633A004352", True),
    ],
)
def test_numbers_of_vehicles_hold_no_letters_that_look_like_figures(before: str, after: str, held: bool) -> None:
    """O and I are slips in each place of a number that cannot hold them, where enough others are such; S is none."""
    stay = [(code, code) for code in (f"WVWZ{letter}Z1K{n}AW00{n}123" for n, letter in enumerate("ABCDEFGH", 1))]
    assert bool(suspicions([(before, after), *stay], [])) is held
    assert suspicions([(before, after), *stay[:4]], [])


def test_examples_of_grades_hold_no_other_grade() -> None:
    """D- is 0.7 as A is 4.0, whether somebody shows the one or not."""
    grades = [("A", "4.0"), ("B+", "3.3"), ("F", "0.0"), ("D-", "0.7"), ("A-", "3.7")]
    cells = [*grades, *((other, other) for _, other in grades)]
    assert suspicions(cells, []) == []
    assert suspicions(cells, grades[:3]) == []
