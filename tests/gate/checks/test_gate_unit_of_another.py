"""A unit that goes from a cell is suspected where the column's name or its row says another one."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract, Example, ExampleSource
from orchestrator.core.policy import GatePolicy
from orchestrator.gate.checks import keeps_information
from orchestrator.gate.judge.observations import CaseObservation, Observations, OpResult

PLAIN = ["12", "57", "230", "81"]


def kinds(
    name: str, before: str, after: Any, shown: Sequence[Example] = (), beside: Mapping[str, str] | None = None
) -> set[str]:
    """What is suspected where two cells of the column change so, and others are plain numbers."""
    given = pa.table({name: [*PLAIN, before, before], **{other: [cell] * 6 for other, cell in (beside or {}).items()}})
    made = given.set_column(0, name, pa.array([*PLAIN, after, after]))
    result = OpResult("returned", table=made, index=np.arange(6, dtype=np.int64))
    return suspected_of(CaseObservation("working", given, Contract(modifies=(name,)), {"f": result}), shown)


def suspected_of(case: CaseObservation, shown: Sequence[Example] = ()) -> set[str]:
    found = keeps_information.check(
        Observations(
            contract=case.contract, instruction="", has_detect=False, policy=GatePolicy(), cases={"working": case},
            examples=tuple(shown), sources=(ExampleSource.USER,) * len(shown),
        )
    )  # fmt: skip
    return {one.kind for one in found.concerns} if found else set()


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("distance_km", "140 mi", "140"),
        ("weight (kg)", "805 lbs", "805"),
        ("tempC", "97 °F", "97"),
        ("price_eur", "$472", "472"),
        ("speed_kmh", "72 mph", "72"),
        ("duration_h", "29 min", "29"),
    ],
)
def test_the_unit_of_another_column_is_no_decoration(name: str, before: str, after: str) -> None:
    assert "unit-dropped" in kinds(name, before, after)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("distance_km", "140 km", "140"),
        ("distance", "140 mi", "140"),
        ("price_min", "$47", "47"),
        ("temp_c", "97 °C", "97"),
        ("price_usd", "$472", "472"),
        ("distance_km", "140 mi", "225.3"),
        ("distance_km", "140 mi", "140 miles"),
        ("hours_per_day", "8 h", "8"),
        ("use_kWh", "140 kWh", "140"),
    ],
)
def test_a_unit_that_the_name_says_or_that_is_converted_is_none(name: str, before: str, after: str) -> None:
    assert "unit-dropped" not in kinds(name, before, after)


@pytest.mark.parametrize(("beside", "suspected"), [("EUR", True), ("USD", False)])
def test_the_row_may_say_the_currency(beside: str, suspected: bool) -> None:
    assert ("unit-dropped" in kinds("amount", "$472", "472", beside={"currency": beside})) == suspected


def test_an_example_settles_the_unit_that_it_drops_and_no_other() -> None:
    shown = [Example(input={"distance_km": "99 mi"}, output={"distance_km": "99"})]
    assert "unit-dropped" not in kinds("distance_km", "140 mi", "140", shown)
    assert "unit-dropped" in kinds("distance_km", "140 ft", "140", shown)


@pytest.mark.parametrize(("said", "suspected"), [("USD", False), ("EUR", True)])
def test_a_column_that_is_added_may_say_the_unit(said: str, suspected: bool) -> None:
    """An amount apart from its currency loses nothing where the new column names it, in each row."""
    given = pa.table({"price_eur": [*PLAIN, "$472", "$472"]})
    made = pa.table({"price_eur": [*PLAIN, "472", "472"], "currency": ["EUR"] * 4 + [said] * 2})
    contract = Contract(modifies=("price_eur",), adds=("currency",))
    result = OpResult("returned", table=made, index=np.arange(6, dtype=np.int64))
    case = CaseObservation("working", given, contract, {"f": result})
    assert ("unit-dropped" in suspected_of(case)) == suspected
