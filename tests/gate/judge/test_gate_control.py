"""Before a candidate is blamed for its time, a function of known cost does the same work on the same machine."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pyarrow as pa
import pytest

from orchestrator import bootstrap
from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Child, ChildResult, Ended, Job, JobResult, Program, SandboxInfo
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.record_tables import lines_of, row_of, table_of
from orchestrator.gate import control, starvation
from orchestrator.gate.properties.loads import BASE_ROWS, is_load, load_rows
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def trim_city(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip())
def detect(df):
    return df["city"] != df["city"].str.strip()
'''
ROWS = pa.table({"city": [" Rome", "Oslo ", "Lima", "Ulm  "] * 5})
Machine = Callable[[Child, int], ChildResult]


class StretchingSandbox:
    """A machine on which time is longer. `loads` says what a load costs, of candidates (1) and of the control (0).

    `stretch`: from this many containers on, the wall time of everything is so many times as long as it should be.
    """

    def __init__(self, inner: LocalSandbox, loads: Machine | None, stretch: Callable[[], float]) -> None:
        self._inner, self._loads, self._stretch = inner, loads, stretch
        self.controls = 0

    def run(self, job: Job) -> JobResult:
        if job.programs == starvation.loop().programs:
            return JobResult((ChildResult(Ended.TIMEOUT, cpu_s=1.0, wall_s=2.0),), SandboxInfo())
        known = job.programs[0].name == control.NAME
        self.controls += known
        done = self._inner.run(job)
        children = tuple(
            self._seen(child, one, 0 if known else 1) for child, one in zip(job.children, done.children, strict=True)
        )
        return JobResult(children, done.info, done.wait_s, done.sandbox_s)

    def _seen(self, child: Child, result: ChildResult, power: int) -> ChildResult:
        if is_load(child) and self._loads is not None:
            return replace(self._loads(child, power), output=result.output)
        wall_s = result.wall_s * self._stretch()
        if wall_s > child.limits.wall_s:
            return ChildResult(Ended.TIMEOUT, cpu_s=0.6 * child.limits.cpu_s, wall_s=child.limits.wall_s)
        return result

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator["StretchingSandbox"]:
        yield self

    def close(self) -> None:
        """Nothing of its own to close."""


def cost(of_candidate: Callable[[float], float], of_control: Callable[[float], float]) -> Machine:
    """Processor seconds of a load, by its rows where the base load is 1."""

    def run(child: Child, power: int) -> ChildResult:
        share = load_rows(child) / BASE_ROWS
        seconds = (of_candidate if power else of_control)(share)
        ended = Ended.OK if seconds < child.limits.cpu_s else Ended.TIMEOUT
        return ChildResult(ended, cpu_s=min(seconds, child.limits.cpu_s), wall_s=seconds)

    return run


def square(share: float) -> float:
    return 0.01 + 0.5 * share**2


def line(share: float) -> float:
    return 0.01 + 0.1 * share


@pytest.fixture
def judged(local_sandbox: LocalSandbox, disposable: DisposableProcess) -> Callable[..., tuple[Verdict, int]]:
    def ask(
        loads: Machine | None = None, stretch: Callable[[], float] = lambda: 1.0, *, quick: bool = False
    ) -> tuple[Verdict, int]:
        sandbox = StretchingSandbox(local_sandbox, loads, stretch)
        verdict = Verifier(sandbox, disposable, seed=lambda: 5).verify(
            VerifyRequest(TRIM, Sample(ROWS, ROWS), quick=quick)
        )
        return verdict, sandbox.controls

    return ask


Ask = Callable[..., tuple[Verdict, int]]


def of(verdict: Verdict, check: str) -> CheckResult:
    return next(one for one in verdict.checks if one.id == check)


def test_what_is_in_time_needs_no_control(judged: Ask) -> None:
    """It costs nothing where nothing is too slow."""
    verdict, controls = judged(cost(line, line))
    assert (verdict.verdict, controls) == (Outcome.PASS, 0)


def test_cost_that_grows_for_everybody_is_the_machine(judged: Ask) -> None:
    """The control grows as fast, which it cannot do: the verdict is `infra`, and nobody is blamed."""
    verdict, controls = judged(cost(square, square))
    assert (verdict.verdict, controls) == (Outcome.INFRA, 1)
    assert "too busy" in of(verdict, "resources").detail


def test_cost_that_grows_for_the_candidate_alone_is_its_fault(judged: Ask) -> None:
    """The control stays in line on the same rows."""
    verdict, controls = judged(cost(square, line))
    assert (verdict.verdict, controls) == (Outcome.FAIL, 1)
    assert "grows faster than the rows" in of(verdict, "resources").detail


def test_the_lowest_of_three_measurements_counts(judged: Ask) -> None:
    """Two bad moments blame nobody."""
    moments = iter([*[square] * 8, *[line] * 100])
    verdict, controls = judged(cost(lambda share: next(moments)(share), line))  # noqa: PLW0108 - the next one at each call
    assert (verdict.verdict, controls) == (Outcome.PASS, 1)


def test_a_machine_on_which_everything_is_late_is_infra(judged: Ask) -> None:
    """The endless loop gets its share of a processor, and still nothing ends in time: not even the control does."""
    verdict, controls = judged(stretch=lambda: 1e6, quick=True)
    assert (verdict.verdict, controls) == (Outcome.INFRA, 1)
    assert "a simple function ran out of time as well" in of(verdict, "executed").detail


def test_busy_times_reject_nobody(judged: Ask) -> None:
    """Whenever they begin and end: a right function passes, or the verdict is `infra`."""
    ends = set()
    for begin in range(12):
        clock = iter(range(10_000))
        verdict, _ = judged(stretch=lambda c=clock, b=begin: 1e6 if next(c) in range(b, b + 5) else 1.0, quick=True)
        ends.add(verdict.verdict)
        assert verdict.verdict in (Outcome.PASS, Outcome.INFRA), [one.detail for one in verdict.failures]
    assert Outcome.PASS in ends


@pytest.mark.parametrize("shape", [Shape.TABLE, Shape.RECORD, Shape.TEXT])
def test_the_control_manages_every_shape(local_sandbox: LocalSandbox, shape: Shape) -> None:
    """It ends well on the inputs of a candidate of any shape, with all ops, and changes nothing."""
    candidate = Program("f", "def f(x):\n    return x\n", shape, ("city",) if shape is Shape.TEXT else ())
    stage = _stage(shape)
    made = control.job(Job((candidate,), stage.children, stage.environment), stage.children)
    [result] = local_sandbox.run(made).children
    assert result.ended is Ended.OK
    assert b"Traceback" not in result.output
    assert result.cpu_s < 5


def _stage(shape: Shape) -> Job:
    from orchestrator.core.jobs import Case, Op
    from orchestrator.data.hostile.arrow_tables import write_table

    rows = [{"city": f" Rome {n}"} for n in range(500)]
    data = write_table(pa.Table.from_pylist(rows))
    if shape is not Shape.TABLE:
        data = lines_of(table_of([row_of(row) for row in rows], ["city"]))
    return Job((), (Child((Case("working", data, (Op.F, Op.FF, Op.DETECT)),)),))


@pytest.mark.docker
def test_under_load_a_right_function_is_not_rejected() -> None:
    """Processes that keep the processors busy for the time of the verdict are not its fault."""
    hogs = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(os.cpu_count() or 2)]
    try:
        with bootstrap.sandboxed(Policy(), verdicts=1) as services:
            right = services.gate.verify(VerifyRequest(TRIM, Sample(ROWS, ROWS)))
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    assert right.verdict in (Outcome.PASS, Outcome.INFRA), [one.detail for one in right.failures]


HOG = "import time\nend = time.monotonic() + 90\nwhile time.monotonic() < end: pass"
