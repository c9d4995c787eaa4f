"""What a busy machine stopped is not the candidate's fault; what sleeps is."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pyarrow as pa
import pytest

from orchestrator.core.jobs import Child, ChildResult, Ended, Job, JobResult, Limits, SandboxInfo
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate import control, starvation
from orchestrator.gate.starvation import slept, starved, stopped_early
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def trim_city(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip())
'''
SLEEPS = TRIM.replace("    return", "    import time; time.sleep(60)\n    return")
ROWS = pa.table({"id": ["1", "2", "3"], "city": [" Rome", "Oslo ", "Lima"]})
CASE = starvation.loop().children[0].cases[0]
Stop = Callable[[Child], ChildResult]


class BusySandbox:
    """Stops the candidate's first jobs with what `stop` says, and gives the endless loop a share of a processor."""

    def __init__(self, inner: LocalSandbox, share: float, stop: Stop, times: int) -> None:
        self._inner, self._share, self._stop, self._times = inner, share, stop, times
        self.sources: list[str] = []

    def run(self, job: Job) -> JobResult:
        self.sources.append(job.programs[0].source)
        if job.programs == starvation.loop().programs:
            return self._made([ChildResult(Ended.TIMEOUT, cpu_s=2.0 * self._share, wall_s=2.0)])
        if self._times == 0 or job.programs[0].name == control.NAME:
            return self._inner.run(job)
        self._times -= 1
        return self._made([self._stop(child) for child in job.children])

    def _made(self, children: list[ChildResult]) -> JobResult:
        return JobResult(tuple(children), SandboxInfo())

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator["BusySandbox"]:
        yield self

    def close(self) -> None:
        """Nothing of its own to close."""


def used(share: float) -> Stop:
    """Every child is stopped by the wall clock, after it had that share of a processor."""
    return lambda child: ChildResult(Ended.TIMEOUT, cpu_s=share * child.limits.wall_s, wall_s=child.limits.wall_s)


def never_started(_child: Child) -> ChildResult:
    """What the host says of a container that has not answered in time."""
    return ChildResult(Ended.TIMEOUT)


@pytest.fixture
def verdict_of(local_sandbox: LocalSandbox, disposable: DisposableProcess) -> Callable[..., Verdict]:
    def ask(share: float, stop: Stop, times: int, policy: Policy | None = None) -> Verdict:
        sandbox = BusySandbox(local_sandbox, share, stop, times)
        sample = Sample(ROWS, ROWS)
        return Verifier(sandbox, disposable, policy).verify(VerifyRequest(TRIM, sample, quick=True))

    return ask


def executed(verdict: Verdict) -> CheckResult:
    return next(check for check in verdict.checks if check.id == "executed")


def test_a_starved_candidate_is_judged_again(verdict_of: Callable[..., Verdict]) -> None:
    """One measurement blames nobody: when the machine has time again, the function passes."""
    for stop in (used(0.1), never_started):
        assert verdict_of(0.1, stop, 1).passed


def test_a_machine_that_stays_busy_is_infra(verdict_of: Callable[..., Verdict]) -> None:
    """A function that got as little time as an endless loop could not be judged."""
    for stop in (used(0.05), never_started):
        verdict = verdict_of(0.05, stop, 1000)
        assert verdict.verdict is Outcome.INFRA
        assert "too busy" in executed(verdict).detail


def test_an_endless_loop_is_no_riddle_of_a_busy_machine(verdict_of: Callable[..., Verdict]) -> None:
    """Run again, it is given so much wall time that it uses up its processor time: that is a failure, not `infra`."""

    def loops(child: Child) -> ChildResult:
        cpu_s = min(0.3 * child.limits.wall_s, child.limits.cpu_s)
        return ChildResult(Ended.TIMEOUT, cpu_s=cpu_s, wall_s=cpu_s / 0.3)

    assert verdict_of(0.3, loops, 1000).verdict is Outcome.FAIL


def test_patience_has_an_end() -> None:
    """More wall time for a busy machine, never less than before, and never more than four times as much."""
    child = Child((CASE,), Limits(cpu_s=2.0, wall_s=5.0))
    assert starvation.patient(child, 0.5).limits == Limits(cpu_s=2.0, wall_s=8.0)
    assert starvation.patient(child, 0.01).limits == Limits(cpu_s=2.0, wall_s=20.0)
    assert starvation.patient(child, 1.0) == child


def test_a_candidate_that_waits_fails(verdict_of: Callable[..., Verdict]) -> None:
    """It used far less than the loop got, on a quiet machine and on a busy one."""
    for share in (1.0, 0.2):
        verdict = verdict_of(share, used(0.005), 1000)
        assert verdict.verdict is Outcome.FAIL
        assert "stopped" in executed(verdict).detail


def test_a_quiet_machine_excuses_nobody(verdict_of: Callable[..., Verdict]) -> None:
    """Half asleep is too slow as well where the loop gets a whole processor, or all that the policy gives."""
    assert verdict_of(0.9, used(0.1), 1000).verdict is Outcome.FAIL
    narrow = Policy(container=ContainerPolicy(cpus=0.2))
    assert verdict_of(0.19, used(0.13), 1000, narrow).verdict is Outcome.FAIL


def test_a_sleeper_fails(local_sandbox: LocalSandbox, disposable: DisposableProcess) -> None:
    """A real one, on this machine as it is: quiet, or so busy that it is given more time before it is stopped."""
    policy = Policy(limits=Limits(wall_s=4.0, cpu_s=4.0))
    request = VerifyRequest(SLEEPS, Sample(ROWS, ROWS), screen=False, quick=True)
    verdict = Verifier(local_sandbox, disposable, policy).verify(request)
    assert verdict.verdict is Outcome.FAIL
    stopped = re.match(r"it was stopped after (\d+\.\d) s", executed(verdict).detail)
    assert stopped
    assert 2.0 <= float(stopped[1]) < 60.0


def test_what_used_its_time_is_not_run_again() -> None:
    """An endless loop that ran into its processor time, and what was not started after it, are no question."""
    child = Child((CASE,), Limits(cpu_s=1.0, wall_s=5.0), ends_job=True)
    spent, idle = ChildResult(Ended.TIMEOUT, cpu_s=1.0, wall_s=2.0), ChildResult(Ended.TIMEOUT)
    assert stopped_early([child, child], [spent, idle]) == []
    assert stopped_early([child, child], [idle, idle]) == [0, 1]
    assert stopped_early([child, child], [ChildResult(Ended.OK), ChildResult(Ended.MEMORY)]) == []


def test_a_large_load_that_is_stopped_is_evidence() -> None:
    """It bounds the cost from below and is not run again; the load that a function must manage is."""
    large = Child((replace(CASE, id="load~12800"),))
    base = Child((replace(CASE, id="load"),))
    assert stopped_early([large, base], [ChildResult(Ended.TIMEOUT)] * 2) == [1]


def test_sleeping_is_told_from_starving() -> None:
    """Processor time in wall time, against that of the endless loop."""
    nothing = [ChildResult(Ended.TIMEOUT, cpu_s=0.02, wall_s=5.0)]
    some = [ChildResult(Ended.TIMEOUT, cpu_s=1.0, wall_s=5.0)]
    assert slept(nothing)
    assert not slept(some)
    assert not slept([ChildResult(Ended.TIMEOUT)])
    assert starved(some, 0.2)
    assert not starved(some, 0.9)
    assert not starved(nothing, 0.2)
