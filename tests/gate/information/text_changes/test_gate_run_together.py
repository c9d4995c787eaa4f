"""Words, numbers, links and codes of which a part goes, or that are written as one; zones, periods and signs."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.suspicions import suspicions

ROOMS = [("Kitchen", "Kitchen"), ("Bath", "Bath")]
TIMES = [("10:00 CET", "10:00"), ("11:00 CET", "11:00")]
NIGHTS = [(f"${price}/night", str(price)) for price in (40, 55, 60)]
KILOMETRES = [(f"{far} km", str(far)) for far in (2, 5, 9)]
ROLES = [("Engineer", "Engineer"), ("Manager", "Manager")]
PERCENT = [("12%", "0.12"), ("45%", "0.45")]
MODELS = [("T40-58", "T40-58"), ("T17-65", "T17-65")]
SCORES = [("3-2", "32"), ("1-0", "10"), ("4-4", "44")]
PATHS = [(f"Home > Kitchen > {thing}",) * 2 for thing in ("lamp", "vase")]
MONEY = [(amount, amount) for amount in ("700,97", "12,50", "8,30")]
PLACES = [(f"Room {number}", str(number)) for number in (12, 14, 19)]


def kinds(*cells: Change, shown: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("kind", "cells", "shown"),
    [
        ("words-joined", [("Kitchen/Bath", "KitchenBath"), *ROOMS], ("Hall/Porch", "HallPorch")),
        ("words-joined", [("Ada\tKing", "AdaKing"), ("Tim Lee", "Tim Lee")], ("Ken\tRoe", "KenRoe")),
        ("words-joined", [("H&M", "HM"), ("Nike", "Nike")], ("R&D", "RD")),
        ("figures-joined", SCORES, ("2-1", "21")),
        ("quantity-changed", [("11 st 4 lb", "11.4"), ("10 st", "10")], ("9 st 3 lb", "9.3")),
        ("quantity-changed", [("25° 4' N", "25.04"), ("86° 50' N", "86.50")], ("6° 11' N", "6.11")),
        ("quantity-changed", [("10:00 PST", "10:00"), *TIMES], None),
        ("quantity-changed", [("10:00-0500", "10:00"), ("10:00Z", "10:00")], None),
        ("quantity-changed", [("$700/week", "700"), *NIGHTS], None),
        ("quantity-changed", [("300 pw", "300"), ("1200 pcm", "1200")], None),
        ("scale-changed", [("500 m", "500"), *KILOMETRES], ("700 m", "700")),
        ("scale-changed", [("UK 8", "8"), ("EU 42", "42")], ("UK 9", "9")),
        ("scale-changed", [("0.5%", "0.5"), *PERCENT], ("0.7%", "0.7")),
        ("words-lost", [("Sr. Engineer", "Engineer"), *ROLES], ("Sr. Analyst", "Analyst")),
        ("words-lost", [("re-opened", "open"), ("open", "open"), ("closed", "closed")], ("unopened", "open")),
        ("words-lost", [("semi-automatic", "automatic"), ("automatic", "automatic")], None),
        ("words-lost", [("12 m below", "12"), ("30 m above", "30")], ("5 m below", "5")),
        ("text-cut", [("https://a.org, https://b.org", "https://a.org")], ("https://c.org https://d.org", "https://c.org")),
        ("letters-lost", [("1-800-FLOWERS", "1800")], ("1-900-TAXICAB", "1900")),
        ("letters-lost", [("T9-81X", "T9-81"), *MODELS], ("T8-44Z", "T8-44")),
        ("letters-lost", [*PLACES, *[(f"Lab {n}", str(n)) for n in (20, 21, 22)]], None),
        ("word-replaced", [("Home >Kitchen> desk", "Home > Kitchen > lamp"), *PATHS], None),
        ("word-replaced", [("NorthDakota", "South Dakota"), ("South Dakota", "South Dakota")], None),
        ("mark-lost", [("Gold+", "Gold"), ("Gold", "Gold"), ("Silver", "Silver")], None),
        ("sign-changed", [("-12 m", "12 m"), ("30 m", "30 m")], ("-7 m", "7 m")),
        ("sign-changed", [("S 33.9", "33.9"), ("N 48.1", "48.1")], None),
        ("separator-moved", [("72,19 €", "72.19 €"), *MONEY], ("5,10 €", "5.10 €")),
        ("type-changed", [(2, True), (1, True), (0, False)], None),
        ("case-changed", [("MCDONALD", "Mcdonald"), ("McDonald", "McDonald")], None),
        ("case-changed", [("NASA report", "Nasa Report"), ("NATO Summit", "NATO Summit")], None),
        ("other-meaning", [("2021-W05", "2021-05")], None),
        ("figures-added", [("(555) 123-4567", "+445551234567")], None),
    ],
)  # fmt: skip
def test_it_is_suspected_until_a_witness_shows_it(kind: str, cells: Sequence[Change], shown: Change | None) -> None:
    """Each is what a plain function did, and passed."""
    assert kind in kinds(*cells)
    if shown is not None:
        assert kind not in kinds(*cells, shown=[shown])


@pytest.mark.parametrize(
    "cells",
    [
        [("Kitchen/Bath", "Kitchen & Bath"), *ROOMS],
        [("In Stock", "InStock"), ("OutOfStock", "OutOfStock")],
        [("03-02", "0302"), ("0417", "0417"), ("1122", "1122"), ("0505", "0505")],
        [("5 EUR 95", "5.95")],
        TIMES,
        NIGHTS,
        KILOMETRES,
        [("72,19 €", "72,19"), *MONEY],
        [("72,19 €", "72.19"), ("700,97", "700.97"), ("12,50", "12.50"), ("8,30", "8.30")],
        [("ann@EXAMPLE.COM", "ann@example.com"), ("NATO Summit", "NATO Summit")],
        [("Home >Kitchen> lamp", "Home > Kitchen > lamp"), *PATHS],
        [("SouthDakota", "South Dakota"), ("South Dakota", "South Dakota")],
        [("acutexcarexhospitals", "acute care hospitals"), ("acute care hospitals", "acute care hospitals")],
        [("newyrok", "New York"), ("New York", "New York"), ("Oslo", "Oslo")],
        PERCENT,
        PLACES,
        [("Gold +", "Gold+"), ("Silver", "Silver")],
        [("Ada KNUTH", "Ada Knuth"), ("Kim HOPPER", "Kim Hopper")],
        [(1, True), (0, False)],
        [("(555) 123-4567", "+15551234567")],
        [("-12 m", "-12"), ("30 m", "30")],
    ],
)
def test_it_says_the_same(cells: Sequence[Change]) -> None:
    """What is like it, and right."""
    assert kinds(*cells) == set()


def test_an_empty_cell_gets_the_end_of_another_column_that_all_others_have() -> None:
    """A last name is the last word of the full one where all others are, and not the first."""
    names = ["King", "Lee", "Roe", "Hopper", "Turing", "Liskov", "Knuth", "Perlman", "Hamilton"]
    whole = [f"Ada {name}" for name in names] + ["Tim Dijkstra"]
    stay = [(name, name) for name in names]
    assert made_up([*stay, ("", "Dijkstra")], [9], [whole]) == []
    assert made_up([*stay, ("", "Tim")], [9], [whole]) == [9]


def test_a_word_that_is_written_as_several_is_no_other_word() -> None:
    """Names that were run together are parted, also where a label goes; somebody else's name is another word."""
    names = [("Bill", "Lobely"), ("Robbie", "Daymond"), ("Soneela", "Nankani"), ("Dan", "Russell")]
    parted = [(f"Narratedby:{first}{last}", f"{first} {last}") for first, last in names]
    assert "word-replaced" not in kinds(*parted, shown=parted[:1])
    turned = [(f"Narratedby:{first}{last}", f"{first} Smith") for first, last in names]
    assert "word-replaced" in kinds(*turned, shown=parted[:1])


