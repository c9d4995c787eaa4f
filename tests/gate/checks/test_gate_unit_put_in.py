"""A unit or a currency that is put at bare numbers is suspected where nothing says that it is theirs."""

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract, Example
from orchestrator.gate.judge.observations import CaseObservation, OpResult
from tests.gate.checks.test_gate_unit_of_another import suspected_of


def kinds(name: str, form: str, *cells: str, beside: tuple[str, str] | None = None, shown: bool = False) -> set[str]:
    """What is suspected where the column's bare numbers get the form; `cells`: others, which stay as they are."""
    numbers = ["12.50", "7.25", "31.00", "80.10"]
    given = pa.table({name: [*numbers, *cells]})
    if beside is not None:
        given = given.append_column(beside[0], pa.array([beside[1]] * given.num_rows))
    made = given.set_column(0, name, pa.array([*(form.format(one) for one in numbers), *cells]))
    result = OpResult("returned", table=made, index=np.arange(given.num_rows, dtype=np.int64))
    example = Example(input={name: "5.00"}, output={name: form.format("5.00")})
    case = CaseObservation("working", given, Contract(modifies=(name,)), {"f": result})
    return suspected_of(case, [example] if shown else [])


@pytest.mark.parametrize("form", ["${}", "{} EUR", "{} kg", "{} mi"])
def test_a_unit_that_nothing_says_is_suspected(form: str) -> None:
    """Another one would be as good."""
    assert "words-added" in kinds("value", form)
    assert "words-added" not in kinds("value", form, shown=True)


@pytest.mark.parametrize(
    ("name", "form", "cells", "beside"),
    [
        ("weight_kg", "{} kg", (), None),
        ("price (USD)", "${}", (), None),
        ("value", "{} kg", ("3.10 kg",), None),
        ("value", "{} EUR", ("€3.10",), None),
        ("value", "{} EUR", (), ("currency", "EUR")),
        ("value", "{} kg", (), ("unit", "Kilo")),
    ],
)
def test_a_unit_that_the_name_the_column_or_the_row_says_is_believed(
    name: str, form: str, cells: tuple[str, ...], beside: tuple[str, str] | None
) -> None:
    assert "words-added" not in kinds(name, form, *cells, beside=beside)
