"""`--cluster local:N` with real processes and containers: the same bytes, and nothing left of them."""

import errno
import os
import signal
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from orchestrator.core.errors import OutputError
from orchestrator.core.policy import Policy
from orchestrator.core.ports import SandboxAccess
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.run.apply.apply import apply_functions
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.sandbox.containers.owner import RUN
from orchestrator.sandbox.posture.posture import LABEL
from orchestrator.scale import certificates
from orchestrator.scale.cluster import open_cluster
from orchestrator.scale.cluster_address import ClusterAddress
from orchestrator.scale.local_cluster import LocalMembers
from orchestrator.scale.task_sender import scheduler_gone
from tests.scale.test_applied_on_a_cluster import NUMBERS, TRIM, data


@pytest.mark.docker
def test_a_worker_that_is_killed_leaves_nothing(
    tmp_path: Path, decoder: DisposableProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two is killed in the middle: the file is as without isolation; no process, container or file is left."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    source = data(tmp_path)
    with LocalSandbox() as local:
        apply_functions(source, [TRIM, NUMBERS], tmp_path / "alone.csv", SandboxAccess(local, decoder))

    members: list[int] = []
    killed: list[int] = []

    class Watched(LocalMembers):
        def __init__(self, count: int, policy: Policy) -> None:
            super().__init__(count, policy)
            members.extend(self.pids)

    monkeypatch.setattr("orchestrator.scale.local_cluster.LocalMembers", Watched)

    def kill_one(_: int) -> None:
        if not killed:
            killed.append(members[-1])
            os.kill(members[-1], signal.SIGKILL)

    with open_cluster(ClusterAddress(local=2), Policy()) as cluster:
        access = SandboxAccess(cluster.sandbox, decoder)
        output = tmp_path / "out.csv"
        apply_functions(
            source, [TRIM, NUMBERS], output, access, batch_rows=100, workers=cluster.lanes, on_progress=kill_one
        )
    assert output.read_bytes() == (tmp_path / "alone.csv").read_bytes()
    assert len(members) == 3
    assert not [pid for pid in members if Path(f"/proc/{pid}").exists()]
    assert not list(scratch.iterdir())
    pids = {str(pid) for pid in members}
    with closing(Engine()) as engine:
        assert not [labels for _, labels in engine.labelled(RUN) if labels.get(f"{LABEL}owner-pid") in pids]


def test_a_full_folder_of_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody named that folder: the advice is about TMPDIR, and nothing is left in it."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(certificates, "write_new", full)
    with pytest.raises(OutputError, match="No space left") as refused:
        LocalMembers(1, Policy())
    assert refused.value.advice.startswith("Free some space in the folder of temporary files")
    assert "TMPDIR" in refused.value.advice
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(OutputError, match="cannot be written") as refused:
        LocalMembers(1, Policy())
    assert "TMPDIR" in refused.value.advice


def test_nobody_is_told_to_start_the_scheduler_of_a_command() -> None:
    """With `local:N` the command starts it."""
    assert scheduler_gone(local=True).advice == "Run the command again."
    assert scheduler_gone(local=False).advice.startswith("Start it again")
