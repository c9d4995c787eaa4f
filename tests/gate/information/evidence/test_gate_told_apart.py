"""What tells amounts, codes, numbers and answers apart, and what only writes them otherwise."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.emptied import emptied_like_others
from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.row_evidence.told_prefixes import prefixed_rows, put_in_front
from orchestrator.gate.information.suspicions import suspicions

DOLLARS = [(f"${number}.50", f"{number}.50") for number in (12, 30, 41)]
SHARES = [("3.5%", "3.5"), ("12%", "12"), ("9%", "9")]
PRICES = [(price, price) for price in ("396.65", "10.84", "92.34")]
DOSES = [(f"{number} mg", f"{number} mg") for number in (60, 140, 200, 600, 800)]
CABINS = [(code, code) for code in ("C85", "B6", "E113")]
BARCODES = [(code, code) for code in ("4006381333931", "5012345678900", "4029764001807", "9780306406157")]
NOTES = [(f"Met on {day}.12.2014 in Rome.",) * 2 for day in (17, 25, 31)]
DAYS_FIRST = [(f"{day}/10/2015", f"{day}/10/2015") for day in range(13, 29)]
EITHER = [("28/08/2018", "2018-08-28"), ("05/15/2020", "2020-05-15")]
TAGS = [("new, eco", "new, eco"), ("sale", "sale")]
MILLISECONDS = [(1700000000123 + number, 1700000000123 + number) for number in range(0, 5000, 1000)]
HEIGHTS = [(f"{number} cm", f"{number} cm") for number in (155, 171, 190, 166)]
WEIGHTS = [(f"{number} kg", f"{number} kg") for number in (54, 77, 90)]
AGREED = [("Agree", "4"), ("Strongly disagree", "1"), ("2 - disagree", "2"), ("5", "5")]
ANSWERS = [("yes", "yes"), ("no", "no"), ("1", "yes"), ("0", "no"), ("pending", "pending")]
DEPARTED = [("2127", "21:27"), ("0359", "03:59"), ("718", "07:18")]


def kinds(*cells: Change, shown: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("kind", "cells", "shown"),
    [
        ("quantity-changed", [("€73", "73"), *DOLLARS], None),
        ("quantity-changed", [("€73M", "73000000"), ("$1.5M", "1500000")], None),
        ("quantity-changed", [("25 bps", "25"), *SHARES], None),
        ("quantity-changed", [("45%", "45"), *DOLLARS], None),
        ("quantity-changed", [("18 mg/kg", "18 mg"), *DOSES], ("5 mg/kg", "5 mg")),
        ("quantity-changed", [("60 min per episode", "60 min"), ("98 min", "98 min")], ("45 min per show", "45 min")),
        ("quantity-changed", [("2,600 mg", "2.6 mg"), ("0,25 g", "250 mg"), *DOSES], None),
        ("quantity-changed", [("12,50 / kg", "12.50"), *PRICES], ("7 / kg", "7.00")),
        ("quantity-changed", [("$12.50 per hour", "12.50"), *PRICES], ("$7 per hour", "7.00")),
        ("quantity-changed", [("approx. 77 ha", "77.00"), ("3.5 ha", "3.50")], ("ca. 5 ha", "5.00")),
        ("quantity-changed", [("~12 kg", "12"), ("9 kg", "9")], ("~5 kg", "5")),
        ("quantity-changed", [("40 mm A", "40"), ("12 mm", "12")], ("7 mm A", "7")),
        ("quantity-changed", [("3 working days", "3 days"), ("5 days", "5 days")], ("2 working days", "2 days")),
        ("quantity-changed", [("4,742 sqft lot", "4742 sqft"), ("1200 sqft", "1200 sqft")], ("9 sqft lot", "9 sqft")),
        ("words-lost", [("yes, by phone", "yes"), ("no", "no")], ("No - asked twice", "No")),
        ("sign-changed", [("18 years", "18+"), ("85 and over", "85+")], ("20", "20+")),
        ("quantity-changed", [("6 ft", "180 cm"), *HEIGHTS], None),
        ("quantity-changed", [("36h", "1 day"), ("48h", "2 days")], None),
        ("sign-changed", [("O", "O-"), ("A+", "A+"), ("B-", "B-")], ("AB", "AB+")),
        ("words-joined", [("C23 C25", "C23C25"), *CABINS], ("B57, B59", "B57B59")),
        ("letters-lost", [("BAW162", "BA162"), ("BA308", "BA308")], ("DLH400", "DL400")),
        ("letters-lost", [("King, Ada B.", "Ada King"), ("Tim Lee", "Tim Lee")], ("Roe, Ken C.", "Ken Roe")),
        ("figures-added", [("4.00638E+12", "4006380000000"), *BARCODES], ("5.01E+12", "5010000000000")),
        ("separator-moved", [("eco, fair trade", "eco, fair, trade"), *TAGS], ("a, b c", "a, b, c")),
        ("number-changed", [("9780306406156", "9780306406157"), *BARCODES], None),
        ("number-changed", [(1700000009123, 1700000009124), *MILLISECONDS], None),
        ("number-changed", [(9876543211, 9876543212)], None),
        ("number-changed", [(12345678.90, 12345678.91), (7.5, 7.5)], None),
        ("number-changed", [("$12,345,678.90", "12345678.91"), ("$7.50", "7.50")], None),
        ("value-misread", [("10:00:00.123", "10:00:00.456"), ("11:30:00.5", "11:30:00.5")], None),
        ("value-misread", [("2024-01-05 10:00:00.123", "2024-01-05 10:00:00")], None),
        ("value-misread", [("Due 9.12.2015, paid", "Due 2015-09-12, paid"), *NOTES], None),
        ("value-misread", [("5/8/1973", "1973-05-08"), *EITHER], ("3/4/1978", "1978-03-04")),
        ("value-misread", [("5/8/1973", "1973-08-05"), *EITHER], ("3/4/1978", "1978-04-03")),
        ("value-misread", [("9/12/2015", "2015-09-12"), *DAYS_FIRST, ("10/25/2015", "10/25/2015")], None),
    ],
)  # fmt: skip
def test_it_is_suspected_until_a_witness_shows_it(kind: str, cells: Sequence[Change], shown: Change | None) -> None:
    """What told two cells apart is gone, or a number is another one."""
    assert kind in kinds(*cells)
    if shown is not None:
        assert kind not in kinds(*cells, shown=[shown])


@pytest.mark.parametrize(
    ("cells", "one", "other"),
    [
        ([("€73", "73"), *DOLLARS], ("€5", "5"), ("$7", "7")),
        ([("€73M", "73000000"), ("$1.5M", "1500000")], ("€5M", "5000000"), ("$9M", "9000000")),
        ([("25 bps", "25"), *SHARES], ("40 bps", "40"), ("7%", "7")),
        ([("10:00 CET", "10:00"), ("10:00 PST", "10:00")], ("11:00 CET", "11:00"), ("11:00 PST", "11:00")),
        ([("300 pw", "300"), ("1200 pcm", "1200")], ("250 pw", "250"), ("900 pcm", "900")),
    ],
)
def test_each_kind_that_loses_its_sign_needs_a_witness(cells: Sequence[Change], one: Change, other: Change) -> None:
    """That $7 may be 7 says nothing of €73; both do."""
    assert "quantity-changed" in kinds(*cells, shown=[one])
    assert "quantity-changed" in kinds(*cells, shown=[other])
    assert "quantity-changed" not in kinds(*cells, shown=[one, other])


@pytest.mark.parametrize(
    "cells",
    [
        DOLLARS,
        SHARES,
        [("€73", "73 EUR"), ("$5", "5 USD")],
        [("45 min per episode", "45 min"), ("60 min per episode", "60 min"), ("51 min per episode", "51 min")],
        [("2,600 mg", "2600 mg"), *DOSES],
        [("C23, C25", "C23 C25"), *CABINS],
        [("AF 0050", "AF50"), ("lh718", "LH718"), ("BA308", "BA308")],
        [("4.006381333931E+12", "4006381333931"), *BARCODES],
        [("1.5E+6", "1500000"), ("1230000", "1230000"), ("1450000", "1450000"), ("1270000", "1270000")],
        [("eco,fair trade", "eco, fair trade"), *TAGS],
        [(0.30000000000000004, 0.3), (0.5, 0.5), (1234567.8900000001, 1234567.89)],
        [("10:00:00.120", "10:00:00.12"), ("11:30:00.000", "11:30:00")],
        [("1700000000000", "1700000000")],
        [("Due 9.12.2015, paid", "Due 2015-12-09, paid"), *NOTES],
        [("48h", "2 days"), ("100 min", "1.67 h"), ("5 mi", "8 km"), ("6 ft", "183 cm")],
        [("3 working days", "3 working days"), ("5 Days", "5 days")],
        [*[(f"{n} years old", f"{n} years") for n in (8, 9, 12)], ("5 years", "5 years")],
        [("85 and over", "85+"), ("65 years or more", "65+"), ("20-24", "20-24")],
        [("4cm x 11cm", "4 x 11 cm"), ("20 x 30 cm", "20 x 30 cm")],
        [("non-stop", "0"), ("1 stop", "1"), ("2 stops", "2"), ("3 stops", "3")],
        [("PT41S", "41"), ("PT1M5S", "65"), ("PT2H", "7200")],
        AGREED,
        ANSWERS,
        [("✗", "no"), ("✓", "yes"), *ANSWERS],
        [("39", "00:39"), ("5", "00:05"), *DEPARTED],
        [("171", "171 cm"), *HEIGHTS, *WEIGHTS],
        [("3 y 11 m", "47"), ("1 yr 2 mo", "14"), ("8 months", "8")],
        [("2 - 5 weeks", "14-35 days"), ("2-4 days", "2-4 days")],
        [("177 m2", "1905 sqft"), ("1200 sqft", "1200 sqft")],
        [("https://x.org/a?utm_term=b#c", "https://x.org/a#c")],
        [("CA$", "CAD"), ("EUR", "EUR"), ("USD", "USD")],
        [("MÃ¼ller & García", "Müller & García")],
        [("Under 5 years", "0-4"), ("5 to 9 years", "5-9"), ("10-14", "10-14")],
    ],
)
def test_it_says_the_same(cells: Sequence[Change]) -> None:
    """The same amounts, codes, times and answers in another form."""
    assert kinds(*cells) == set()


@pytest.mark.parametrize(
    "cells",
    [
        [("Agree", "2"), ("Strongly disagree", "5"), ("5", "5")],
        [("1", "yes"), ("2", "2"), *ANSWERS[:2], ("pending", "pending"), ("asked twice", "asked twice")],
        [("✗", "yes"), ("✓", "no"), *ANSWERS],
        [("39", "39:00"), *DEPARTED],
        [("77", "77 cm"), *HEIGHTS, *WEIGHTS],
        [("Under 5 years", "0-5"), ("10-14", "10-14")],
        [("2 - 5 weeks", "2-5 days"), ("2-4 days", "2-4 days")],
        [("1700000000123", "1700000000")],
    ],
)
def test_nearly_the_same_is_suspected(cells: Sequence[Change]) -> None:
    """The negative controls of what is believed."""
    assert kinds(*cells)


def test_an_answer_is_no_word_for_nothing() -> None:
    """`no` pets are not an unknown number of pets, however often the word stands there."""
    before = ["no"] * 5 + ["n/a"] * 5 + ["2 cats", "1 dog", "3"]
    assert emptied_like_others(before, [None] * 10 + before[10:]) == [0, 1, 2, 3, 4]
    assert emptied_like_others(before, before[:5] + [None] * 5 + before[10:]) == []


def test_another_column_tells_the_country_of_a_telephone_number() -> None:
    """`(020) 794-6011` of a row with GB becomes a number as all others of GB are, and none of other countries."""
    countries = ["GB"] * 5 + ["DE"] * 4
    numbers = [f"+4420794601{n}" for n in range(4)] + ["(020) 794-6011"] + [f"+4930123456{n}" for n in range(4)]
    right = [*numbers[:4], "+44207946011", *numbers[5:]]
    wrong = [*numbers[:4], "+49207946011", *numbers[5:]]
    for after, told in ((right, [4]), (wrong, [])):
        cells = list(zip(numbers, after, strict=True))
        assert prefixed_rows(cells, countries, put_in_front(cells, [4])) == told


def test_a_name_with_an_apostrophe_is_built_like_the_others() -> None:
    """`O'Neil` out of `Radia O'Neil` is a last name as Turing is."""
    names = ["Turing", "Hopper", "Knuth", "Liskov", "Hamilton"]
    cells = [*((name, name) for name in names), ("", "O'Neil")]
    whole = [*(f"Ada {name}" for name in names), "Radia O'Neil"]
    assert made_up(cells, [5], [whole]) == []


def test_an_empty_cell_gets_no_date_that_no_calendar_has() -> None:
    """The parts of the row say month 0: what is put together of them is no date."""
    assert made_up([(None, "1893-00-15")], [0], [["1893"], ["00"], ["15"]]) == [0]
    assert made_up([(None, "1893-07-15")], [0], [["1893"], ["07"], ["15"]]) == []


def test_an_empty_cell_gets_no_value_that_only_another_column_has() -> None:
    """First names and last names have no word in common: surnames that are filled in as first names are made up."""
    first, last = ["Ada", "Grace", "Radia", "Ken", "Tim"], ["Turing", "Hopper", "Knuth", "Liskov", "Hamilton"]
    turned = [f"{name}, {given}" for name, given in zip(last, reversed(first), strict=True)]
    names = [*last, *([""] * 5)]
    whole = [*([""] * 5), *turned]
    stay = [(given, given) for given in first]
    rows = [5, 6, 7, 8, 9]
    assert made_up([*stay, *(("", given) for given in reversed(first))], rows, [whole, names]) == []
    wrong = [*last[:4], first[0]]
    assert made_up([*stay, *(("", name) for name in wrong)], rows, [whole, names]) == rows[:4]
    shared = [*last, *first]
    assert made_up([*stay, *(("", name) for name in wrong)], rows, [whole, shared]) == []
