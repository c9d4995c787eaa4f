"""How long a command waits where the last worker has gone: it is counted from then, once for all tasks."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator.core.errors import SandboxError
from orchestrator.core.policy import Policy
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.scale.sandbox_host import SandboxHost
from tests.scale.cluster_in_process import InProcess, connected, host
from tests.scale.test_workers_that_go_away import EXPECTED, cleaned

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Leaving(SandboxHost):
    """Keeps its first task for so many seconds, and goes away with it."""

    def __init__(self, seconds: float, leave: Callable[[], None]) -> None:
        super().__init__(Policy(), lambda _policy: LocalSandbox())
        self._seconds, self._leave, self._left = seconds, leave, threading.Event()

    def run(self, frame: bytes, worker: str) -> bytes:
        del frame, worker
        time.sleep(self._seconds)
        if not self._left.is_set():
            self._left.set()
            threading.Thread(target=self._leave).start()
        threading.Event().wait(30)
        return b""


def test_a_task_that_took_long_waits_for_a_new_worker_as_any_other(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """It had been under way for longer than the patience when its worker went away: another one may still come."""
    left: list[float] = []

    def leave() -> None:
        cluster.remove(address)
        left.append(time.monotonic())
        time.sleep(2)
        cluster.add(host())

    address = cluster.add(Leaving(8, leave))
    with connected(cluster, certificates, apart=False, patience_s=7) as sandbox:
        assert cleaned(tmp_path, sandbox, decoder) == EXPECTED
    assert left


def test_tasks_that_come_later_do_not_wait_again(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """One container's tasks wait for each other, so that a command with many took a multiple of the patience."""
    address = cluster.add(Leaving(0, lambda: cluster.remove(address)))
    with connected(cluster, certificates, apart=False, patience_s=6) as sandbox:
        with pytest.raises(SandboxError, match="No worker is left"):
            cleaned(tmp_path, sandbox, decoder)
        began = time.monotonic()
        with pytest.raises(SandboxError, match="No worker is left"):
            cleaned(tmp_path, sandbox, decoder)
        assert time.monotonic() - began < 5
