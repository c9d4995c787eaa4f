"""The counterexample of rows that are gone shows such rows."""

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Counterexample
from orchestrator.gate.verifier import Verifier

ROWS = pa.table(
    {
        "id": [f"A{n}" for n in range(60)],
        "city": [None if n in {7, 30} else f" ulm {n % 5}" for n in range(60)],
    }
)
DROPS = '''"""Tidy."""
CONTRACT = {{"modifies": {modifies}}}
def detect(df):
    return df["city"] != df["city"].str.strip()
def f(df):
    """Tidy."""
    out = df.dropna(){then}
    out["city"] = out["city"].str.strip()
    return out
'''


def shown(gate: Verifier, source: str) -> Counterexample:
    verdict = gate.verify(VerifyRequest(source, Sample(ROWS, ROWS)))
    (check,) = [check for check in verdict.failures if check.id == "rows-kept"]
    assert check.counterexample is not None
    return check.counterexample


@pytest.mark.parametrize("then", ["", ".drop_duplicates()", ".reset_index(drop=True)"])
def test_rows_that_are_gone_are_shown(gate: Verifier, then: str) -> None:
    """Also where the rows are numbered again, as far as the columns tell that the function does not change."""
    found = shown(gate, DROPS.format(modifies=["city"], then=then))
    assert [row["city"] for row in found.input] == [None] * len(found.input) != []
    assert found.output == ()


def test_where_nothing_tells_which_rows_are_gone_the_first_ones_are_shown(gate: Verifier) -> None:
    """A function that may change every column, and numbers the rows again."""
    found = shown(gate, DROPS.format(modifies=["id", "city"], then=".reset_index(drop=True)"))
    assert (len(found.input), len(found.output)) == (3, 3)
