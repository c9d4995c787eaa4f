"""The coordinator's connection to a scheduler. Called by cluster.py."""

from distributed import Client, Security

from orchestrator.scale.dask_setup import RESOURCE


def open_client(address: str, tls: Security, timeout: float) -> Client:
    """The connection. Raises OSError, TimeoutError or ValueError where nobody answers within `timeout` seconds."""
    kind: type[Client] = _OneConnection
    return kind(address, security=tls, timeout=timeout, set_as_default=False)


def sandbox_workers(client: Client) -> frozenset[str]:
    """The workers that have a sandbox: dask gives a task to no other member. Raises what dask does, of many kinds."""
    if (scheduler := client.scheduler) is None:  # of a client that was closed
        raise OSError
    known = client.sync(scheduler.identity, n_workers=-1)["workers"]
    return frozenset(address for address, one in known.items() if one.get("resources", {}).get(RESOURCE))


class _OneConnection(Client):
    """Ends with its connection, where dask's would try to connect again.

    What was under way is lost either way, and dask's attempt at a scheduler that is just ending can raise anything, at
    the latest from `close`, which then never closes.
    """

    async def _reconnect(self) -> None:
        await self._close()
