"""Which kinds of values a record's key may have: those that it has in the sample, also where rows are drawn."""

import pytest

from orchestrator.core.candidate import Contract, Shape
from orchestrator.core.jobs import Op
from orchestrator.data.hostile.reply import OpRecord
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.gate.checks import dtypes_kept
from orchestrator.gate.judge.record_observations import RecordCases
from orchestrator.gate.properties.property_runner import kinds_in

RATINGS = table_of([row_of({"id": 1, "rating": "4/5"}), row_of({"id": 2, "rating": 3})], ("id", "rating"))
CONTRACT = Contract(shape=Shape.RECORD, modifies=("rating",))


@pytest.mark.parametrize(("known", "fits"), [(kinds_in(RATINGS), True), ({}, False), ({"rating": ("text",)}, False)])
def test_drawn_rows_may_become_what_the_sample_holds(known: dict[str, tuple[str, ...]], fits: bool) -> None:
    """A text becomes a number where the key has numbers, though no drawn row that is judged with it has one."""
    cases = RecordCases(CONTRACT, known)
    cases.add("usual", 0, b'{"rating":"2/5"}', [OpRecord(0, Op.F, "returned", body=b'{"rating":2}')])
    assert (dtypes_kept.violation(cases.observations()["usual"]) is None) is fits
