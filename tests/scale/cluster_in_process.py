"""A real scheduler and real workers over TLS in this process, with a sandbox that isolates nothing. For tests."""

import asyncio
import gc
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from orchestrator.core.policy import Policy
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.scale.cluster_sandbox import ClusterSandbox
from orchestrator.scale.dask_setup import prepare_dask, security
from orchestrator.scale.sandbox_host import SandboxHost
from orchestrator.scale.task_sender import TaskSender

prepare_dask()

from distributed import Scheduler, Worker  # noqa: E402 - `prepare_dask` comes first

from orchestrator.scale.cluster_client import open_client  # noqa: E402 - the same
from orchestrator.scale.dask_scheduler import open_scheduler  # noqa: E402 - the same
from orchestrator.scale.dask_worker import open_worker  # noqa: E402 - the same

T = TypeVar("T")
_S = 60


def host(policy: Policy | None = None) -> SandboxHost:
    """An honest host without containers."""
    return SandboxHost(policy or Policy(), lambda _policy: LocalSandbox())


class InProcess:
    """`certificates`: as `make_certificates` makes them."""

    def __init__(self, certificates: Path, folder: Path) -> None:
        self._certificates = certificates
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._workers: dict[str, tuple[Worker, SandboxHost]] = {}
        self.start_scheduler()

    def do(self, what: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(_S)

    @property
    def address(self) -> str:
        return str(self.scheduler.address)

    def add(self, one: SandboxHost, listen: str = "127.0.0.1") -> str:
        """A worker with this host; its address."""

        async def start() -> Worker:
            tls = security(self._certificates / "worker")
            made: Worker = await open_worker(self.address, tls, one, str(self._folder), listen)
            return made

        return self._started(start(), one)

    def add_without_sandbox(self) -> str:
        """A worker of dask's own, which may do any work but ours."""

        async def start() -> Worker:
            tls = security(self._certificates / "worker")
            made: Worker = await Worker(
                self.address, security=tls, nthreads=1, dashboard=False, local_directory=str(self._folder)
            )
            return made

        return self._started(start(), host())

    def _started(self, start: Coroutine[Any, Any, Worker], one: SandboxHost) -> str:
        worker = self.do(start)
        self._workers[worker.address] = (worker, one)
        return str(worker.address)

    def remove(self, address: str) -> None:
        """End a worker, and what it is at."""
        worker, one = self._workers.pop(address)
        one.close()
        self.do(worker.close(timeout=1, executor_wait=False))

    def remove_all(self) -> None:
        """End all workers that are left."""
        for address in list(self._workers):
            self.remove(address)

    def start_scheduler(self) -> None:
        """The first one, or another one after its end."""
        self.scheduler: Scheduler = self.do(self._schedule())

    def end_scheduler(self) -> None:
        self.do(self.scheduler.close())

    def close(self) -> None:
        self.remove_all()
        self.end_scheduler()
        self.do(_end_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_S)
        self._loop.close()
        gc.collect()  # what dask leaves behind shows in the test that left it, see `pytestmark` there

    async def _schedule(self) -> Scheduler:
        return await open_scheduler(self._certificates / "scheduler", "127.0.0.1", 0, str(self._folder))


async def _end_tasks() -> None:
    """Cancel what the scheduler and the workers left running."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


@contextmanager
def connected(
    cluster: InProcess, certificates: Path, *, apart: bool = True, patience_s: float = 5.0, policy: Policy | None = None
) -> Iterator[ClusterSandbox]:
    """The coordinator's end."""
    client = open_client(cluster.address, security(certificates / "client"), _S)
    with client:
        sender = TaskSender(client, apart=apart, patience_s=patience_s)
        sandbox = ClusterSandbox(client, sender, policy or Policy())
        try:
            yield sandbox
        finally:
            sandbox.close()
