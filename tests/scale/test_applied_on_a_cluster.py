"""Functions applied by workers: the same bytes as on one machine, or one sentence and no file."""

import json
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from orchestrator.core.candidate import Candidate, Contract, Shape
from orchestrator.core.errors import ApplyAuditFailed, PostureError, SandboxError
from orchestrator.core.jobs import ChildResult, GuestEnvironment, Job, JobResult, Limits
from orchestrator.core.policy import AuditPolicy, ContainerPolicy, Policy
from orchestrator.core.ports import Sandbox, SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.run.apply.apply import apply_functions
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.scale import cluster_sandbox
from orchestrator.scale.sandbox_host import SandboxHost
from orchestrator.scale.task_frames import read_task, release
from tests.scale.cluster_in_process import InProcess, connected, host

ROWS = 1200
EVERY_ROW = AuditPolicy(share=1.0)

# Where a scheduler or a worker is torn away in the middle, dask leaves sockets and coroutines to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def promoted(name: str, column: str, made: str) -> Promoted:
    """A function of records: its containers need no pandas, whose start would be most of what these tests cost."""
    source = f"def {name}(record):\n    return {{**record, {column!r}: {made}}}\n"
    contract = Contract(modifies=(column,), shape=Shape.RECORD)
    candidate = Candidate(source=source, name=name, contract=contract)
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


TRIM = promoted("trim", "city", 'record["city"].strip()')
NUMBERS = promoted("numbers", "n", 'str(int(record["n"]))')
PICKY = promoted("picky", "n", 'str(int(record["n"]))')


def data(folder: Path, bad: Sequence[int] = ()) -> Path:
    file = folder / "data.csv"
    lines = (f" Rome {row} ,{'x' if row in bad else f'{row:05d}'}\n" for row in range(ROWS))
    file.write_text("city,n\n" + "".join(lines))
    return file


def apply(
    folder: Path, sandbox: Sandbox, decoder: DisposableProcess, *functions: Promoted, audit: AuditPolicy = EVERY_ROW
) -> bytes:
    """The cleaned file, made in batches of 100 rows by four lanes."""
    output = folder / "out.csv"
    access = SandboxAccess(sandbox, decoder, Limits(), audit)
    apply_functions(
        folder / "data.csv", functions, output, access, batch_rows=100, workers=4, quarantine=folder / "aside.csv"
    )
    aside = folder / "aside.csv"
    made = output.read_bytes() + (aside.read_bytes() if aside.exists() else b"")
    output.unlink()
    aside.unlink(missing_ok=True)
    return made


@pytest.fixture
def alone(tmp_path: Path, decoder: DisposableProcess) -> bytes:
    """What one machine makes of it."""
    data(tmp_path)
    with LocalSandbox() as local:
        return apply(tmp_path, local, decoder, TRIM, NUMBERS)


class Recording(SandboxHost):
    """Remembers by environment which function it ran on which row."""

    def __init__(self) -> None:
        super().__init__(Policy(), lambda _policy: LocalSandbox())
        self.ran: dict[GuestEnvironment, set[tuple[str, int]]] = {one: set() for one in GuestEnvironment}

    def run(self, frame: bytes, worker: str) -> bytes:
        job = read_task(frame, release()).job
        (program,), (child,) = job.programs, job.children
        rows = [json.loads(line)["n"] for line in child.cases[0].input.splitlines()]
        self.ran[job.environment.full] |= {(program.name, int(row)) for row in rows}
        return super().run(frame, worker)


def test_two_workers_make_the_same_bytes(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess, alone: bytes
) -> None:
    """Both work, the file is that of one machine, and no row is audited where it was cleaned."""
    hosts = [Recording(), Recording()]
    for one in hosts:
        cluster.add(one)
    with connected(cluster, certificates) as sandbox:
        assert apply(tmp_path, sandbox, decoder, TRIM, NUMBERS) == alone
    first, again = ([one.ran[kind] for one in hosts] for kind in (GuestEnvironment.FIRST, GuestEnvironment.CONFIRM))
    assert all(first)
    assert first[0].isdisjoint(first[1])
    assert again == first[::-1]


