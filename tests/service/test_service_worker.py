"""The worker: what ends a job, what does not end the worker, and what it leaves to others."""

import asyncio
import io
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.errors import DataError, EngineUnavailable, OutputError, RegistryError, UsageError
from orchestrator.core.wording import KEEP_APART
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import JobKind, JobState, NewJob, QueueLimits, ServiceJob
from orchestrator.service.app import _sweep_once
from orchestrator.service.job_execution import Tell, unused
from orchestrator.service.job_feed import JobFeed
from orchestrator.service.job_worker import JobWorker, Perform
from orchestrator.service.metrics import ServiceMetrics
from orchestrator.service.problems import say_internal
from orchestrator.service.service_settings import ServiceSettings
from orchestrator.service.uploads import JobFolder, JobFolders
from orchestrator.service.worker_process import WorkerProcess, _Stopping


class Bench:
    """A queue, and workers at it."""

    def __init__(self, folder: Path) -> None:
        self.jobs = JobStore(f"sqlite:///{folder}/registry.db", QueueLimits(lease_s=4), create=True)
        self.folders = JobFolders(folder / "state")

    def ask(self, kind: JobKind = JobKind.VERIFY) -> ServiceJob:
        folder = self.folders.new()
        (folder.path / "data.csv").write_text("city\nBonn\n")
        return self.jobs.add(NewJob(kind, "ann", {"folder": folder.name}, "a"))[0]

    def work(self, perform: Perform, until: ServiceJob) -> ServiceJob:
        """Let a worker work until the job is over."""
        worker = JobWorker(self.jobs, self.folders, perform, name="one", lanes=1)
        thread = threading.Thread(target=worker.run)
        thread.start()
        over = threading.Event()
        while True:
            now = self.jobs.get(until.id)
            assert now is not None
            if now.state.over:
                break
            over.wait(0.05)
        worker.stop()
        thread.join()
        return now


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.jobs.close()


@pytest.mark.parametrize(
    ("error", "said", "advice"),
    [
        (UsageError("There is no column x.", advice="Name another."), "There is no column x.", "Name another."),
        (DataError("Row 3 is odd.", advice=f"Correct it. {KEEP_APART}"), "Row 3 is odd.", "Correct it."),
        (OutputError("The disk is full."), "The disk is full.", ""),
        (EngineUnavailable("no /var/run/docker.sock"), "The sandbox failed", "Ask again."),
        (ValueError("canary"), "Something went wrong inside the service.", "Tell its operator."),
    ],
)
def test_what_goes_wrong_ends_the_job_and_not_the_worker(
    bench: Bench, error: Exception, said: str, advice: str
) -> None:
    """One sentence, nothing of the machine in it, and the next job is done."""

    def perform(job: ServiceJob, folder: JobFolder, tell: Tell) -> dict[str, Any]:
        if job.id == first.id:
            raise error
        return {"done": True}

    first, second = bench.ask(), bench.ask()
    assert bench.work(perform, second).result == {"done": True}
    failed = bench.jobs.get(first.id)
    assert failed is not None
    assert failed.problem is not None
    assert said in failed.problem["message"]
    assert failed.problem["advice"] == advice
    assert "docker.sock" not in str(failed.problem)
    assert not list((bench.folders.of(first.request["folder"])).path.iterdir())


