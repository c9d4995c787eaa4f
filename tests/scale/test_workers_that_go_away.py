"""Workers killed at every step of a task, and a scheduler that starts again: the same bytes, once, and nothing left."""

import itertools
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import pytest

from orchestrator.core.errors import EngineUnavailable, SandboxError
from orchestrator.core.jobs import Job, JobResult, Limits
from orchestrator.core.policy import AuditPolicy, Policy
from orchestrator.core.ports import Sandbox, SandboxAccess, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate import candidate_file
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.run.apply.apply import apply_functions
from orchestrator.run.apply.apply_audit import ApplyAudit
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.scale.sandbox_host import SandboxHost
from orchestrator.scale.task_frames import task_id, write_error
from orchestrator.scale.task_sender import TaskSender
from tests.run.apply.majority_vote import CLEAN, MAJORITY, ROWS
from tests.run.apply.majority_vote import promoted as fitted
from tests.scale.cluster_in_process import InProcess, connected

TRIM = '''CONTRACT = {"shape": "record", "modifies": ["city"]}
def trim(record):
    """Strip."""
    return {**record, "city": record["city"].strip()}
'''
COUNT = 240

# Where a scheduler or a worker is torn away in the middle, dask leaves sockets and coroutines to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def trim() -> Promoted:
    candidate = candidate_file.read(TRIM)
    verdict = ScriptedGate().verify(VerifyRequest(TRIM, None))  # type: ignore[arg-type] # it looks at no rows
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


class Counted(LocalSandbox):
    """Counts the sessions, each of which is a container, that are open in all sandboxes of this kind."""

    open = 0

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator[Self]:
        Counted.open += 1
        try:
            yield self
        finally:
            Counted.open -= 1


MOMENTS = ("claimed", "in the middle", "made")


class Fate:
    """Whichever worker gets the `at`-th task is killed at that moment of it."""

    def __init__(self, moment: str = "", at: int = 0) -> None:
        self._moment, self._at, self._tasks = moment, at, itertools.count(1)
        self.met = False

    def next_task(self) -> int:
        return next(self._tasks)

    def decides(self, moment: str, task: int) -> bool:
        self.met = self.met or (moment, task) == (self._moment, self._at)
        return (moment, task) == (self._moment, self._at)


class Mortal(SandboxHost):
    """Runs one task at a time, as every worker does, until its fate."""

    def __init__(self, fate: Fate) -> None:
        self.die: Callable[[], None] = lambda: None
        self._fate, self._task = fate, 0
        super().__init__(Policy(), lambda _policy: _Dying(self))

    def run(self, frame: bytes, worker: str) -> bytes:
        self._task = self._fate.next_task()
        self.reached("claimed")
        answer = super().run(frame, worker)
        self.reached("made")
        return answer

    def reached(self, moment: str) -> None:
        if self._fate.decides(moment, self._task):
            self.die()


class _Dying(Counted):
    def __init__(self, host: Mortal) -> None:
        super().__init__()
        self._host = host

    def run(self, job: Job) -> JobResult:
        self._host.reached("in the middle")
        return super().run(job)


def start(cluster: InProcess, host: Mortal) -> str:
    address = cluster.add(host)

    def die() -> None:
        gone = threading.Thread(target=cluster.remove, args=(address,))  # dask's loop waits for no task of its own
        gone.start()
        gone.join(30)

    host.die = die
    return address


def cleaned(folder: Path, sandbox: Sandbox, decoder: DisposableProcess) -> bytes:
    """What becomes of the file in batches of 20 rows, by three lanes, all of it audited."""
    data, output = folder / "data.csv", folder / "out.csv"
    data.write_text("city,n\n" + "".join(f" Rome {row} ,{row}\n" for row in range(COUNT)))
    access = SandboxAccess(sandbox, decoder, Limits(), AuditPolicy(share=1.0))
    apply_functions(data, [trim()], output, access, batch_rows=20, workers=3)
    return output.read_bytes()


EXPECTED = ("city,n\n" + "".join(f"Rome {row},{row}\n" for row in range(COUNT))).encode()
SAMPLED = [(moment, random.Random(moment).randint(2, 5)) for moment in MOMENTS]  # noqa: S311 - no secret


@pytest.mark.parametrize(("moment", "at"), [("claimed", 1), *SAMPLED])
def test_a_worker_killed_at_a_step_of_a_task_costs_nothing(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess, moment: str, at: int
) -> None:
    """When it has the task, while the function runs, when the answer is made: the other one does it again."""
    fate = Fate(moment, at)
    for _ in range(2):
        start(cluster, Mortal(fate))
    with connected(cluster, certificates, apart=False) as sandbox:
        assert cleaned(tmp_path, sandbox, decoder) == EXPECTED
    assert fate.met
    cluster.remove_all()
    assert Counted.open == 0


