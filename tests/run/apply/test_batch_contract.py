"""What the host demands of a batch, whatever the function that made it was proved to do."""

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract
from orchestrator.data.hostile.arrow_tables import INDEX
from orchestrator.run.rows.contract import ContractBroken, Expected, check_batch

TEXTS, NUMBERS = pa.array(["01", "2"]), pa.array([1, 2])
EXPECTED = Expected.of(["zip"], [Contract(modifies=("zip",))])


def returned(column: pa.Array) -> pa.Table:
    return pa.table({INDEX: pa.array([0, 1]), "zip": column})


@pytest.mark.parametrize(("before", "after"), [(TEXTS, NUMBERS), (NUMBERS, TEXTS)])
def test_text_stays_text_in_a_declared_column(before: pa.Array, after: pa.Array) -> None:
    """Numbers have lost the zeros in front, and a file of another format would get other cells than were judged."""
    with pytest.raises(ContractBroken, match=f"'zip' was {before.type} and came back as {after.type}"):
        check_batch(pa.table({"zip": before}), returned(after), EXPECTED)


def test_a_column_of_nulls_has_no_type_of_its_own() -> None:
    """pandas has no text type for one: whatever it comes back as, nothing was made a number."""
    batch = check_batch(pa.table({"zip": TEXTS}), returned(pa.nulls(2, pa.float64())), EXPECTED)
    assert batch.changed == {"zip": 2}
