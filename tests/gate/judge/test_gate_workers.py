"""A verdict on a cluster: which worker looks first, which looks again, and which one is to blame."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pyarrow as pa

from orchestrator.core.errors import GuestProtocolError
from orchestrator.core.jobs import GuestEnvironment, Job, JobResult
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate import canary
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"].notna() & (df["city"] != df["city"].str.strip())
def trim_city(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip())
'''
ROWS = pa.table({"id": ["1", "2", "3"], "city": [" Rome", "Oslo ", "Lima"]})
REQUEST = VerifyRequest(TRIM, Sample(ROWS, ROWS.slice(0, 0)), quick=True)


class TwoWorkers:
    """Where either may run a job, `b` does; only then the canary goes to `a`. All containers of `broken` break."""

    def __init__(self, inner: LocalSandbox, broken: str = "") -> None:
        self._inner, self._broken = inner, broken
        self.ran: list[tuple[str, Job]] = []

    def run(self, job: Job) -> JobResult:
        free = "a" if job.not_on == "b" or job.programs[0].source == canary.SOURCE else "b"
        worker = job.on or free
        self.ran.append((worker, job))
        if worker == self._broken:
            error = GuestProtocolError("gone")
            error.worker = worker
            raise error
        return replace(self._inner.run(job), worker=worker)

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator["TwoWorkers"]:
        yield self

    def close(self) -> None:
        """Nothing of its own to close."""


def test_the_second_look_is_another_worker_s(gate: Verifier, local_sandbox: LocalSandbox) -> None:
    """What the first container of a verdict made is confirmed elsewhere."""
    workers = TwoWorkers(local_sandbox)
    assert Verifier(workers, gate._disposable).verify(REQUEST).passed
    looks = [(worker, job.environment.full) for worker, job in workers.ran]
    assert looks == [("b", GuestEnvironment.FIRST), ("a", GuestEnvironment.CONFIRM)]


def test_a_worker_whose_containers_break_is_not_the_candidate_s_fault(
    gate: Verifier, local_sandbox: LocalSandbox
) -> None:
    """The canary runs where the container broke: on another worker it would pass, and the candidate be blamed."""
    workers = TwoWorkers(local_sandbox, broken="b")
    verdict = Verifier(workers, gate._disposable).verify(REQUEST)
    assert verdict.verdict is Outcome.INFRA
    worker, last = workers.ran[-1]
    assert (worker, last.programs[0].source) == ("b", canary.SOURCE)
