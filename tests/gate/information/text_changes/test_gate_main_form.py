"""How the cells that stay are written says what a changed cell must look like: widths, decimals, the order of names."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.row_evidence.exchanged import exchanged_rows
from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.suspicions import suspicions

QUICK = settings(max_examples=80, deadline=None)
DAYS = [(text, text) for text in ("2023-05-15", "1992-11-28", "1985-08-14", "2009-04-04")]
ISSNS = [(text, text) for text in ("6834-691X", "1117-447X", "3116-791X", "7774-823X")]
DEGREES = [(text, text) for text in ("39.1 C", "36.9 C", "37.8 C", "38.2 C")]
NAMES = [(text, text) for text in ("Hopper, Grace", "Turing, Alan", "King, Ada", "Knuth, Donald")]
STRAIGHT = [(text, text) for text in ("Grace Hopper", "Alan Turing", "Ada King", "Donald Knuth")]
TURNED = ["Alan Hopper", "Ada Knuth", "Grace Turing", "Alan King"]
FIRMS = [(text, text) for text in ("Hopper Inc", "King Ltd", "Wei GmbH", "Knuth Inc", "Turing Ltd")]
METERS = [(f"{n} kWh", f"{n} kWh") for n in (34917, 52188, 57492, 23562, 9680)]
CODES = [(f"DE-{n}0331", f"{n}0331") for n in range(1, 5)] + [(f"A-{n}010", f"A-{n}010") for n in range(1, 5)]
texts = st.text(st.sampled_from("ab,; .-19\n(é"), max_size=9)


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


def inverted(text: str) -> str:
    given, family = text.rsplit(" ", 1)
    return f"{family}, {given}"


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("figures-lost", [*DAYS, ("March 2, 2016", "16-03-02")]),
        ("figures-lost", [*ISSNS, ("0531978X", "531-978X")]),
        ("precision-lost", [*DEGREES, ("98.8 F", "37 C"), ("102.9 F", "39 C")]),
        ("words-joined", [("shelf; chair", "shelfchair"), ("lamp", "lamp")]),
        ("words-joined", [("vase | lamp ", "vaselamp")]),
        (
            "other-meaning",
            [("4.2E+01", "4.2"), ("5.2E-01", "5.2"), ("20,8", "20.8"), ("8.8E+00", "8.8"), ("1.3E+01", "1.3")],
        ),
        ("text-cut", [("hot\nslept well\ncalm", "hot\nslept well"), ("slept  well \n calm", "slept well\ncalm")]),
        ("separator-moved", [("temp 39.0, no  pain", "temp 39 0 no pain")]),
        ("separator-moved", [("BP 155/87\tno pain", "BP 155 87 no pain")]),
        ("words-lost", [*FIRMS, ("Roe Limited", "Roe"), ("Fox, Inc.", "Fox")]),
        ("sign-changed", [("83.29 S", "83.29"), ("10.5 N", "10.5")]),
        ("word-replaced", [*((n, n) for n in "12345"), ("not rated", "0"), ("4/5", "4")]),
        ("letters-lost", CODES),
        ("quantity-changed", [*METERS, ("97,853 kWh", "97.853 kWh")]),
        ("sign-changed", [("-0:08", "8"), ("0:57", "57")]),
        ("figures-lost", [*((f"POL-{n}0407-17",) * 2 for n in range(1, 6)), ("pol 004512/3", "POL-4512-03")]),
        ("letters-lost", [("1953.86.26a-c", "1953.86.26"), ("2011.35.37", "2011.35.37")]),
        ("separator-moved", [("Ink, 77,1 x 45 cm, Rome", "Ink, 771 × 45 cm, Rome")]),
        ("separator-moved", [("Bronze, cast 9,3,7 of 12", "Bronze, cast 9.3.7 of 12")]),
        ("other-meaning", [("1528-75", "1528-1975"), ("1622", "1622")]),
        ("other-meaning", [("above 200", "<200"), ("<0.5", "<0.5")]),
        ("order-changed", [*NAMES, *((text, text.replace(" ", ", ")) for text in TURNED)]),
        ("order-changed", [*STRAIGHT, *((inverted(text), inverted(text).replace(",", "")) for text in TURNED)]),
    ],
)
def test_a_form_that_is_missed_is_suspected(kind: str, cells: list[Change]) -> None:
    """A year or code cut short, decimals that all others have, joined items, names in the order of no other cell."""
    assert kind in kinds(cells)


@pytest.mark.parametrize(
    "cells",
    [
        [*DAYS, ("March 2, 2016", "2016-03-02")],
        [*ISSNS, ("0531978X", "0531-978X")],
        [*DEGREES, ("98.6 F", "37.0 C"), ("102.2 F", "39.0 C")],
        [*METERS, ("97,853 kWh", "97.853 kWh"), ("12,5 kWh", "12.5 kWh")],
        [*DEGREES[:3], ("37 C", "37 C"), ("98.6 F", "37 C")],
        [("shelf; chair", "shelf|chair"), ("mug; ", "mug"), ("A/C", "AC")],
        [*NAMES, *((text, inverted(text)) for text in TURNED)],
        [*STRAIGHT, *((inverted(text), text) for text in TURNED)],
        [("57.190, -10.556", "57.19, -10.556"), ("51.100;-10.2", "51.1; -10.2")],
        [("(1,145.80)", "-1145.80"), ("(381)", "-381"), ("200", "200")],
        [("4.2E+01", "42"), ("5.2E-01", "0.52"), ("20,8", "20.8"), ("8.8E+00", "8.8")],
        [("hot \nslept well\ncalm", "hot\nslept well\ncalm"), ("calm\ncalm\nhot", "calm\nhot")],
        [("temp 39.0,  no pain", "temp 39.0, no pain")],
        [*FIRMS, ("Roe Limited", "Roe Ltd"), ("Fox, Inc.", "Fox Inc")],
        [("Hopper", "Hopper"), ("King", "King"), ("Wei Inc", "Wei Inc"), ("Roe Limited", "Roe"), ("Fox Ltd", "Fox")],
        [("83.29 S", "-83.29"), ("10.5 N", "10.5")],
        [("10.5 W", "10.5"), ("7.5 W", "7.5")],
        [*((n, n) for n in "12345"), ("four", "4"), ("4/5", "4"), ("3/5", "3")],
        [*METERS, ("97,853 kWh", "97853 kWh")],
        [("-0:08", "-8"), ("0:57", "57"), ("2-3", "2-3")],
        [*((f"POL-{n}0407-17",) * 2 for n in range(1, 6)), ("pol 004512/3", "POL-004512-03")],
        [("1953.86.26 a", "1953.86.26a"), ("2011.35.37", "2011.35.37")],
        [("Ink, 77,1 x 45 cm", "Ink, 77.1 × 45 cm"), ("cast 9,3,7 of 12 ", "cast 9,3,7 of 12")],
        [("1528-75", "1528-1575"), ("1896-02", "1896-1902"), ("1622", "1622")],
        [("above 200", ">200"), ("less than 5", "<5"), ("< 0.5", "<0.5")],
        [("8.429.168", "8429168"), ("85.541", "85541"), ("12624", "12624")],
        [(f"{n},000+", f"{n}000+") for n in range(1, 6)] + [(f"{n}21", f"{n}21") for n in range(1, 6)],
    ],
)
def test_a_form_that_is_met_is_believed(cells: list[Change]) -> None:
    """The same changes where they end in the form of the cells that stay."""
    assert not kinds(cells)


def test_the_order_of_names_needs_names_that_say_so() -> None:
    """Names that were turned are believed only where those that stay know them; one that they contradict is not."""
    strangers = [("Tim Lee", "Lee, Tim"), ("Ken Roe", "Roe, Ken"), ("Zoe Fox", "Fox, Zoe")]
    assert "order-changed" in kinds([*NAMES, *strangers])
    mixed = [*((text, inverted(text)) for text in TURNED), ("Grace Knuth", "Grace, Knuth")]
    assert "order-changed" in kinds([*NAMES, *mixed])


def test_a_bound_that_a_witness_shows_is_no_other_scale() -> None:
    """`1,000+` as 1000 beside smaller numbers, where a user shows it, is settled."""
    cells = [(f"{n},000,000+", f"{n}000000") for n in range(1, 6)] + [(f"{n}21", f"{n}21") for n in range(1, 6)]
    assert "sign-changed" in kinds(cells)
    assert not kinds(cells, [("1,000+", "1000")])


def test_letters_of_a_code_that_a_witness_shows_are_settled() -> None:
    """The country in front of its own codes may go where a user shows that; another country's stays."""
    assert not kinds(CODES, [("DE-10115", "10115"), ("A-1010", "A-1010")])


