"""A run's gate refuses functions of other shapes than its own, and hands the others on."""

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.ports import Sample
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.fake import ScriptedGate
from orchestrator.run.shaped_gate import ShapedGate

ROWS = Sample(pa.table({"a": [" x"]}), pa.table({"a": ["y "]}))


def of(shape: str) -> str:
    return f'CONTRACT = {{"shape": "{shape}", "modifies": ["a"]}}\ndef f(x):\n    return x\n'


@pytest.mark.parametrize("run", list(Shape))
@pytest.mark.parametrize("shape", list(Shape))
def test_only_functions_of_the_run_s_shape_are_judged(shape: Shape, run: Shape) -> None:
    """The verdict on another says what the proposer should write; nothing runs, and whoever watches hears of it."""
    inner, heard = ScriptedGate(), list[CheckResult]()
    verdict = ShapedGate(inner, run).verify(of(shape), ROWS, on_check=heard.append)
    if shape is run:
        assert len(inner.asked) == 1
        return
    assert verdict.verdict == "fail"
    assert "write a function" in verdict.failures[0].detail
    assert f"the shape `{run}` in its CONTRACT" in verdict.failures[0].detail
    assert heard == list(verdict.checks)
    assert inner.asked == []


@pytest.mark.parametrize("run", list(Shape))
def test_what_is_no_candidate_is_the_gate_s_to_judge(run: Shape) -> None:
    """The gate itself says what is wrong with a text that holds none."""
    inner = ScriptedGate()
    assert ShapedGate(inner, run).verify("no python", ROWS).checks == inner.verify("no python", ROWS).checks
