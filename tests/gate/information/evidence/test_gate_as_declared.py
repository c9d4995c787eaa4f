"""What the user's conventions say of a column settles the cells that became it, and no others."""

from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.gate.information.row_evidence.as_declared import as_declared
from orchestrator.gate.verifier import Verifier

SIDES = ("north", "south", "other side", "west 1", "west 2")
DECLARED = [
    ({"dates": {"read": "mdy"}}, "09/04/2021", "2021-09-04", True),
    ({"dates": {"read": "mdy"}}, "09/04/2021", "2021-04-09", False),
    ({"dates": {"read": "dmy"}}, "09/04/2021", "2021-04-09", True),
    ({"dates": {"write": "yyyy-mm-dd"}}, "09/04/2021", "2021-04-09", False),
    ({"numbers": {"decimal": ","}}, "7,269", "7.269", True),
    ({"numbers": {"decimal": ","}}, "1.960,50 €", "1960.50 €", True),
    ({"numbers": {"decimal": ","}}, "7,269", 7.269, True),
    ({"numbers": {"decimal": ","}}, "7,269", "7269", False),
    ({"numbers": {"decimal": ","}}, "1.960,50 €", "1960.50", False),
    ({"numbers": {"decimal": ","}}, "7,269", "-7.269", False),
    ({"numbers": {"decimal": "."}}, "7,269", "7269", True),
    ({"numbers": {"decimal": "."}}, "7,269", "7.269", False),
    ({"numbers": {"decimal": "."}}, "1,2,3", "123", False),
    ({"numbers": {"whole": True}}, "7,269", "7.269", False),
    ({"values": SIDES}, "nroth", "north", True),
    ({"values": SIDES}, "SOUTH ", "south", True),
    ({"values": SIDES}, "south", "north", False),
    ({"values": SIDES}, "mouth", "mouths", False),
    ({"values": SIDES}, "east", "west 1", False),
    ({"values": SIDES}, "west 3", "west 1", False),
    ({"values": SIDES}, "", "north", False),
    ({"values": SIDES}, "north", None, False),
]


@pytest.mark.parametrize(("said", "before", "after", "right"), DECLARED)
def test_a_cell_is_as_declared_or_not(said: dict[str, Any], before: str, after: object, right: bool) -> None:
    """Dates in the declared order, numbers with the declared mark, and what is near to one allowed value only."""
    convention = ColumnConvention.model_validate(said)
    assert as_declared(convention, [("x", "x"), (before, after)], [1]) == ([1] if right else [])


@pytest.mark.parametrize(("order", "passes"), [("mdy", True), ("dmy", False), (None, False)])
def test_the_declared_order_of_dates_is_a_witness(gate: Verifier, order: str | None, passes: bool) -> None:
    """A function that reads months first passes where that is declared, and is held where it is not."""
    days = [f"{1 + row % 12:02}/{1 + row * 5 % 12:02}/{2010 + row % 9}" for row in range(80)]
    table = pa.table({"day": days, "id": [str(row) for row in range(80)]})
    source = '''"""Dates in another form."""
import re
import pandas as pd
CONTRACT = {"shape": "table", "modifies": ["day"]}
DATE = r"(\\d\\d)/(\\d\\d)/(\\d{4})"


def detect(df):
    """Where a date has slashes."""
    return pd.Series([isinstance(d, str) and re.fullmatch(DATE, d) is not None for d in df["day"]], index=df.index)


def iso_days(df):
    """Year, month and day."""
    days = [re.sub(f"^{DATE}$", r"\\3-\\1-\\2", d) if isinstance(d, str) else d for d in df["day"]]
    return df.assign(day=pd.Series(days, index=df.index, dtype=df["day"].dtype))
'''
    asked = None if order is None else Conventions.model_validate({"columns": {"day": {"dates": {"read": order}}}})
    request = VerifyRequest(source, Sample(table.slice(0, 60), table.slice(60)), quick=True, conventions=asked)
    verdict = gate.verify(request)
    assert verdict.passed is passes, verdict.failures or verdict.concerns
    assert verdict.passed or verdict.held