def test_a_witness_of_one_answer_settles_the_other() -> None:
    """`Y` as yes, shown by a user, says that `N` is no, though `not asked` begins with it, too."""
    changed = [("N", "no"), ("NO", "no"), ("0", "no"), ("1", "yes")]
    cells = [*changed, *((text, text) for text in ("yes", "no", "withdrawn", "not asked"))]
    assert kinds(cells) == {"word-replaced"}
    assert not kinds(cells, [("Y", "yes")])
    assert kinds(cells, [("NO", "no")]) == {"word-replaced"}


@pytest.mark.parametrize(
    ("value", "beside", "stay"),
    [
        ("York", "12 Elm Road, New York", ["New York", "Rome", "Paris", "Oslo"]),
        ("12 Elm Road", "12 Elm Road, Rome", ["New York", "Rome", "Paris", "Oslo"]),
        ("Rome", "12 Elm Road, Rome", ["12", "14 b", "7", "99"]),
    ],
)
def test_a_filled_value_is_one_of_its_column(value: str, beside: str, stay: list[str]) -> None:
    """A part of the row that the column would never hold is no value; the whole one is."""
    cells: list[Change] = [*((text, text) for text in stay), (None, value)]
    other: list[object] = [*(None for _ in stay), beside]
    assert made_up(cells, [4], [other]) == [4]
    good: list[Change] = [*((f"{text} {value}", f"{text} {value}") for text in "abcd"), (None, f"e {value}")]
    assert made_up(good, [4], [[None] * 4 + [f"the e {value}"]]) == []


