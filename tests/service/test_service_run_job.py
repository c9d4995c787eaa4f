"""A run as a job of the service: cancelled, or its token revoked, it ends at its next step; what it leaves behind."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from orchestrator import bootstrap
from orchestrator.core.policy import Policy
from orchestrator.core.steps import EndStep, RunStatus
from orchestrator.core.verdict import CheckResult, Outcome, Question
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.registry.bundle import load_functions
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import JobKind, NewJob, ServiceJob
from orchestrator.run.journal.journal import read_journal
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.service.job_execution import JobExecutor
from orchestrator.service.job_worker import JobGone
from orchestrator.service.uploads import JobFolder, JobFolders


@pytest.mark.parametrize("wanted", [1, 3, 1_000])
def test_a_run_that_nobody_wants_ends_at_its_next_step(tmp_path: Path, wanted: int) -> None:
    """It went on to its end, in one of the worker's few lanes, though it counted as cancelled."""
    job, folder = _asked(tmp_path)
    told: list[str] = []

    def tell(kind: str, data: Any) -> None:
        told.append(data["kind"])
        if len(told) >= wanted:
            raise JobGone

    with _executor() as executor:
        if wanted == 1_000:
            assert executor.perform(job, folder, tell)["run"]["promoted"]
            return
        with pytest.raises(JobGone):
            executor.perform(job, folder, tell)
    assert len(told) == wanted
    *_, last = read_journal(folder.made() / "run-0" / "run.jsonl")
    assert wanted == 1 or (isinstance(last, EndStep) and last.status is RunStatus.INTERRUPTED)


def test_the_functions_of_a_run_come_with_all_that_their_program_needs(tmp_path: Path) -> None:
    """The file alone refuses to run: its signed manifest was no file of the job."""
    job, folder = _asked(tmp_path)
    with _executor() as executor:
        files = executor.perform(job, folder, lambda _kind, _data: None)["files"]
    assert "run-0/cleaning_functions.zip" in files
    with zipfile.ZipFile(folder.has_made("run-0/cleaning_functions.zip")) as archive:
        archive.extractall(tmp_path / "there")
    assert [one.name for one in load_functions(folder.has_made("run-0/cleaning_functions.zip"))]
    (tmp_path / "in.csv").write_text("id,city\n1, Bonn \n")
    program = [sys.executable, str(tmp_path / "there" / "cleaning_functions.py")]
    subprocess.run([*program, "in.csv", "out.csv"], cwd=tmp_path, check=True)
    assert (tmp_path / "out.csv").read_text() == "id,city\n1,Bonn\n"
    assert not list((tmp_path / "there").rglob("*.db")), "the registry of the run stays where it is"


class _Doubting(ScriptedGate):
    """Holds everything, and asks about one change."""

    def __init__(self) -> None:
        super().__init__(lambda _candidate, _sample: Outcome.HOLD)

    def _held(self, check: str) -> CheckResult:
        asked = Question(column="city", input={"city": " Rome "}, output={"city": "Rome"}, why="figures-vanish")
        return super()._held(check).model_copy(update={"questions": (asked,)})


def test_what_a_run_has_held_comes_with_its_sources_and_questions(tmp_path: Path) -> None:
    """The page of the job said that functions are held, and there was nothing that anybody could do."""
    job, folder = _asked(tmp_path)
    with _executor(_Doubting) as executor:
        result = executor.perform(job, folder, lambda _kind, _data: None)
    [held] = result["run"]["held"]
    source, questions = (folder.has_made(name).read_text() for name in result["files"] if "/held_" in name)
    assert f"def {held['name']}(" in source
    asked = json.loads(questions)
    assert (asked["function"], asked["before"], asked["right"]) == (held["name"], " Rome ", None)


def _asked(tmp_path: Path) -> tuple[ServiceJob, JobFolder]:
    """A run that somebody has asked for."""
    folder = JobFolders(tmp_path / "state").new()
    (folder.path / "data.csv").write_text("id,city\n" + "".join(f"{row}, Rome \n" for row in range(40)))
    jobs = JobStore(f"sqlite:///{tmp_path}/registry.db", create=True)
    request = {"folder": folder.name, "data": "data.csv", "instruction": ""}
    job, _ = jobs.add(NewJob(JobKind.RUN, "ann", request, "a"))
    jobs.close()
    return job, folder


@contextmanager
def _executor(gate: Callable[[], ScriptedGate] = ScriptedGate) -> Iterator[JobExecutor]:
    with LocalSandbox() as sandbox, DisposableProcess(decode_entry.ENTRY) as decoder:
        services = Services(sandbox, gate, decoder, Policy(), "", bootstrap.open_registry)
        yield JobExecutor(services, "")
