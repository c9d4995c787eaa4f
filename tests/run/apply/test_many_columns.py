"""Tables of many columns: what is demanded of a batch costs as much as its columns, not as their square."""

from collections.abc import Callable

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract
from orchestrator.data.cells import has_column
from orchestrator.data.hostile.arrow_tables import INDEX, write_table
from orchestrator.data.hostile.decode_entry import decode, read_decoded, request
from orchestrator.data.profile.effect_counts import count_effects
from orchestrator.run.apply.planted_formulas import planted_formulas
from orchestrator.run.rows.contract import Expected, check_batch
from tests.data.hostile.test_decode_main import output
from tests.support.cpu_time import assert_growth

FEW, MANY = 240, 1_920  # eight times as many: a square takes 64 times as long


def checked(columns: int) -> Callable[[], object]:
    """What apply does with an untouched batch of so many columns, after its function has run."""
    source = pa.table({f"c{i}": ["a", "b"] for i in range(columns)})
    sent = pa.table([pa.array([0, 1]), *[pa.nulls(2)] * columns], names=[INDEX, *source.column_names])
    answer = decode(request(output(write_table(sent), same=list(range(1, columns + 1))), records=False, detect=False))
    expected = Expected.of(source.column_names, [Contract(modifies=("c0",))])

    def work() -> None:
        decoded = read_decoded(answer, source)
        assert decoded.table is not None
        batch = check_batch(source, decoded.table, expected, decoded.same)
        count_effects(source, batch.table, batch.rows, batch.masks)
        assert not planted_formulas(source, batch.table, source.column_names)

    return work


def test_what_a_batch_costs_grows_with_its_columns_and_not_with_their_square() -> None:
    """Eight times as many columns take about eight times as long; they took more than 50 times as long."""
    assert_growth(checked(FEW), checked(MANY), below=20)


@pytest.mark.parametrize(("name", "there"), [("a", True), ("b", True), ("c", False), ("", False)])
def test_a_column_is_there_by_its_name(name: str, there: bool) -> None:
    """Also where two columns have the name."""
    assert has_column(pa.table([[1], [2], [3]], names=["a", "b", "b"]), name) is there