def test_a_lost_database_ends_the_worker_without_a_traceback(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever started the worker finds what was lost; what the database said may quote cells."""

    def lost(*_: object) -> ServiceJob | None:
        raise RegistryError("The registry is lost.")

    monkeypatch.setattr(bench.jobs, "claim", lost)
    worker = JobWorker(bench.jobs, bench.folders, lambda *_: {}, name="one", lanes=2)
    worker.run()
    assert isinstance(worker.broken, RegistryError)


def test_whoever_operates_the_service_reads_what_is_wrong_with_the_machine(capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence of a lost database or engine is said with its advice; that of a file is not, for it may quote it."""
    say_internal(RegistryError("The registry cannot be reached.", advice="Start it."))
    say_internal(DataError("canary"))
    assert capsys.readouterr().err == (
        "cleanroom serve: RegistryError: The registry cannot be reached. Start it.\ncleanroom serve: DataError\n"
    )


def test_a_place_on_the_disk_is_not_told(bench: Bench) -> None:
    """A sentence about a file names the file and not the service's folder."""

    def perform(job: ServiceJob, folder: JobFolder, tell: Tell) -> dict[str, Any]:
        raise UsageError(f"{folder.path}/data.csv has a header but no rows.")

    failed = bench.work(perform, bench.ask())
    assert failed.problem is not None
    assert failed.problem["message"] == "data.csv has a header but no rows."


def test_a_long_job_keeps_its_lease(bench: Bench) -> None:
    """While it works the worker renews: nobody else gets the job, however long it takes."""
    others: list[ServiceJob | None] = []

    def perform(job: ServiceJob, folder: JobFolder, tell: Tell) -> dict[str, Any]:
        for _ in range(5):
            threading.Event().wait(1.2)  # longer than the lease, all of them
            others.append(bench.jobs.claim("two"))
        return {}

    assert bench.work(perform, bench.ask()).attempts == 1
    assert others == [None] * 5


def test_jobs_with_files_elsewhere_are_left_to_who_has_them(bench: Bench, tmp_path: Path) -> None:
    """Two services at one registry failed each other's jobs; where nobody has the files, that is said after an hour."""
    theirs, mine = bench.ask(), bench.ask()
    here, there = bench.folders.of(mine.request["folder"]), bench.folders.of(theirs.request["folder"])
    there.path.rename(tmp_path / "elsewhere")
    assert here.path.is_dir()
    assert bench.work(lambda job, folder, tell: {}, mine).state is JobState.DONE
    left = bench.jobs.get(theirs.id)
    assert left is not None
    assert (left.state, left.attempts) == (JobState.QUEUED, 0)
    bench.jobs.clock = lambda: time.time() + 3700
    failed = bench.work(lambda job, folder, tell: {}, theirs)
    assert failed.problem is not None
    assert failed.problem["message"] == "What was sent for the job is not in the folder of this service."


def test_a_cancelled_job_stops_at_the_next_thing_that_is_told(bench: Bench) -> None:
    """Its files are deleted by the worker, which was at them."""
    told = []

    def perform(job: ServiceJob, folder: JobFolder, tell: Tell) -> dict[str, Any]:
        bench.jobs.cancel(job.id)
        for number in range(600):
            tell("check", {"id": str(number)})
            told.append(number)
            threading.Event().wait(0.1)
        raise AssertionError("it was never stopped")

    job = bench.work(perform, bench.ask())
    assert job.state is JobState.CANCELLED
    assert len(told) < 600
    assert not list(bench.folders.of(job.request["folder"]).path.iterdir())


def test_folders_that_nobody_knows_are_swept(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a killed service left, and what is older than it is kept; a new upload that has no row yet stays."""
    known, orphan = bench.ask().request["folder"], bench.folders.new().name
    bench.folders.sweep(bench.jobs.folders(), 7 * 86_400.0)
    top = bench.folders.of(known).path.parent
    assert {path.name for path in top.iterdir()} == {known, orphan}
    monkeypatch.setattr("orchestrator.service.uploads._ORPHAN_S", -1.0)
    bench.folders.sweep(bench.jobs.folders(), 7 * 86_400.0)
    assert {path.name for path in top.iterdir()} == {known}
    bench.folders.sweep(bench.jobs.folders(), -1.0)
    assert list(top.iterdir()) == []


def test_a_clock_that_jumps_takes_no_waiting_jobs_files(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a job still needs stays, however old it seems; an empty folder of one that is over goes after an hour."""
    waiting, over = bench.ask(), bench.ask()
    bench.jobs.cancel(over.id)
    bench.folders.of(over.request["folder"]).forget_sent()
    names, ended = bench.jobs.folders(), bench.jobs.folders(over=True)
    bench.folders.sweep(names, 7 * 86_400.0, names - ended)
    assert bench.folders.of(over.request["folder"]).path.is_dir()
    monkeypatch.setattr("orchestrator.service.uploads._ORPHAN_S", -1.0)
    bench.folders.sweep(names, -1.0, names - ended)
    assert (bench.folders.of(waiting.request["folder"]).path / "data.csv").is_file()
    assert not bench.folders.of(over.request["folder"]).path.exists()


def test_a_thousand_dropped_followers_leave_nothing(bench: Bench) -> None:
    """Whoever hangs up is forgotten, and the task that looked for them ends."""
    job = bench.ask()

    async def follow_and_drop() -> None:
        feed = JobFeed(bench.jobs)
        for _ in range(1000):
            follower = feed.follow(job.id, 0)
            assert (await anext(follower)).kind == "queued"
            await follower.aclose()  # type: ignore[attr-defined]
        assert feed.followers == 0
        await asyncio.wait_for(asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}), 60)
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(follow_and_drop())


