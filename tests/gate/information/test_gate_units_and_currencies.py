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
