"""A run's gate refuses functions of other shapes than its rows have, and hands the others on."""

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.fake import ScriptedGate
from orchestrator.run.shaped_gate import TableGate

ROWS = Sample(pa.table({"a": [" x"]}), pa.table({"a": ["y "]}))


@pytest.mark.parametrize("shape", ["record", "text"])
def test_functions_of_records_and_texts_are_refused(shape: str) -> None:
    """The verdict says what the proposer should write; nothing runs, and whoever watches hears of it."""
    inner, heard = ScriptedGate(), list[CheckResult]()
    source = f'CONTRACT = {{"shape": "{shape}", "modifies": ["a"]}}\ndef f(x):\n    return x\n'
    verdict = TableGate(inner).verify(source, ROWS, on_check=heard.append)
    assert verdict.verdict == "fail"
    assert "shape `table`" in verdict.failures[0].detail
    assert heard == list(verdict.checks)
    assert inner.asked == []


@pytest.mark.parametrize("source", ["def f(df):\n    return df\n", "no python"])
def test_everything_else_is_judged(source: str) -> None:
    """Functions of tables and texts that are no candidate go to the gate."""
    inner = ScriptedGate()
    assert TableGate(inner).verify(source, ROWS).verdict == inner.verify(source, ROWS).verdict
