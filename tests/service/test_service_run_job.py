"""A run as a job of the service: cancelled, or its token revoked, it ends at its next step."""

from pathlib import Path
from typing import Any

import pytest

from orchestrator import bootstrap
from orchestrator.core.policy import Policy
from orchestrator.core.steps import EndStep, RunStatus
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import JobKind, NewJob
from orchestrator.run.journal.journal import read_journal
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.service.job_execution import JobExecutor
from orchestrator.service.job_worker import JobGone
from orchestrator.service.uploads import JobFolders


@pytest.mark.parametrize("wanted", [1, 3, 1_000])
def test_a_run_that_nobody_wants_ends_at_its_next_step(tmp_path: Path, wanted: int) -> None:
    """It went on to its end, in one of the worker's few lanes, though it counted as cancelled."""
    folder = JobFolders(tmp_path / "state").new()
    (folder.path / "data.csv").write_text("id,city\n" + "".join(f"{row}, Rome \n" for row in range(40)))
    jobs = JobStore(f"sqlite:///{tmp_path}/registry.db", create=True)
    request = {"folder": folder.name, "data": "data.csv", "instruction": ""}
    job, _ = jobs.add(NewJob(JobKind.RUN, "ann", request, "a"))
    jobs.close()
    told: list[str] = []

    def tell(kind: str, data: Any) -> None:
        told.append(data["kind"])
        if len(told) >= wanted:
            raise JobGone

    with LocalSandbox() as sandbox, DisposableProcess(decode_entry.ENTRY) as decoder:
        services = Services(sandbox, ScriptedGate, decoder, Policy(), "", bootstrap.open_registry)
        executor = JobExecutor(services, "")
        if wanted == 1_000:
            assert executor.perform(job, folder, tell)["run"]["promoted"]
            return
        with pytest.raises(JobGone):
            executor.perform(job, folder, tell)
    assert len(told) == wanted
    *_, last = read_journal(folder.made() / "run-0" / "run.jsonl")
    assert wanted == 1 or (isinstance(last, EndStep) and last.status is RunStatus.INTERRUPTED)
