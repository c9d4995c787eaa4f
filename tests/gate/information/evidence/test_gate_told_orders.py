"""Dates whose order another column tells."""

from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pytest

from orchestrator.gate.checks.changed_columns.settled_cells import unsettled
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.column_evidence.day_or_month import first_parts
from orchestrator.gate.information.row_evidence import told_orders
from orchestrator.gate.information.row_evidence.told_orders import ToldOrders, is_date

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
    assert ToldOrders(cells, [10]).rows([*BRANCHES, branch]) == ([10] if told else [])


def test_a_branch_that_writes_both_orders_tells_none() -> None:
    """One date with the day first among American ones is enough to doubt all."""
    cells = [*AMERICAN, BRITISH[0], ("5/8/2021", "2021-05-08")]
    assert ToldOrders(cells, [6]).rows(["US"] * 7) == []
    assert ToldOrders([*AMERICAN[:2], cells[-1]], [2]).rows(["US"] * 3) == []


def test_a_list_beside_a_date_tells_nothing() -> None:
    """It was looked up like a text, which a list cannot be."""
    assert ToldOrders([*AMERICAN, ("5/8/2021", "2021-05-08")], [5]).rows([["US"]] * 6) == []


def test_dates_are_read_once_however_many_columns_stand_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were read again for each: judging dates in 134 of 1,200 columns took more than 30 s, and so they failed."""
    read: list[str] = []

    def counting(texts: list[str]) -> Mapping[str, Counter[str]]:
        read.extend(texts)
        return first_parts(texts)

    monkeypatch.setattr(told_orders, "first_parts", counting)
    cells = [*AMERICAN, *BRITISH, ("5/8/2021", "2021-05-08")]
    before, after = ([cell[place] for cell in cells] for place in (0, 1))
    beside = {f"c{n}": [f"{n}"] * len(cells) for n in range(50)} | {"branch": [*BRANCHES, "US"]}
    case = SimpleNamespace(
        kept_input=pa.table({"when": before, **beside}),
        result=pa.table({"when": after, **beside}),
        by_row=False,
        masks={"when": [True] * len(cells)},
        contract=SimpleNamespace(adds=(), drops=()),
        values=lambda table, name: table.column(name).to_pylist(),
        pairs=lambda _: [],
    )
    observations = SimpleNamespace(shown=lambda _: [], agreed={}, conventions={}, instruction="")
    left = unsettled(cast("Any", case), cast("Any", observations), "when", before, range(len(cells)))
    assert left == before
    assert read == before
