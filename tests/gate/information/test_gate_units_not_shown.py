"""A word in the place of a unit is a unit of its own where others are converted: it needs a witness or a known size."""

from typing import Any

import pytest

from orchestrator.gate.information.row_evidence.shown_forms import size_left_out
from orchestrator.gate.information.suspicions import suspicions

WEIGHTS, DAYS = [("70 kg", "70.0"), ("154 lb", "69.9")], [("3 days", "3"), ("2 weeks", "14")]


@pytest.mark.parametrize(
    ("changed", "shown", "found"),
    [
        ([("11 st", "11.0"), ("5 st", "5.0")], WEIGHTS, True),
        ([("5 st", "50.0"), ("11 st", "110.0")], WEIGHTS, True),
        ([("3 t", "3.0"), *WEIGHTS], [], True),
        ([("5 months", "5")], DAYS, True),
        ([("5 zib", "40")], DAYS, True),
        ([("11 st", "69.9"), ("5 st", "31.8")], WEIGHTS, False),
        ([("82 kilos", "82.0"), ("82 Kilogramm", "82.0")], WEIGHTS, False),
        ([("5 fortnights", "70")], DAYS, False),
        ([("0.6 GWh", "600000 kWh")], [("1.2 MWh", "1200 kWh"), ("850 Wh", "0.85 kWh")], False),
        ([("0.6 GWh", "600 kWh")], [("1.2 MWh", "1200 kWh"), ("850 Wh", "0.85 kWh")], True),
        ([("33 Tlr", "11880")], [("12 Tlr 15 Sgr", "4500"), ("15 Sgr", "180")], False),
        ([("2 Stunden", "120"), ("45 Minuten", "45")], [("3 h", "180"), ("30 min", "30")], False),
        ([("13 HCF", "9724 gal")], [("5 CCF", "3740 gal")], False),
        ([("5 months", "5")], [*DAYS, ("4 months", "4")], False),
        ([("3 eggs", "3")], [("2 dozen", "24"), ("4 pieces", "4")], False),
    ],
)
def test_a_unit_beside_converted_ones_needs_its_own_witness(changed: Any, shown: Any, *, found: bool) -> None:
    """Stones beside pounds, and months beside weeks."""
    kinds = {one.kind for one in suspicions([*shown, *changed], shown)}
    assert ("quantity-changed" in kinds) is found


@pytest.mark.parametrize(
    ("cells", "made", "shown", "row"),
    [
        (["$800", "$4M"], ["800", "4"], ["$800"], 1),
        (["$800", "4k-15k"], ["800", "4"], ["$800"], 1),
        (["$800", "$4M"], ["800", "4000000"], ["$800"], None),
        (["$800", "$4M"], ["800", "4"], ["$3M"], None),
        (["4 m", "5 kg"], ["4", "5"], ["$800"], None),
    ],
)
def test_thousands_and_millions_are_left_out_where_an_example_has_them(
    cells: Any, made: Any, shown: Any, row: int | None
) -> None:
    """Of an added column: the number in front of them stands in the cell, and is not what the cell says."""
    assert size_left_out(cells, made, shown) == row