def test_names_in_each_others_column_are_made_up() -> None:
    """Family names that come to stand among first names are told by the column of the family names."""
    first, last = ["Ada", "Alan", "Grace", "Donald"], ["King", "Turing", "Hopper", "Knuth"]
    whole = [f"{family}, {given}" for given, family in zip(first, last, strict=True)]
    others = [[*[None] * 4, *whole], [*last, *[None] * 4]]
    right: list[Change] = [*((one, one) for one in first), *((None, one) for one in first)]
    wrong: list[Change] = [*((one, one) for one in first), *((None, one) for one in last)]
    assert made_up(right, range(4, 8), others) == []
    assert made_up(wrong, range(4, 8), others) == [4, 5, 6, 7]


def test_a_form_shown_without_thousands_shows_it_with_them() -> None:
    """`310.45 CR` as -310.45, shown by a user, says the same of `7,801.27 CR`."""
    cells = [("7,801.27 CR", "-7801.27"), ("99.10 DR", "99.10"), ("8279.15", "8279.15")]
    assert kinds(cells)
    assert not kinds(cells, [("310.45 CR", "-310.45"), ("1.50 DR", "1.50")])


def test_rows_of_another_kind_say_nothing_of_an_exchange() -> None:
    """Days that stood in each other's column are believed beside a word in one of them."""
    right = [(f"2021-03-{n:02}", f"2021-04-{n:02}") for n in range(1, 15)]
    pairs = [*right, ("2021-05-01", "lost"), ("2021-08-09", "2021-07-01")]
    cells = [(one, one) for one, _ in pairs[:-1]] + [("2021-08-09", "2021-07-01")]
    beside = [(other, other) for _, other in pairs[:-1]] + [("2021-07-01", "2021-08-09")]
    assert exchanged_rows(cells, beside, [15]) == [15]
    assert (
        exchanged_rows([*cells[:-1], ("2021-02-09", "2021-07-01")], [*beside[:-1], ("2021-07-01", "2021-02-09")], [15])
        == []
    )


def test_brackets_without_an_amount_are_no_minus() -> None:
    """A number in brackets becomes negative only where the column shows amounts in brackets."""
    assert kinds([("(381)", "-381"), ("(7)", "-7"), ("200", "200")])


@QUICK
@given(st.lists(st.tuples(texts, texts), max_size=8))
def test_odd_cells_do_no_harm(cells: list[Change]) -> None:
    """Whatever stands in the cells, the suspicions come to an end."""
    assert isinstance(kinds(cells), set)
