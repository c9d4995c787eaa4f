"""How dask is set up in every process of a cluster: TLS always, no pages, no talk. Called before it is used."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.core.errors import UsageError
from orchestrator.scale.certificates import AUTHORITY, CERTIFICATE, KEY

if TYPE_CHECKING:
    from distributed import Security

RESOURCE = "sandbox"
"""What every worker has one of, and every task takes: so a worker runs one task at a time."""

_SETTINGS = {
    "distributed.admin.large-graph-warning-threshold": "1 TiB",  # a batch travels in its task, so that none is lost
    "distributed.comm.require-encryption": True,
    "distributed.comm.timeouts.connect": "10s",
    "distributed.scheduler.preload": [],
    "distributed.worker.preload": [],
    "distributed.worker.profile.enabled": False,
}


def prepare_dask() -> None:
    """Raises UsageError where dask.distributed is not installed."""
    try:
        import dask.config

        dask.config.set(_SETTINGS)
        import distributed  # noqa: F401 - with the settings
    except ImportError:
        raise UsageError(
            "A cluster takes dask.distributed, which is not installed.",
            advice="Install it: pip install 'cleanroom[cluster]'.",
        ) from None
    for name in ("distributed", "tornado"):  # what users need to know is said in our own sentences
        logging.getLogger(name).setLevel(logging.CRITICAL)
    for name in [one for one in logging.root.manager.loggerDict if one.startswith(("distributed.", "tornado."))]:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def security(folder: Path) -> "Security":
    """One certificate for all that this process does, from a member's folder."""
    from distributed import Security

    ca, certificate, key = (str(folder / name) for name in (AUTHORITY, CERTIFICATE, KEY))
    roles = {f"tls_{role}_{kind}": path for role in ("scheduler", "worker", "client")
             for kind, path in (("cert", certificate), ("key", key))}  # fmt: skip
    return Security(tls_ca_file=ca, require_encryption=True, **roles)
