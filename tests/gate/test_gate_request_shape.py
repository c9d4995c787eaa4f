"""A request for one shape refuses functions of the others, whatever gate is asked."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.ports import Disposable, Gate, Sample, VerifyRequest
from orchestrator.data.disposable.client import DisposableProcess
from orchestrator.gate.fake import ScriptedGate
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

if TYPE_CHECKING:
    from orchestrator.core.verdict import CheckResult

ROWS = Sample(pa.table({"a": [" x"]}), pa.table({"a": ["y "]}))


class Unasked(LocalSandbox):
    """A sandbox in which nothing may run."""

    def run(self, job: Job) -> JobResult:
        raise AssertionError(f"{job.programs[0].name} ran")


def of(shape: str) -> str:
    return f'CONTRACT = {{"shape": "{shape}", "modifies": ["a"]}}\ndef f(x):\n    return x\n'


def scripted(_: Disposable) -> Gate:
    return ScriptedGate()


def real(disposable: Disposable) -> Gate:
    return Verifier(Unasked(), disposable)


@pytest.mark.parametrize("gate", [scripted, real])
@pytest.mark.parametrize("run", list(Shape))
@pytest.mark.parametrize("shape", list(Shape))
def test_only_functions_of_the_run_s_shape_are_judged(
    shape: Shape, run: Shape, gate: Callable[[Disposable], Gate], disposable: DisposableProcess
) -> None:
    """The verdict on another says what the proposer should write; nothing runs, and whoever watches hears of it."""
    if shape is run:
        inner = ScriptedGate()
        inner.verify(VerifyRequest(of(shape), ROWS, shape=run))
        assert len(inner.asked) == 1
        return
    heard: list[CheckResult] = []
    verdict = gate(disposable).verify(VerifyRequest(of(shape), ROWS, shape=run), on_check=heard.append)
    assert verdict.verdict == "fail"
    assert "write a function" in verdict.failures[0].detail
    assert f"the shape `{run}` in its CONTRACT" in verdict.failures[0].detail
    assert heard == list(verdict.checks)


@pytest.mark.parametrize("run", list(Shape))
def test_what_is_no_candidate_is_the_gate_s_to_judge(run: Shape) -> None:
    """The gate itself says what is wrong with a text that holds none."""
    gate = ScriptedGate()
    asked, plain = (gate.verify(VerifyRequest("no python", ROWS, shape=shape)) for shape in (run, None))
    assert asked.checks == plain.checks
