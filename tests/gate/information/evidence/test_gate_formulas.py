"""Empty numbers that a formula of their rows gives, which the rows that stay obey."""

import random
from time import process_time
from typing import Any

import pytest

from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.row_evidence.row_formulas import rows_of_formula

Cells = list[tuple[Any, Any]]
DRAW = random.Random(7)  # noqa: S311 - data for a test
LINES = [(DRAW.randint(1, 12), DRAW.randint(100, 9999) / 100, DRAW.choice([None, None, 5, 10, 25])) for _ in range(60)]
COLUMNS: list[list[Any]] = [list(column) for column in zip(*LINES, strict=True)]
RIGHT = [round(quantity * price * (1 - (discount or 0) / 100), 2) for quantity, price, discount in LINES]
FILLED = range(40, 60)


def filled(totals: list[Any], errors: int = 0) -> Cells:
    """Totals of which some were there before, and some of those are wrong."""
    stay: Cells = [(total + 1.5 * (row < errors),) * 2 for row, total in enumerate(RIGHT[:40])]
    return [*stay, *((None, total) for total in totals)]


def test_a_product_less_a_discount_is_said_by_the_row() -> None:
    """Quantity times price less so many percent, and nothing less where there is no discount; as texts as well."""
    cells = filled(RIGHT[40:])
    assert made_up(cells, FILLED, COLUMNS) == []
    assert rows_of_formula(cells, FILLED, COLUMNS) == set(FILLED)
    texts = [[None if cell is None else str(cell) for cell in column] for column in COLUMNS]
    written = [(None if one is None else str(one), str(other)) for one, other in cells]
    assert rows_of_formula(written, FILLED, texts) == set(FILLED)


@pytest.mark.parametrize(
    "wrong",
    [
        [round(q * p, 2) + 0.0 for q, p, d in LINES],
        [round(q * p * (1 + (d or 0) / 100), 2) for q, p, d in LINES],
        [round(total, 0) for total in RIGHT],
        [0.0] * len(LINES),
        [-total for total in RIGHT],
    ],
    ids=["discount-lost", "more-percent", "rounded", "zero", "sign"],
)
def test_what_the_formula_does_not_give_is_made_up(wrong: list[float]) -> None:
    """All rows of which the formula gives another number, and no others."""
    cells = filled(wrong[40:])
    other = [row for row in FILLED if abs(wrong[row] - RIGHT[row]) > 0.005]
    assert other
    assert made_up(cells, FILLED, COLUMNS) == other


def test_nearly_all_rows_that_stay_must_obey_the_formula() -> None:
    """Some errors are in all data; where half of the rows have another number, nothing is known."""
    assert rows_of_formula(filled(RIGHT[40:], errors=2), FILLED, COLUMNS) == set(FILLED)
    assert rows_of_formula(filled(RIGHT[40:], errors=20), FILLED, COLUMNS) == set()


def test_few_different_numbers_show_no_formula() -> None:
    """Ones and zeros are many things; and what cannot be computed is not given by it."""
    cells: Cells = [*[(n % 2, n % 2) for n in range(40)], (None, 1)]
    assert rows_of_formula(cells, [40], [[n % 2 for n in range(41)], [1] * 41]) == set()
    assert rows_of_formula(filled([*RIGHT[40:59], 0.0]), FILLED, [[*COLUMNS[0][:59], None], *COLUMNS[1:]]) == {
        *range(40, 59)
    }


def test_sums_differences_and_quotients_are_formulas_too() -> None:
    """Of two columns, in the order that the other rows show."""
    one, other = [n * 7 % 31 + 40 for n in range(30)], [n * 3 % 17 + 1 for n in range(30)]
    for results in (
        [a + b for a, b in zip(one, other, strict=True)],
        [b - a for a, b in zip(one, other, strict=True)],
        [round(a / b, 2) for a, b in zip(one, other, strict=True)],
    ):
        cells: Cells = [*((n, n) for n in results[:-1]), (None, results[-1])]
        assert rows_of_formula(cells, [29], [one, other]) == {29}
        assert rows_of_formula([*cells[:-1], (None, results[-1] + 1)], [29], [one, other]) == set()


def test_a_wide_table_costs_nothing() -> None:
    """Of many columns of numbers chance finds a formula: none is looked for."""
    many = [[DRAW.random() for _ in LINES] for _ in range(200)]
    started = process_time()
    assert rows_of_formula(filled(RIGHT[40:]), FILLED, [*COLUMNS, *many]) == set()
    assert process_time() - started < 2
