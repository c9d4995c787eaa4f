"""Numbers that come to stand beside a unit or a currency that is not theirs."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([("\u20ac300", "$300"), ("$20", "$20")], "quantity-changed"),
        ([("300 EUR", "USD 300"), ("USD 20", "USD 20")], "quantity-changed"),
        ([("\u00a310.00", "$12.70"), ("$20.00", "$20.00")], "quantity-changed"),
        ([("5", "5 g"), ("7", "7 g"), ("9 kg", "9 kg")], "scale-changed"),
        ([("5", "5 kg"), ("7 g", "7 g"), ("9 kg", "9 kg")], "scale-changed"),
        ([("5", "$5"), ("\u20ac7", "\u20ac7")], ""),
    ],
)
def test_another_currency_and_another_unit_are_suspected(cells: list[Change], kind: str) -> None:
    """A sign, a code, an amount that is converted by a rate that nobody knows; a unit that others do not have."""
    found = [one.kind for one in suspicions(cells)]
    assert (kind in found) if kind else found == []


@pytest.mark.parametrize(
    "cells",
    [
        [("\u20ac300", "EUR 300"), ("$20", "USD 20")],
        [("20 dollars", "$20"), ("7 US$", "$7")],
        [("5", "5 kg"), ("7", "7 kg"), ("9 kg", "9 kg")],
        [("5", "5 kg"), ("7", "7 kg"), ("9", "9 kg")],
    ],
)
def test_the_same_currency_and_the_unit_of_the_column_are_believed(cells: list[Change]) -> None:
    """Signs as codes, and what all other cells have or none has."""
    assert suspicions(cells) == []


def test_a_witness_who_shows_the_unit_is_believed() -> None:
    """A user's example of another number."""
    cells = [("5", "5 g"), ("7", "7 g"), ("9 kg", "9 kg")]
    assert suspicions(cells, witnesses=[("3", "3 g")]) == []


HEIGHTS = [(str(height), str(height)) for height in range(160, 180)]


@pytest.mark.parametrize(
    "cells",
    [
        [*HEIGHTS, ("1.81 m", "1.81")],
        [*HEIGHTS, ("1810 mm", "1810")],
        [("1", "1"), ("2", "2"), ("5", "5"), ("330 ml", "330")],
        [*((str(grams), str(grams)) for grams in range(200, 1900, 100)), ("2.4 kg", "2.4")],
        [*((str(degrees), str(degrees)) for degrees in range(10, 30)), ("85 °F", "85")],
        [*((str(price), str(price)) for price in range(20, 900, 9)), ("¥36126", "36126"), ("¥27582", "27582")],
    ],
)
def test_a_number_in_another_unit_that_loses_it_is_suspected(cells: list[Change]) -> None:
    """Outside of the column's numbers, and among them in another unit; one cell is enough to see that."""
    assert "scale-changed" in [one.kind for one in suspicions(cells)]


@pytest.mark.parametrize(
    "cells",
    [
        [*HEIGHTS, ("181 cm", "181")],
        [*HEIGHTS, ("210 cm", "210")],
        [*((str(price), str(price)) for price in range(20, 900, 9)), ("$1200", "1200"), ("$1500", "1500")],
        [*((str(weight), str(weight)) for weight in range(1, 9)), ("30 kg", "30")],
        [*HEIGHTS, ("1.81 m", "181")],
    ],
)
def test_the_columns_own_unit_may_go(cells: list[Change]) -> None:
    """A larger number of it is no other scale, and a converted one is right."""
    assert suspicions(cells) == []


def test_a_witness_who_shows_the_unit_go_is_believed() -> None:
    """The user knows what the column holds."""
    cells = [*HEIGHTS, ("1.81 m", "1.81")]
    assert suspicions(cells, witnesses=[("1.65 m", "1.65")]) == []


def test_a_sign_that_stays_is_not_left_out() -> None:
    """05/19/96 as 05/19/1996 only looks as if 19/96 had become 1996; where a stroke goes, it is seen."""
    kept = [(f"05/{day}/2001", f"05/{day}/2001") for day in range(10, 20)]
    assert suspicions([*kept, ("05/19/96", "05/19/1996")]) == []
    assert "mark-lost" in [one.kind for one in suspicions([*kept, ("05/19/96", "05/1996")])]


@pytest.mark.parametrize(
    ("before", "right", "wrong"),
    [
        ("100\u5143", "\u00a5100", "$100"),
        ("100\u5186", "\u00a5100", "$100"),
        ("100\uc6d0", "\u20a9100", "$100"),
        ("1.5\u516c\u65a4", "1500\u514b", "1.5\u65a4"),
        ("2\u5343\u514b", "2\u516c\u65a4", "2\u514b"),
        ("3\u65a4", "1.5\u516c\u65a4", "3\u516c\u65a4"),
    ],
)
def test_currencies_and_weights_of_east_asia_are_known(before: str, right: str, wrong: str) -> None:
    """One sign is both yen and yuan."""
    assert not suspicions([(before, right)])
    assert suspicions([(before, wrong)])
