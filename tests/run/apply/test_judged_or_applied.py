"""In real containers, too, a function finds the same whether it is judged or applied: all it can look at, listed."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.errors import ApplyAuditFailed
from orchestrator.core.jobs import Child, ChildResult, GuestEnvironment, Job, JobResult
from orchestrator.core.policy import LARGEST_ROWS, Policy
from orchestrator.core.ports import Sample, SandboxAccess, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.data.hostile.arrow_tables import read_table
from orchestrator.data.hostile.reply import read_records
from orchestrator.gate import candidate_file
from orchestrator.gate.verifier import Verifier
from orchestrator.run.apply.apply import apply_functions
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from tests.support.forgiving_decoder import ForgivingDecoder

pytestmark = pytest.mark.docker

SPY = '''"""Looks at everything that it can find."""
CONTRACT = {"modifies": ["city"]}
import gc, json, os, re, socket, sys, time
CALLS = []

def _text(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError as error:
        return type(error).__name__

def _listing(path):
    try:
        return sorted(os.listdir(path))
    except OSError as error:
        return type(error).__name__

def _look(df, call):
    CALLS.append(call)
    found = {"calls": list(CALLS), "environ": dict(os.environ), "argv": sys.argv, "flags": str(sys.flags)}
    found["input"] = [list(df.columns), [str(kind) for kind in df.dtypes], type(df.index).__name__, list(df.index[:2])]
    found["clock"] = time.time()
    found["zone"] = [time.tzname, time.timezone, type(time.sleep).__name__]
    found["ids"] = [os.getuid(), os.getgid(), os.getgroups(), os.getpgid(0) == os.getpid(), os.getcwd(), os.umask(0o77)]
    for name in ("cmdline", "comm", "cgroup", "limits", "mountinfo", "oom_score_adj", "personality", "environ", "auxv"):
        found[name] = _text("/proc/self/" + name)
    for name in ("cpuset", "loginuid", "sessionid", "wchan", "timens_offsets", "setgroups", "uid_map"):
        found[name] = _text("/proc/self/" + name)
    status = _text("/proc/self/status").splitlines()
    own = r"Vm|Rss|Pid|Tgid|NSpid|NStgid|NSpgid|NSsid|.*ctxt"
    found["status"] = [line for line in status if not re.match(own, line)]
    maps = _text("/proc/self/maps").splitlines()
    found["maps"] = sorted({line.split(maxsplit=5)[5] for line in maps if line.count(" ") > 5 and "/" in line})
    found["folders"] = {path: _listing(path) for path in ("/", "/tmp", "/dev", "/dev/shm", "/proc/self/fd")}
    found["processes"] = [name for name in _listing("/proc") if not name.isdigit() or name == "1"]
    found["modules"] = sorted(sys.modules)
    found["frames"] = []
    frame = sys._getframe(1)
    while frame is not None:
        plain = {k: v for k, v in frame.f_locals.items() if isinstance(v, (str, int, float)) and "pid" not in k}
        plain.pop("found", None)
        found["frames"].append([frame.f_code.co_name, sorted(frame.f_locals), str(plain)])
        frame = frame.f_back
    found["jobs"] = sorted(json.dumps(one, sort_keys=True, default=str) for one in gc.get_objects()
                           if isinstance(one, dict) and ("cases" in one or "ops" in one or "children" in one))
    found["tables"] = len([one for one in gc.get_objects() if isinstance(one, bytes) and b"ARROW" in one])
    found["rows"] = len(df)
    return json.dumps(found, sort_keys=True, default=str)

def detect(df):
    _look(df, "detect")
    return df["city"] != "x"

def spy(df):
    """Look."""
    return df.assign(city="SPY" + _look(df, "f"))
'''


class Recording:
    """Real containers; keeps jobs and answers."""

    def __init__(self, inner: DockerSandbox) -> None:
        self._inner = inner
        self.done: list[tuple[Job, JobResult]] = []

    def run(self, job: Job) -> JobResult:
        return self._kept(job, self._inner.run(job))

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator[Any]:
        with self._inner.session() as opened:
            outer = self

            class Session:
                def run(self, job: Job) -> JobResult:
                    return outer._kept(job, opened.run(job))

            yield Session()

    def close(self) -> None:
        """The fixture closes the containers."""

    def _kept(self, job: Job, result: JobResult) -> JobResult:
        self.done.append((job, result))
        return result


class Nobody:
    """In place of the judge, who would look for half a minute at what all these texts have in common."""

    def call(self, request: bytes) -> bytes:
        return b""

    def close(self) -> None:
        """Nothing is open."""


def seen(child: Child, result: ChildResult) -> dict[str, Any]:
    records = read_records(result.output, [case.ops for case in child.cases], echo=[c.echo_input for c in child.cases])
    assert records[0].status == "returned", records[0].error
    city = read_table(records[0].body).column("city").to_pylist()[0]
    found: dict[str, Any] = json.loads(city.removeprefix("SPY"))
    found["jobs"] = [re.sub(r"\"blobs\": \[[^]]*\]", '"blobs": []', one) for one in found["jobs"]]
    # What the process used before it had a job is added to its limits: it says how busy the machine and the container
    # were, and the pid says as much (docs/threat-model.md).
    found["limits"] = re.sub(r"(Max (?:cpu time|data size|address space) +)\d+ +\d+ ", r"\1as ever ", found["limits"])
    # The engine names its overlay and its shared memory after each container.
    found["mountinfo"] = re.sub(
        r"[0-9a-f]{64}|\S*/overlay2/\S+|^\d+ \d+ \d+:\d+|master:\d+", "", found["mountinfo"], flags=re.MULTILINE
    )
    found["frames"] = [
        [name, names, re.sub(r"0x[0-9a-f]+|\d{3,}", "", plain)] for name, names, plain in found["frames"]
    ]
    return found


def cities(rows: int) -> pa.Table:
    return pa.table({"city": [f" Rome {row} " for row in range(rows)], "n": [str(row) for row in range(rows)]})


def applied(folder: Path, sandbox: Recording) -> None:
    candidate = candidate_file.read(SPY)
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    spy = Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))
    data = folder / "data.csv"
    data.write_text("city,n\n" + "".join(f" Rome {row},{row}\n" for row in range(240)))
    with DisposableProcess(decode_entry.ENTRY) as decoder:
        access = SandboxAccess(sandbox, ForgivingDecoder(decoder), Policy().limits)
        with pytest.raises(ApplyAuditFailed, match="spy"):
            apply_functions(data, [spy, spy], folder / "out.csv", access, batch_rows=30, workers=1)


def test_nothing_differs(tmp_path: Path, docker_sandbox: DockerSandbox) -> None:
    """Header, input, calls, environment, /proc, files, clock, modules, frames: equal for the judge and every batch."""
    sandbox = Recording(docker_sandbox)
    Verifier(sandbox, Nobody()).verify(VerifyRequest(SPY, Sample(cities(60), cities(20)), screen=False))
    job, result = sandbox.done[0]
    judged = [seen(child, answer) for child, answer in zip(job.children[:2], result.children[:2], strict=True)]
    assert judged[0]["jobs"], "the control: the spy found its job"
    assert [wanted["calls"] for wanted in judged] == [["f"], ["f"]]
    clock = judged[0]["clock"]
    sandbox.done.clear()
    applied(tmp_path, sandbox)
    batches = [(job, result) for job, result in sandbox.done if job.environment is GuestEnvironment.FIRST]
    assert sum(len(job.children) for job, _ in batches) >= 4
    for job, result in batches:
        for place, (child, answer) in enumerate(zip(job.children, result.children, strict=True)):
            compare(seen(child, answer), judged[min(place, 1)], clock)


def compare(found: dict[str, Any], wanted: dict[str, Any], clock: float) -> None:
    """What a batch sees is what the judged case saw, the moment too: only rows may differ."""
    assert found["clock"] == clock
    assert found["rows"] <= LARGEST_ROWS
    frames = zip(wanted["frames"], found["frames"], strict=True)
    assert [(one, other) for one, other in frames if one != other] == []
    differ = {key: (value, found.get(key)) for key, value in wanted.items() if found.get(key) != value}
    assert set(differ) <= {"rows"}, differ
