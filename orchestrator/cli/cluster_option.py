"""What --cluster and --tls say together. Called by the commands that have them."""

from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from orchestrator.scale.cluster_address import ClusterAddress


def cluster_of(cluster: str | None, tls: Path | None) -> "ClusterAddress | None":
    """The cluster; None where this machine shall do the work. Raises UsageError."""
    if cluster is None:
        if tls is not None:
            raise UsageError("--tls is for --cluster.", advice="Name the scheduler: --cluster tls://HOST:PORT.")
        return None
    from orchestrator.scale.cluster_address import read_address

    return read_address(cluster, tls)
