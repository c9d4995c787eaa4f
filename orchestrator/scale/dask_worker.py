"""A worker of the cluster: dask's, with one thread, one sandbox and our host behind it. Called by cluster_member.py.

The functions that dask calls here by name take bytes and return bytes.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from distributed import Security, Worker, WorkerPlugin, get_worker

from orchestrator.core.errors import SandboxError
from orchestrator.scale.dask_setup import RESOURCE
from orchestrator.scale.sandbox_host import SandboxHost

_PLUGIN = "cleanroom"
_TIDY_S = 5.0
_JOIN_S = 30.0


class SandboxPlugin(WorkerPlugin):
    """Gives a worker its host."""

    name = _PLUGIN

    def __init__(self, host: SandboxHost) -> None:
        self.host = host


class TlsOnlyWorker(Worker):
    """Listens for TLS alone, as the scheduler does (dask_scheduler.py)."""

    def start_http_server(self, *_: Any, **__: Any) -> None:
        """None is started."""


def run_task(frame: bytes) -> bytes:
    """Called by dask in the worker's thread."""
    worker = get_worker()
    return _host(worker).run(frame, worker.address)


def end_session(session: str, dask_worker: Worker) -> None:
    """Called by dask on every worker when a coordinator has done. The argument's name is dask's."""
    _host(dask_worker).end(session)


def open_worker(scheduler: str, tls: Security, host: SandboxHost, folder: str, listen: str = "") -> Worker:
    """The worker, not yet started. `folder`: for its files, of which it writes none of the data. `listen`: a host."""
    return TlsOnlyWorker(
        scheduler,
        security=tls,
        nthreads=1,
        resources={RESOURCE: 1},
        memory_limit=0,  # no spilling: rows are never written to a worker's disk
        dashboard=False,
        local_directory=folder,
        host=listen or _address_towards(scheduler),
        plugins=(SandboxPlugin(host),),
        death_timeout=_JOIN_S,
    )


async def serve_worker(
    made: Callable[[], Worker], host: SandboxHost, stop: asyncio.Event, ready: Callable[[str], None]
) -> None:
    """Work until `stop`. Raises SandboxError where the scheduler does not answer, or went away."""
    try:
        worker = await made()
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        said = str(error)[:200].rstrip(".") or type(error).__name__
        late = f"none answered it within {_JOIN_S:.0f} s"  # also one with a certificate of another authority
        raise SandboxError(
            f"No scheduler let the worker in: {late if isinstance(error, TimeoutError) else said}.",
            advice="See that it runs there, and that both have certificates of the same `cleanroom cluster certs`.",
        ) from error
    ready(worker.address)
    ended, asked = asyncio.ensure_future(worker.finished()), asyncio.ensure_future(stop.wait())
    try:
        while not ended.done() and not asked.done():
            await asyncio.wait((ended, asked), timeout=_TIDY_S, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.to_thread(host.end_idle)
        if not asked.done():
            raise SandboxError("The scheduler went away.", advice="Start it again, then this worker.")
    finally:
        for one in (ended, asked):
            one.cancel()
        await asyncio.to_thread(host.close)
        await worker.close(timeout=2, executor_wait=False)


def _address_towards(scheduler: str) -> str | None:
    """This machine's address on the way to the scheduler, under which dask announces the worker.

    Without it dask listens at every address of the machine. None where there is no way: dask then says so.
    """
    there = urlsplit(scheduler)
    try:
        for family, kind, protocol, _, place in socket.getaddrinfo(there.hostname, there.port, type=socket.SOCK_DGRAM):
            with socket.socket(family, kind, protocol) as one:
                one.connect(place)  # sends nothing
                own = str(one.getsockname()[0])
                return f"[{own}]" if ":" in own else own
    except OSError:
        return None
    return None


def _host(worker: Worker) -> SandboxHost:
    plugin = worker.plugins[_PLUGIN]
    if not isinstance(plugin, SandboxPlugin):
        raise TypeError
    return plugin.host