def test_rows_set_aside_are_the_same(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """Failing rows are found by the coordinator, wherever their batches run."""
    data(tmp_path, bad=(5, 777, 778))
    with LocalSandbox() as local:
        expected = apply(tmp_path, local, decoder, TRIM, PICKY)
    assert expected.count(b"picky: ") == 3
    for _ in range(2):
        cluster.add(host())
    with connected(cluster, certificates) as sandbox:
        assert apply(tmp_path, sandbox, decoder, TRIM, PICKY) == expected


class Altering(SandboxHost):
    """Alters one cell of what the container wrote, and makes the answer anew, so that its hash is right."""

    def __init__(self) -> None:
        super().__init__(Policy(), lambda _policy: _AlteringSandbox())


class _AlteringSandbox(LocalSandbox):
    def run(self, job: Job) -> JobResult:
        result = super().run(job)
        child = result.children[0]
        altered = child.output.replace(b"Rome 250", b"Pome 250")
        return JobResult((ChildResult(child.ended, altered),), result.info)


def test_a_worker_that_alters_a_cell_is_caught(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """The audit's second look is another worker's, which makes another thing of the row. No file appears, and both
    workers are named: the function makes the same of the row each time on either of them."""
    data(tmp_path)
    both = {cluster.add(Altering()), cluster.add(host())}
    with (
        connected(cluster, certificates) as sandbox,
        pytest.raises(
            ApplyAuditFailed, match=r"trim makes one thing .*Rome 250.*Pome 250|Pome 250.*Rome 250"
        ) as caught,
    ):
        apply(tmp_path, sandbox, decoder, TRIM)
    assert set(caught.value.workers) == both
    assert all(one in caught.value.message for one in both)
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["data.csv"]


class Slow(SandboxHost):
    """Does not answer its first task before it is released, and then with something else."""

    def __init__(self) -> None:
        super().__init__(Policy(), lambda _policy: LocalSandbox())
        self.released, self.asked = threading.Event(), threading.Event()

    def run(self, frame: bytes, worker: str) -> bytes:
        if self.asked.is_set():
            return super().run(frame, worker)
        self.asked.set()
        self.released.wait(60)
        return super().run(frame, worker).replace(b"Rome", b"late")


def test_what_a_slow_worker_holds_up_is_given_to_another(
    tmp_path: Path,
    cluster: InProcess,
    certificates: Path,
    decoder: DisposableProcess,
    alone: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first answer counts; the slow worker's late duplicate is never read."""
    monkeypatch.setattr(cluster_sandbox, "_MARGIN_S", -15.0)  # of twice 10 s; after four times what is left it gives up
    slow = Slow()
    cluster.add(slow)
    cluster.add(host())
    with connected(cluster, certificates, apart=False) as sandbox:
        releasing = threading.Timer(15, slow.released.set)
        releasing.start()
        assert apply(tmp_path, sandbox, decoder, TRIM, NUMBERS) == alone
        releasing.cancel()
    slow.released.set()
    assert slow.asked.is_set()


@pytest.mark.parametrize("what", ["workers", "scheduler"])
def test_where_nobody_is_left_one_sentence_says_so(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess, what: str
) -> None:
    """Whether the last worker or the scheduler goes away in the middle: nothing is written."""
    data(tmp_path)

    class Leaving(SandboxHost):
        def run(self, frame: bytes, worker: str) -> bytes:
            gone = threading.Thread(target=cluster.end_scheduler if what == "scheduler" else leave, args=())
            gone.start()
            gone.join(30)
            return super().run(frame, worker)

    def leave() -> None:
        cluster.remove(address)

    address = cluster.add(Leaving(Policy(), lambda _policy: LocalSandbox()))
    with (
        connected(cluster, certificates, apart=False, patience_s=2) as sandbox,
        pytest.raises(SandboxError, match="No worker is left" if what == "workers" else "scheduler went away"),
    ):
        apply(tmp_path, sandbox, decoder, TRIM)
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["data.csv"]


@pytest.mark.parametrize("answer", [b"junk", None])
def test_a_worker_that_gives_no_answer_is_one_sentence_with_advice(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess, answer: bytes | None
) -> None:
    """Foreign bytes, or an exception: it did not go away, as was said, and nothing was said of what to do."""
    data(tmp_path)

    class Broken(SandboxHost):
        def run(self, frame: bytes, worker: str) -> bytes:
            del frame, worker
            if answer is None:
                raise RuntimeError
            return answer

    cluster.add(Broken(Policy(), lambda _policy: LocalSandbox()))
    with (
        connected(cluster, certificates, apart=False, patience_s=2) as sandbox,
        pytest.raises(SandboxError, match="no task and no answer" if answer else "went away, or failed") as caught,
    ):
        apply(tmp_path, sandbox, decoder, TRIM)
    assert "machines" in caught.value.advice
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["data.csv"]


def test_a_second_look_waits_for_another_worker(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """Where the only other worker is gone, the audit is not given to the one that cleaned the rows."""
    data(tmp_path)
    cluster.add(host())
    with (
        connected(cluster, certificates, patience_s=1) as sandbox,
        pytest.raises(SandboxError, match="The second look takes another worker"),
    ):
        apply(tmp_path, sandbox, decoder, TRIM)


@pytest.mark.parametrize(
    ("policy", "words"),
    [(Policy(container=ContainerPolicy(pids=128)), "pids 128"), (Policy(strict=True), "without --strict")],
)
def test_a_worker_gives_no_more_than_its_own_policy(
    tmp_path: Path,
    cluster: InProcess,
    certificates: Path,
    decoder: DisposableProcess,
    policy: Policy,
    words: str,
) -> None:
    """A task that asks for a larger container, or for a strictness that the worker has not, is refused by it."""
    data(tmp_path)
    cluster.add(host(Policy(container=ContainerPolicy(pids=64))))
    with connected(cluster, certificates, policy=policy) as sandbox, pytest.raises(PostureError, match=words):
        apply(tmp_path, sandbox, decoder, TRIM)


def test_a_worker_gives_a_function_no_more_than_its_own_limits(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """Of a task it looked at the container alone: memory, output and processor time of the function were any."""
    data(tmp_path)
    cluster.add(host(Policy(limits=Limits(memory_bytes=Limits().memory_bytes // 2))))
    with (
        connected(cluster, certificates, policy=Policy()) as sandbox,
        pytest.raises(PostureError, match="refuses memory_bytes 536870912: it gives 268435456"),
    ):
        apply(tmp_path, sandbox, decoder, TRIM)
