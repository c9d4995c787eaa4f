"""What `--cluster` names: workers started here, or a scheduler that runs already. Called by the command line."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from orchestrator.core.errors import UsageError

_LOCAL = re.compile(r"local:([0-9]{1,4})")
_REMOTE = re.compile(r"tls://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
_SCHEDULER = "Write `tls://HOST:PORT`, as the scheduler said it when it was ready."
_ADVICE = "Write `local:N` for N workers on this machine, or `tls://HOST:PORT` for a scheduler."


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """`local`: so many workers are started here; else `scheduler` is one that runs, and `tls` what to show it."""

    local: int = 0
    scheduler: str = ""
    tls: Path | None = None


def read_address(text: str, tls: Path | None = None) -> ClusterAddress:
    """Raises UsageError where the text names no cluster, or the certificates are missing."""
    if found := _LOCAL.fullmatch(text):
        if tls is not None:
            raise UsageError(f"{text} makes certificates of its own.", advice="Leave --tls out, or name a scheduler.")
        workers, most = int(found[1]), 4 * (os.cpu_count() or 1)
        if not 1 <= workers <= most:
            raise UsageError(f"This machine can have 1 to {most} workers, not {workers}.", advice=_ADVICE)
        return ClusterAddress(local=workers)
    if tls is None and (_REMOTE.fullmatch(text)):
        raise UsageError(
            f"{text} asks for certificates.", advice="Name the client's folder of `cleanroom cluster certs` with --tls."
        )
    return ClusterAddress(scheduler=scheduler_address(text, _ADVICE), tls=tls)


def scheduler_address(text: str, advice: str = _SCHEDULER) -> str:
    """The address of a scheduler. Raises UsageError where it is none, or one without TLS.

    `advice`: without one that of a worker, which joins no `local:N`.
    """
    found = _REMOTE.fullmatch(text)
    if not found or not 0 < int(found[2]) < 2**16:
        raise UsageError(f"{text[:200]!r} is no cluster.", advice=advice)
    return text
