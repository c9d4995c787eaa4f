"""The scheduler of the cluster: dask's, without its HTTP server. Called by cluster_member.py.

dask serves health, figures and its state over plain HTTP from every scheduler and worker, on all addresses of a worker,
and `dashboard=False` leaves out no more than the pages with graphs. Here nobody gets a connection without TLS.
"""

from pathlib import Path
from typing import Any

from distributed import Scheduler

from orchestrator.core.errors import SandboxError
from orchestrator.scale.dask_setup import security

_SILENT_S = 60


class TlsOnlyScheduler(Scheduler):
    """Listens for TLS alone."""

    def start_http_server(self, *_: Any, **__: Any) -> None:
        """None is started."""


async def open_scheduler(tls: Path, listen: str, port: int, folder: str) -> Scheduler:
    """A scheduler that others reach. Raises SandboxError where it cannot listen there.

    `folder`: for its files, nobody else's. dask imports modules from below it, and would take one that all users share.
    """
    try:
        made: Scheduler = await TlsOnlyScheduler(
            security=security(tls),
            protocol="tls",
            host=listen,
            port=port,
            dashboard=False,
            local_directory=folder,
            worker_ttl=_SILENT_S,
        )
    except (OSError, ValueError, RuntimeError) as error:
        cause = error.__cause__ or error  # of dask's own words, that it did not start
        reason = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
        raise SandboxError(
            f"The scheduler cannot listen at {listen}, port {port}: {reason.lower()}.",
            advice="Name another --listen or --port; a host stands in the one, a number in the other.",
        ) from error
    return made
