"""Numbers that come to stand otherwise than those beside them, and what a witness shows of their places and blanks."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.column_evidence.told_apart import sides_left_out
from orchestrator.gate.information.suspicions import suspicions

MARKS = [(f"{n:03}.{n} KNU",) * 2 for n in range(5, 12)]
VISITS = [("D-14", "Day -14"), ("D3", "Day 3"), ("day -1", "Day -1")]
CREDIT, DEBIT = (("12.50 CR", "12.50"), ("34.50 DR", "34.50"))


def kinds(changed: Change, *others: Change, shown: tuple[Change, ...] = ()) -> set[str]:
    return {one.kind for one in suspicions([changed, *others], shown)}


@pytest.mark.parametrize(
    ("changed", "others"),
    [
        (("7.1 KNU", "07.1 KNU"), MARKS),
        (("day minus 2", "Day 2"), VISITS),
        (("samples 2,6,9 of 0,5 g", "samples 2.6,9 of 0.5 g"), []),
    ],
)
def test_a_number_that_stands_otherwise_than_others_is_suspected(changed: Change, others: list[Change]) -> None:
    """Fewer zeros than others have, a minus in words, one comma of a list."""
    assert kinds(changed, *others)


@pytest.mark.parametrize(
    ("changed", "others"),
    [
        (("7.1 KNU", "007.1 KNU"), MARKS),
        (("day minus 2", "Day -2"), VISITS),
        (("samples 2,6,9 of 0,5 g", "samples 2,6,9 of 0.5 g"), []),
    ],
)
def test_a_number_that_stands_as_others_do_is_believed(changed: Change, others: list[Change]) -> None:
    assert not kinds(changed, *others)


@pytest.mark.parametrize("changed", [("371.56CR", "-371.56"), ("1,200.10 CR", "-1200.10")])
def test_a_witness_speaks_for_a_cell_with_other_blanks(changed: Change) -> None:
    """Between a number and its letters, between thousands."""
    assert not kinds(changed, shown=(("1,234.50 CR", "-1234.50"),))


@pytest.mark.parametrize("before", ["7/20", "7 / 20"])
def test_a_share_is_the_same_with_blanks(before: str) -> None:
    assert not kinds((before, "35.0 %"))
    assert kinds((before, "36.0 %"))


def test_a_witness_of_a_conversion_shows_the_places_of_its_unit() -> None:
    """Whole kilowatts of horsepower show that others are whole, too: rounded, and not cut."""
    shown = (("120 PS", "88 kW"),)
    assert kinds(("209.7 kW", "210 kW"))
    assert not kinds(("209.7 kW", "210 kW"), shown=shown)
    assert kinds(("209.7 kW", "209 kW"), shown=shown)
    assert kinds(("209.73 kW", "209.7 kW"), shown=shown)


def test_both_sides_of_an_account_do_not_come_to_have_one_sign() -> None:
    """Which of them is negative, nobody says; that both are positive is no reading of either."""
    assert sides_left_out([CREDIT], [CREDIT, DEBIT]) is not None
    assert sides_left_out([CREDIT], [CREDIT, ("34.50 DR", "-34.50")]) is None
    assert sides_left_out([CREDIT], [CREDIT, ("34.50", "34.50")]) is None


@pytest.mark.parametrize("litres", ["7.57 l", "9.09 l"])
def test_gallons_of_two_countries_wait_for_somebody_who_says_which(litres: str) -> None:
    """One of two functions that contradict each other would be wrong."""
    assert kinds(("2 gal", litres))
    assert not kinds(("2 gal", litres), shown=(("10 gal", "37.9 l"),))


def test_a_grade_keeps_its_minus_beside_the_one_without() -> None:
    assert kinds(("AA-", "AA"), ("AA", "AA"), ("BBB", "BBB")) == {"mark-lost"}
    assert not kinds(("Ann-", "Ann"), ("Ann", "Ann"))


@pytest.mark.parametrize(
    ("changed", "beside"),
    [(("50,50-", "-50.50"), ("50,50", "50.50")), (("99 999,99 zł", "99999.99 zł"), ("12,50 zł", "12.50 zł"))],
)
def test_a_minus_that_moves_and_figures_in_groups_are_believed(changed: Change, beside: Change) -> None:
    """The minus of accountants stands behind; equal figures stand on both sides of the comma."""
    assert not kinds(changed, beside)
