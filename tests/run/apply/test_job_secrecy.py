"""A function cannot tell whether it is judged or applied: what it finds of its job is the same in both situations."""

import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import ApplyAuditFailed
from orchestrator.core.jobs import Case, Child, ChildResult, GuestEnvironment, Job, JobResult, Op, Program
from orchestrator.core.policy import TABLES_OF_A_PROCESS, Policy
from orchestrator.core.ports import Sample, SandboxAccess, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.data.hostile.arrow_tables import read_table, write_table
from orchestrator.data.hostile.reply import read_records
from orchestrator.gate.judge.judge_entry import ENTRY
from orchestrator.gate.verifier import Verifier
from orchestrator.run.apply.apply import apply_functions
from orchestrator.run.apply.function_runner import FunctionRunner
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.support.forgiving_decoder import ForgivingDecoder

SPY = """
CONTRACT = {"modifies": ["city"]}
import gc, json, os, resource, sys

def spy(df):
    found = {"environ": dict(os.environ), "argv": sys.argv, "cwd": os.getcwd(), "fds": os.listdir("/proc/self/fd")}
    found["comm"] = open("/proc/self/comm").read()
    found["cmdline"] = open("/proc/self/cmdline").read()
    found["limits"] = [resource.getrlimit(what) for what in (
        resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE)]
    found["frames"] = []
    frame = sys._getframe()
    while frame is not None:
        plain = {name: one for name, one in frame.f_locals.items() if isinstance(one, (str, int)) and "pid" not in name}
        found["frames"].append([frame.f_code.co_name, sorted(frame.f_locals), plain])
        frame = frame.f_back
    found["jobs"] = sorted(json.dumps(one, sort_keys=True, default=str) for one in gc.get_objects()
                           if isinstance(one, dict) and ("cases" in one or "ops" in one or "children" in one))
    found["tables"] = len([one for one in gc.get_objects() if isinstance(one, bytes) and b"ARROW" in one])
    out = df.copy()
    out["city"] = "SPY" + json.dumps(found, sort_keys=True)
    return out
"""


class Recording:
    """A sandbox with one process for each job or session, as containers are; keeps jobs and answers."""

    def __init__(self) -> None:
        self.done: list[tuple[Job, JobResult]] = []

    def run(self, job: Job) -> JobResult:
        with LocalSandbox(warm=False) as sandbox:
            return self._kept(job, sandbox.run(job))

    @contextmanager
    def session(self, *, alone: bool = False) -> "Iterator[Any]":
        with LocalSandbox() as sandbox:
            outer = self

            class Session:
                def run(self, job: Job) -> JobResult:
                    return outer._kept(job, sandbox.run(job))

            yield Session()

    def close(self) -> None:
        """Nothing is kept."""

    def _kept(self, job: Job, result: JobResult) -> JobResult:
        self.done.append((job, result))
        return result


def seen(child: Child, result: ChildResult, case: int = 0) -> dict[str, Any]:
    """What the function wrote down for one of the cases of a process."""
    records = read_records(result.output, [case.ops for case in child.cases], echo=[c.echo_input for c in child.cases])
    record = next(one for one in records if one.case == case and one.op == Op.F)
    city = read_table(record.body).column("city").to_pylist()[0]
    found: dict[str, Any] = json.loads(city.removeprefix("SPY"))
    found["jobs"] = [re.sub(r"\"blobs\": \[[^]]*\]", '"blobs": []', one) for one in found["jobs"]]
    for _, _, plain in found["frames"]:
        plain.pop("room", None)  # bytes of output that are left: they depend on the rows before
    return found


@pytest.fixture(scope="module")
def disposable() -> Iterator[DisposableProcess]:
    with DisposableProcess(ENTRY) as made:
        yield made


@pytest.fixture(scope="module")
def decoder() -> Iterator[DisposableProcess]:
    with DisposableProcess(decode_entry.ENTRY) as made:
        yield made


def cities(rows: int) -> pa.Table:
    return pa.table({"city": [f" Rome {row} " for row in range(rows)], "n": [str(row) for row in range(rows)]})


def judged(disposable: DisposableProcess) -> list[tuple[Job, JobResult]]:
    sandbox = Recording()
    Verifier(sandbox, disposable).verify(VerifyRequest(SPY, Sample(cities(60), cities(20)), screen=False))
    return sandbox.done


def applied(folder: Path, decoder: DisposableProcess, rows: int = 90) -> list[tuple[Job, JobResult]]:
    """In batches of a file, and in so many at once that a job has several processes."""
    sandbox = Recording()
    candidate = Candidate(source=SPY, name="spy", contract=Contract(modifies=("city",)))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    spy = Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))
    data = folder / "data.csv"
    data.write_text("city,n\n" + "".join(f" Rome {row},{row}\n" for row in range(rows)))
    access = SandboxAccess(sandbox, ForgivingDecoder(decoder), Policy().limits)
    with pytest.raises(ApplyAuditFailed, match="spy"):  # what it writes down differs between two containers
        apply_functions(data, [spy], folder / "out.csv", access, batch_rows=rows // 3, workers=1)
    with closing(FunctionRunner(access, [spy])) as runner:
        assert all(runner.run_each([(spy, cities(rows + more)) for more in range(TABLES_OF_A_PROCESS + 1)]))
    return [(job, result) for job, result in sandbox.done if job.environment is GuestEnvironment.FIRST]


def all_seen(child: Child, result: ChildResult) -> list[dict[str, Any]]:
    return [seen(child, result, case) for case in range(len(child.cases))]


def test_a_batch_is_seen_as_the_first_judged_cases_are(
    tmp_path: Path, disposable: DisposableProcess, decoder: DisposableProcess
) -> None:
    """Header, limits, environment, names of frames, inputs in memory: equal for the judge and for every table.

    The first process of a job was forked before the job was known, the others were not: each has its like at the judge.
    """
    job, result = judged(disposable)[0]
    wanted = [all_seen(child, answer) for child, answer in zip(job.children[:2], result.children[:2], strict=True)]
    assert wanted[0][0]["jobs"], "the spy found its job"
    assert len(wanted[0]) == len(wanted[1]) == TABLES_OF_A_PROCESS
    batches = applied(tmp_path, decoder)
    assert len(batches) >= 2
    assert max(len(job.children) for job, _ in batches) >= 2
    for job, result in batches:
        first, *others = (all_seen(child, answer) for child, answer in zip(job.children, result.children, strict=True))
        assert first == wanted[0]
        assert all(other == wanted[1] for other in others)


def test_a_child_sees_no_purpose_and_nothing_of_other_children(disposable: DisposableProcess) -> None:
    """No case name reaches any process, and no process finds another's cases or inputs."""
    (job, result), *_ = judged(disposable)
    names = {case.id for child in job.children for case in child.cases}
    for child, answer in zip(job.children, result.children, strict=True):
        found = seen(child, answer)
        assert not [name for name in names if f'"{name}"' in json.dumps(found["jobs"])]
        assert all(json.loads(one).get("children") in (None, []) for one in found["jobs"])
        assert sum("cases" in json.loads(one) for one in found["jobs"]) == 1


def test_the_spy_would_see_a_difference() -> None:
    """Positive control: two jobs that differ in what a case is asked are told apart."""
    with LocalSandbox(warm=False) as sandbox:
        found = []
        for ops in ((Op.F,), (Op.F, Op.FF)):
            child = Child((Case("", write_table(cities(3)), ops),))
            found.append(seen(child, sandbox.run(Job((Program("spy", SPY),), (child,))).children[0]))
    assert found[0] != found[1]