def test_followers_outlast_a_database_that_is_away(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever follows a job while the database cannot be reached hears of its end all the same."""
    monkeypatch.setattr("orchestrator.service.job_feed._AGAIN_S", 0.01)
    job, away = bench.ask(), {"last_event": 2, "events": 2}

    def sometimes(name: str) -> Callable[..., Any]:
        whole = getattr(bench.jobs, name)

        def asked(*arguments: Any) -> Any:
            away[name] -= 1
            if away[name] >= 0:
                raise RegistryError("The registry cannot be reached.")
            return whole(*arguments)

        return asked

    async def follow() -> list[str]:
        heard = []
        async for event in JobFeed(bench.jobs).follow(job.id, 0):
            heard.append(event.kind)
            await asyncio.to_thread(bench.jobs.cancel, job.id)
        return heard

    for name in away:
        monkeypatch.setattr(bench.jobs, name, sometimes(name))
    assert asyncio.run(asyncio.wait_for(follow(), 30)) == ["queued", "ended"]


def test_what_a_killed_worker_did_not_clean_up_is_deleted_by_the_next(bench: Bench) -> None:
    """A worker that dies after it ended a job leaves what was sent; the next one deletes it, and nothing of others."""
    ended, gone, waiting = bench.ask(), bench.ask(), bench.ask()
    bench.jobs.cancel(ended.id)
    bench.jobs.cancel(gone.id)
    bench.folders.of(gone.request["folder"]).delete()

    def perform(job: ServiceJob, folder: JobFolder, tell: Tell) -> dict[str, Any]:
        return {"sent": sorted(file.name for file in folder.path.iterdir())}

    assert bench.work(perform, waiting).result == {"sent": ["data.csv"]}
    assert list(bench.folders.of(ended.request["folder"]).path.iterdir()) == []


def test_containers_are_counted_between_jobs(bench: Bench, tmp_path: Path) -> None:
    """The worker says how many there are whenever that changes, and not only when a job ends."""
    worker = WorkerProcess(ServiceSettings(str(tmp_path / "registry.db"), tmp_path / "state"), bench.jobs)
    worker.metrics = ServiceMetrics(bench.jobs.counts, lambda waiting: [])
    told = '{"containers": 1}\n{"ready": true, "problem": ""}\n{"containers": 3}\n'
    command = [sys.executable, "-c", f"print({told!r}, end='')"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        worker._follow(process, "one")
    assert worker.ready
    assert "cleanroom_containers 3.0" in worker.metrics.text()


@pytest.mark.parametrize(("said", "killed"), [("stop\n", False), ("", True), ("sto", True)])
def test_a_worker_knows_whether_its_service_was_killed(
    monkeypatch: pytest.MonkeyPatch, said: str, killed: bool
) -> None:
    """A service that ends in order says so before it closes the worker's input: then what is handed back counts not."""
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    stopping = _Stopping()
    stopping.wait_for_the_end()
    assert (stopping.is_set(), stopping.killed) == (True, killed)


def test_a_service_that_ends_in_order_says_so(bench: Bench, tmp_path: Path) -> None:
    """The word of which the worker's side is tested above, sent by the real one."""
    worker = WorkerProcess(ServiceSettings(str(tmp_path / "registry.db"), tmp_path / "state"), bench.jobs)
    command = [sys.executable, "-c", "import sys; print(repr(sys.stdin.read()))"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        worker._process = process
        worker.begin_to_stop()
        assert process.stdout is not None
        assert process.stdout.read() == "'stop\\n'\n"


def test_a_service_ends_whose_worker_is_dead(bench: Bench, tmp_path: Path) -> None:
    """Its pipe is closed until there is another worker: what that raises would keep the service from ending."""
    worker = WorkerProcess(ServiceSettings(str(tmp_path / "registry.db"), tmp_path / "state"), bench.jobs)
    with subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE, text=True) as process:
        process.wait(30)
    worker._process = process
    worker.begin_to_stop()
    assert worker._stopping.is_set()


def test_results_are_named_by_the_attempt(bench: Bench) -> None:
    """As the job says how often it was begun; what a broken-off one left under that number stays apart."""
    bench.ask()
    first = bench.jobs.claim("one")
    assert first is not None
    made = bench.folders.of(first.request["folder"]).made()
    assert unused(made, first).name == "run-1"
    bench.jobs.hand_back("one", died=True)
    second = bench.jobs.claim("two")
    assert second is not None
    assert (second.attempts, unused(made, second).name) == (2, "run-2")
    unused(made, second).mkdir()
    bench.jobs.hand_back("two")
    third = bench.jobs.claim("three")
    assert third is not None
    assert (third.attempts, unused(made, third).name) == (2, f"run-2-{third.fence}")


def test_the_files_of_a_job_that_a_command_has_ended_are_swept(bench: Bench) -> None:
    """`tokens revoke` cancels jobs, and knows nothing of the folder of their files."""
    job, waiting = bench.ask(), bench.ask()
    bench.jobs.cancel(job.id)
    _sweep_once(bench.folders, bench.jobs, 7 * 86_400.0)
    assert not list(bench.folders.of(job.request["folder"]).path.iterdir())
    assert list(bench.folders.of(waiting.request["folder"]).path.iterdir())


def test_jobs_of_long_ago_cost_nobody_anything(bench: Bench) -> None:
    """For each upload the folders of all jobs that there ever were were looked into: seconds, after some months."""
    ended, waiting = bench.ask(JobKind.APPLY), bench.ask(JobKind.APPLY)
    bench.jobs.cancel(ended.id)
    both = {job.request["folder"] for job in (ended, waiting)}
    week, now = 7 * 86_400.0, bench.jobs.clock()
    assert bench.jobs.folders_of(ended.token_id, week) == both
    bench.jobs.clock = lambda: now + 2 * week
    assert bench.jobs.folders_of(ended.token_id, week) == {waiting.request["folder"]}
    bench.folders.of(ended.request["folder"]).delete()
    assert bench.folders.there(both) == {waiting.request["folder"]}
    assert bench.folders.size(both) == bench.folders.size({waiting.request["folder"]}) > 0
