"""Opens the cluster that a command asks for. Called by bootstrap."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple

from orchestrator.core.errors import SandboxError
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sandbox
from orchestrator.scale.certificates import check_certificates
from orchestrator.scale.cluster_address import ClusterAddress
from orchestrator.scale.dask_setup import prepare_dask, security

_CONNECT_S = 15.0
_JOIN_S = 30.0
_PATIENCE_S, _LOCAL_PATIENCE_S = 30.0, 3.0  # without a worker; nobody starts another one of `local:N`
_LANES = 2  # for each worker: while it runs one batch, the next is on its way to it


class OpenCluster(NamedTuple):
    """The sandbox of all workers; `lanes`: how many jobs keep them busy."""

    sandbox: Sandbox
    lanes: int


@contextmanager
def open_cluster(asked: ClusterAddress, policy: Policy) -> Iterator[OpenCluster]:
    """The cluster, with at least one worker; one that was started here ends with the block, however that ends.

    Raises UsageError where certificates or dask are missing, SandboxError where nobody answers.
    """
    prepare_dask()
    if not asked.local:
        assert asked.tls is not None  # noqa: S101 - read_address sees to it
        check_certificates(asked.tls, serves=False)
        with _connected(asked.scheduler, asked, policy) as found:
            yield found
        return
    from orchestrator.scale.local_cluster import LocalMembers

    with LocalMembers(asked.local, policy) as members:
        here = ClusterAddress(local=asked.local, tls=members.client)
        with _connected(members.address, here, policy) as found:
            yield found


@contextmanager
def _connected(address: str, asked: ClusterAddress, policy: Policy) -> Iterator[OpenCluster]:
    from orchestrator.scale.cluster_client import open_client, sandbox_workers
    from orchestrator.scale.cluster_sandbox import ClusterSandbox
    from orchestrator.scale.task_sender import TaskSender, scheduler_gone

    assert asked.tls is not None  # noqa: S101 - both callers see to it
    try:
        client = open_client(address, security(asked.tls), _CONNECT_S)
    except (OSError, TimeoutError, ValueError) as error:
        raise SandboxError(
            f"No scheduler answers at {address}.",
            advice="See that it runs there, and that both have certificates of the same `cleanroom cluster certs`.",
        ) from error
    with client:
        try:
            client.wait_for_workers(asked.local or 1, timeout=_JOIN_S)
            workers = len(sandbox_workers(client))
        except (OSError, TimeoutError):
            raise SandboxError(
                f"The cluster at {address} has no worker.", advice="Start some: `cleanroom worker ADDRESS --tls DIR`."
            ) from None
        except Exception as error:  # dask's, of many kinds, where the scheduler ends meanwhile
            if client.status == "running":
                raise
            raise scheduler_gone(local=bool(asked.local)) from error
        if not workers:
            raise SandboxError(
                f"No worker of the cluster at {address} has a sandbox.",
                advice="Start workers with `cleanroom worker ADDRESS --tls DIR`, and not with dask's own command.",
            )
        local = bool(asked.local)
        patience_s = _LOCAL_PATIENCE_S if local else _PATIENCE_S
        sender = TaskSender(client, apart=not local and workers > 1, local=local, patience_s=patience_s)
        with closing(ClusterSandbox(client, sender, policy)) as sandbox:
            yield OpenCluster(sandbox, _LANES * workers)