def test_what_is_more_than_the_number_behind_it_is_no_share_of_it() -> None:
    """The upper of two blood pressures passes with an example of it; points out of different totals do not."""
    pressures = [(f"{upper}/{upper - 40 - upper % 3}", str(upper)) for upper in range(100, 140)]
    assert kinds(*pressures, shown=pressures[:1]) == set()
    points = [(f"{got}/{got + 3 + got % 4}", str(got)) for got in range(10, 50)]
    assert "quantity-changed" in kinds(*points, shown=points[:1])


def test_the_host_of_a_web_address_is_what_it_was() -> None:
    """The scheme goes, also where another cell has the bare host; a page goes not."""
    hosts = [("acme.com", "acme.com"), ("bolt.com", "bolt.com")]
    assert kinds(("HTTP://ACME.COM", "acme.com"), ("https://www.bolt.com/", "bolt.com"), *hosts) == set()
    assert "words-lost" in kinds(("http://acme.com/mugs", "acme.com"), ("bolt.com", "bolt.com"), *hosts)


def test_a_text_that_a_macintosh_read_wrongly_is_read_again() -> None:
    """What the bytes of Mac Roman say in UTF-8 is the same text; letters without their accents are not."""
    stay = [("naïve", "naïve"), ("fine", "fine")]
    assert kinds(("Caf√©", "Café"), ("Z√ºrich", "Zürich"), ("Don‚Äôt", "Don’t"), *stay) == set()
    assert kinds(("Caf√©", "Cafe"), ("Z√ºrich", "Zurich"), *stay) != set()
