"""Dates whose order another column tells."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.row_evidence.told_orders import is_date, rows_of_told_orders

AMERICAN = [(f"{n}/2{n}/2020", f"2020-0{n}-2{n}") for n in range(1, 6)]
BRITISH = [(f"2{n}/{n}/2020", f"2020-0{n}-2{n}") for n in range(1, 6)]
BRANCHES = ["US"] * 5 + ["UK"] * 5


@pytest.mark.parametrize(
    ("branch", "change", "told"),
    [
        ("US", ("5/8/2021", "2021-05-08"), True),
        ("UK", ("5/8/2021", "2021-08-05"), True),
        ("US", ("5/8/2021", "2021-08-05"), False),
        ("UK", ("5/8/2021", "2021-05-08"), False),
        ("US", ("5/8/21", "2021-05-08"), True),
        ("US", ("5/8/2021", "2012-05-08"), False),
        ("US", ("5.8.2021", "2021-05-08"), False),
        ("FR", ("5/8/2021", "2021-05-08"), False),
        (None, ("5/8/2021", "2021-05-08"), False),
    ],
)
def test_the_dates_of_the_same_branch_tell_the_order(branch: str | None, change: Change, told: bool) -> None:
    """Of the same sign, and of that branch only; with the same year."""
    cells = [*AMERICAN, *BRITISH, change]
    assert is_date(change)
    assert rows_of_told_orders(cells, [*BRANCHES, branch], [10]) == ([10] if told else [])


def test_a_branch_that_writes_both_orders_tells_none() -> None:
    """One date with the day first among American ones is enough to doubt all."""
    cells = [*AMERICAN, BRITISH[0], ("5/8/2021", "2021-05-08")]
    assert rows_of_told_orders(cells, ["US"] * 7, [6]) == []
    assert rows_of_told_orders([*AMERICAN[:2], cells[-1]], ["US"] * 3, [2]) == []
