"""A request for one shape refuses functions of the others, whatever gate is asked."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.ports import Disposable, Gate, Sample, VerifyRequest
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

if TYPE_CHECKING:
    from orchestrator.core.verdict import CheckResult

ROWS = Sample(pa.table({"a": [" x"]}), pa.table({"a": ["y "]}))


class Unasked(LocalSandbox):
    """A sandbox in which nothing may run."""

    def run(self, job: Job) -> JobResult:
        raise AssertionError(f"{job.programs[0].name} ran")


def of(shape: Shape) -> str:
    """A function of the shape that the gate's screen lets through."""
    contract = f'CONTRACT = {{"shape": "{shape}", "modifies": ["a"]}}\n'
    if shape is not Shape.FITTED:
        return f'{contract}def f(x):\n    """As it was."""\n    return x\n'
    learning = "def fit(df):\n    return {}\ndef merge(one, other):\n    return one\n"
    return f'{contract}{learning}def f(df, state):\n    """As it was."""\n    return df\n'


def scripted(_: Disposable) -> Gate:
    return ScriptedGate()


def real(disposable: Disposable) -> Gate:
    return Verifier(Unasked(), disposable)


OF_ANOTHER = [
    (shape, run) for shape in Shape for run in Shape if shape is not run and {shape, run} != {Shape.TABLE, Shape.FITTED}
]
OF_THE_RUN = [(shape, run) for shape in Shape for run in Shape if (shape, run) not in OF_ANOTHER]


@pytest.mark.parametrize("gate", [scripted, real])
@pytest.mark.parametrize(("shape", "run"), OF_ANOTHER)
def test_only_functions_of_the_run_s_shape_are_judged(
    shape: Shape, run: Shape, gate: Callable[[Disposable], Gate], disposable: DisposableProcess
) -> None:
    """The verdict on another says what the proposer should write; nothing runs, and whoever watches hears of it."""
    heard: list[CheckResult] = []
    verdict = gate(disposable).verify(VerifyRequest(of(shape), ROWS, shape=run), on_check=heard.append)
    assert verdict.verdict == "fail"
    assert "write a function" in verdict.failures[0].detail
    assert f"the shape `{run}` in its CONTRACT" in verdict.failures[0].detail
    assert heard == list(verdict.checks)


@pytest.mark.parametrize(("shape", "run"), OF_THE_RUN)
def test_functions_of_the_run_s_shape_are_run(shape: Shape, run: Shape, disposable: DisposableProcess) -> None:
    """Both gates judge them; a fitted function and a function of tables clean the same rows, so each may be either."""
    request = VerifyRequest(of(shape), ROWS, shape=run)
    fake = ScriptedGate()
    fake.verify(request)
    assert len(fake.asked) == 1
    with pytest.raises(AssertionError, match=" ran"):
        real(disposable).verify(request)


@pytest.mark.parametrize("run", list(Shape))
def test_what_is_no_candidate_is_the_gate_s_to_judge(run: Shape) -> None:
    """The gate itself says what is wrong with a text that holds none."""
    gate = ScriptedGate()
    asked, plain = (gate.verify(VerifyRequest("no python", ROWS, shape=shape)) for shape in (run, None))
    assert asked.checks == plain.checks


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("no python", "the source is not valid Python in line 1: invalid syntax"),
        (
            of(Shape.FITTED).replace("def merge", "def _merge"),
            "needs `merge` beside it. Write fit(df) -> state, merge(state, state) -> state and transform(df, state)",
        ),
        (of(Shape.RECORD), "the contract says the shape `record`, and this run is for the shape `fitted`: write a "),
        (
            of(Shape.TEXT).replace('"modifies"', '"replaces": "g", "modifies"'),
            "the shape `fitted` in its CONTRACT; the contract replaces 'g', which is no function that may be",
        ),
    ],
)
def test_the_fake_gate_refuses_in_the_words_of_the_real_one(
    source: str, told: str, disposable: DisposableProcess
) -> None:
    """A run loop that is tested with it shows its proposer what it would be shown."""
    request = VerifyRequest(source, ROWS, shape=Shape.FITTED, may_replace=())
    fake, true = (gate(disposable).verify(request).failures for gate in (scripted, real))
    assert [(check.id, check.detail, check.cases) for check in fake] == [
        (check.id, check.detail, check.cases) for check in true
    ]
    assert told in true[0].detail
