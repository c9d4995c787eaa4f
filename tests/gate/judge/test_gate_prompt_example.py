"""What a model is shown as its answer passes the gate that judges the answer."""

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.data.record_tables import from_table
from orchestrator.gate.verifier import Verifier
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.replies.roles import read_mergers
from tests.propose.test_propose_prompts import rendered

CITIES = (" Bad  Tölz", "Ulm", "Bonn ", "Bad Bonn", "Neustadt  am Main")


@pytest.mark.parametrize("shape", ["table", "record", "text"])
def test_the_merger_that_a_planner_is_shown_passes(gate: Verifier, shape: str) -> None:
    """It failed on shuffled rows and on nulls: a planner that wrote its merger like that was refused for it."""
    text = "<consolidation_result>" + rendered("consolidate", "xml", shape).split("<consolidation_result>")[1]
    merger = read_mergers(ChatReply(text), ["trim_city", "collapse_blanks_in_city"], Shape(shape))[0]
    rows = [{"id": f"A{n:03}", "city": CITIES[n % 5]} for n in range(100)]
    table = pa.Table.from_pylist(rows) if shape == "table" else from_table(pa.Table.from_pylist(rows))
    verdict = gate.verify(VerifyRequest(merger.source, Sample(table.slice(0, 75), table.slice(75))))
    assert [(check.id, check.detail) for check in verdict.failures] == []
    assert verdict.passed