@pytest.mark.parametrize("when", ["its answer is there", "all is written"])
def test_a_worker_killed_after_its_tasks_costs_nothing(
    tmp_path: Path,
    cluster: InProcess,
    certificates: Path,
    decoder: DisposableProcess,
    monkeypatch: pytest.MonkeyPatch,
    when: str,
) -> None:
    """With an answer that nobody has fetched yet, or after the last row and before the file has its name."""
    hosts = {start(cluster, one): one for one in (Mortal(Fate()), Mortal(Fate()))}
    killed: list[str] = []

    def kill(address: str) -> None:
        if not killed:
            killed.append(address)
            hosts[address].die()

    gathered, finish = TaskSender._gathered, ApplyAudit.finish

    def late(self: TaskSender, future: Any) -> bytes | None:
        holders = () if killed else self._client.who_has([future])[future.key]
        if holders:  # nobody has a task that was given to another worker, and none those of a killed one
            kill(holders[0])
        return gathered(self, future)

    def last(self: ApplyAudit) -> None:
        kill(next(iter(hosts)))
        finish(self)

    if when == "all is written":
        monkeypatch.setattr(ApplyAudit, "finish", last)
    else:
        monkeypatch.setattr(TaskSender, "_gathered", late)
    with connected(cluster, certificates, apart=False) as sandbox:
        assert cleaned(tmp_path, sandbox, decoder) == EXPECTED
    assert killed
    cluster.remove_all()
    assert Counted.open == 0


def test_a_fitted_function_learns_the_same_with_a_worker_less(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """Fitted on both workers, one of which is killed while it learns; the state is that of the whole file."""
    fate = Fate("in the middle", 2)
    for _ in range(2):
        start(cluster, Mortal(fate))
    (tmp_path / "in.csv").write_text(ROWS, encoding="utf-8")
    with connected(cluster, certificates, apart=False) as sandbox:
        outcome = apply_functions(
            tmp_path / "in.csv",
            [fitted(MAJORITY)],
            tmp_path / "out.csv",
            SandboxAccess(sandbox, decoder),
            batch_rows=2,
            workers=3,
        )
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == CLEAN
    assert fate.met
    assert outcome.learnt["transform_of_city"].rows == ROWS.count("\n") - 1
    cluster.remove_all()
    assert Counted.open == 0


def test_a_scheduler_that_starts_again_takes_the_same_command(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """Its end in the middle is one sentence and no file; with new workers the same command makes the file."""
    host = Mortal(Fate("in the middle", 3))
    start(cluster, host)
    host.die = cluster.end_scheduler
    with connected(cluster, certificates, apart=False) as sandbox, pytest.raises(SandboxError, match="scheduler"):
        cleaned(tmp_path, sandbox, decoder)
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["data.csv"]
    cluster.remove_all()
    assert Counted.open == 0
    cluster.start_scheduler()
    start(cluster, Mortal(Fate()))
    with connected(cluster, certificates, apart=False) as sandbox:
        assert cleaned(tmp_path, sandbox, decoder) == EXPECTED


class Bad(SandboxHost):
    """Raises, answers junk or says that it has no engine, each time."""

    def __init__(self, what: str) -> None:
        super().__init__(Policy(), lambda _policy: LocalSandbox())
        self._what, self.asked = what, 0

    def run(self, frame: bytes, worker: str) -> bytes:
        self.asked += 1
        if self._what == "raises":
            raise ValueError(self._what)
        gone = EngineUnavailable("No engine answers.")
        return b"junk" if self._what == "junk" else write_error(task_id(frame), worker, gone)


@pytest.mark.parametrize("what", ["raises", "junk", "no engine"])
def test_a_task_that_fails_on_one_worker_goes_to_another(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess, what: str
) -> None:
    """One of two is broken, and is asked first more often than not: it answers at once."""
    bad = Bad(what)
    cluster.add(bad)
    start(cluster, Mortal(Fate()))
    with connected(cluster, certificates, apart=False) as sandbox:
        assert cleaned(tmp_path, sandbox, decoder) == EXPECTED
    assert bad.asked
    cluster.remove_all()


def test_what_is_wrong_with_all_workers_is_said(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """Each was asked, and none is good."""
    bad = [Bad("no engine"), Bad("no engine")]
    for one in bad:
        cluster.add(one)
    with connected(cluster, certificates, apart=False) as sandbox, pytest.raises(EngineUnavailable, match="No engine"):
        cleaned(tmp_path, sandbox, decoder)
    assert all(one.asked for one in bad)
    cluster.remove_all()
