"""Commas and dots of numbers that are exchanged: which of the two groups figures, other cells say."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


@pytest.mark.parametrize(
    "cells",
    [
        [("1,200", "1.200"), ("3,400", "3.400"), ("950", "950"), ("12", "12")],
        [("1.200", "1,200"), ("3.400", "3,400"), ("12.950", "12,950")],
        [("$1,200", "$1.200"), ("$45,300", "$45.300")],
        [("1,234,567", "1.234,567"), ("22,345,678", "22.345,678")],
        [("2,568 kWh", "2.568"), ("850 Wh", "0.85"), ("3 kWh", "3")],
    ],
)
def test_a_grouping_mark_that_becomes_a_decimal_mark_is_suspected(cells: list[Change]) -> None:
    """Thousands that come out as ones, and ones as thousands."""
    assert "number-changed" in [one.kind for one in suspicions(cells)]


@pytest.mark.parametrize(
    "cells",
    [
        [("0,125", "0.125"), ("1,200", "1.200"), ("3,400", "3.400")],
        [("12,5", "12.5"), ("1,200", "1.200"), ("3,400", "3.400")],
        [("1,234,567", "1.234.567"), ("1,200", "1.200"), ("950", "950")],
        [("1,200.50", "1.200,50"), ("1,200", "1.200")],
        [("1,200", "1200"), ("3,400", "3400")],
        [("2,568 Wh", "2.568"), ("850 Wh", "0.85"), ("3 kWh", "3")],
        [("412.000TL", "412.000 TL"), ("1.200.000 TL", "1.200.000 TL"), ("3000", "3000"), ("4500", "4500")],
    ],
)
def test_marks_that_the_column_explains_are_believed(cells: list[Change]) -> None:
    """A decimal comma among those before, groups of more than one among those after, marks that go."""
    assert suspicions(cells) == []


def test_a_witness_who_shows_such_a_change_is_believed() -> None:
    """A user's example of another number."""
    cells = [("1,200", "1.200"), ("3,400", "3.400")]
    assert suspicions(cells, witnesses=[("7,800", "7.800")]) == []


LARGE = [(str(number), str(number)) for number in range(40_000, 290_000, 2_000)]


def test_other_numbers_of_the_size_show_that_points_group() -> None:
    """Beside whole numbers that are as large, and beside numbers with two points, also where a sign is written out."""
    odd = [("30.500 km", "30500"), ("285.000", "285000"), ("96.500", "96500")]
    assert suspicions([*LARGE, *odd]) == []
    lira = [("1.052.000 TL", "1052000 TL"), ("₺304.000", "304000 TL"), ("716.000 TL", "716000 TL")]
    assert suspicions(lira) == []


@pytest.mark.parametrize(
    ("stay", "odd"),
    [
        (LARGE, [("30.250", "30250"), ("125.5", "125.5"), ("12.125", "12125"), ("9.250", "9250")]),
        (LARGE, [("1.250", "1250"), ("2.125", "2125"), ("3.375", "3375")]),
        ([(str(n), str(n)) for n in range(10, 400)], [("30.250", "30250"), ("12.125", "12125"), ("9.375", "9375")]),
    ],
)
def test_points_that_may_part_decimals_do_not_group(stay: list[Change], odd: list[Change]) -> None:
    """Beside other decimals, and where thousands would be of another size than the whole numbers."""
    assert suspicions([*stay, *odd]) != []


def test_hardly_any_number_without_a_point_says_nothing_of_many_that_begin_alike() -> None:
    """Gravities from 1.008 to 1.098 beside four that lost their point; amounts of several sizes are believed."""
    plain = [(str(number), str(number)) for number in (1012, 1033, 1058, 1092)]
    gravities = [(f"1.{n:03}", f"1{n:03}") for n in range(8, 99)]
    amounts = [(f"{1 + n % 3}.{n}", f"{1 + n % 3}{n}") for n in range(108, 199)]
    assert "value-lost" in [one.kind for one in suspicions([*gravities, *plain])]
    assert suspicions([*gravities[:60], *plain]) == []
    assert suspicions([*amounts, *plain]) == []
