"""Days and spans of time that programs write where there is none, and that become empty."""

import datetime as dt
import random
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.information.emptied import values_emptied
from orchestrator.gate.information.null_tokens import stands_for_missing
from orchestrator.gate.verifier import Verifier

EMPTY = '''"""Some days stand for none."""
import pandas as pd
CONTRACT = {"modifies": ["born"]}
def none_for_days(df):
    """Empty them."""
    return df.assign(born=df["born"].where(df["born"] != pd.Timestamp("DAY")))
'''


def people(rows: int, seed: int, day: dt.datetime) -> pa.Table:
    draw = random.Random(seed)  # noqa: S311 - data for a test
    born = [dt.datetime(1950, 1, 1) + dt.timedelta(days=draw.randrange(20_000)) for _ in range(rows)]  # noqa: DTZ001
    born[::20] = [day] * len(born[::20])
    return pa.table({"id": [f"P{n}" for n in range(rows)], "born": pa.array(born, pa.timestamp("us"))})


@pytest.mark.parametrize(("day", "fails"), [("1900-01-01", False), ("9999-12-31", False), ("1961-05-04", True)])
def test_a_day_that_stands_for_none_may_become_empty(gate: Verifier, day: str, fails: bool) -> None:
    """Also where no `detect` says so; another day is lost."""
    tables = [people(rows, rows, dt.datetime.fromisoformat(day)) for rows in (100, 40)]
    verdict = gate.verify(VerifyRequest(EMPTY.replace("DAY", day), Sample(*tables), quick=True))
    assert (verdict.verdict is Outcome.FAIL) is fails


@pytest.mark.parametrize(
    ("value", "none"),
    [
        (dt.date(1970, 1, 1), True),
        (dt.datetime(1900, 1, 1, 8, 30), False),  # noqa: DTZ001
        (dt.datetime(2262, 4, 11, 23, 47, 16), True),  # noqa: DTZ001
        (dt.timedelta(seconds=-1), True),
        (dt.timedelta(seconds=-2), False),
        (dt.date(1970, 1, 2), False),
    ],
)
def test_which_days_stand_for_none(value: Any, none: bool) -> None:
    """A time of day alone is written as one of the first day of a calendar."""
    assert stands_for_missing(value) is none


def test_one_day_among_those_that_stay_is_a_value() -> None:
    """Somebody may be born on it; three rows and more have it for another reason."""
    stay, epoch = [dt.date(1950 + n, 5, 1) for n in range(40)], dt.date(1970, 1, 1)
    assert values_emptied([*stay, epoch], [*stay, None]) == [40]
    assert values_emptied([*stay, *[epoch] * 3], [*stay, *[None] * 3]) == []
