"""Which version of a function an approval is of. Called by `store`."""

from collections.abc import Sequence

from orchestrator.core.errors import UsageError
from orchestrator.registry.entries import Status
from orchestrator.registry.log.function_status import LoggedFunctions
from orchestrator.registry.registry_tables import FunctionRow
from orchestrator.registry.rows import promoted_of, status_of_row
from orchestrator.registry.signing.trust import TrustPolicy


def row_to_approve(
    rows: Sequence[FunctionRow], seen: str, known: LoggedFunctions, trust: TrustPolicy
) -> FunctionRow | None:
    """The newest of these versions of one function, or an older one that waits for approvals, where that is meant.

    `seen`: how the hash of the source begins that a person has looked at. Raises UsageError where nobody says, and both
    wait: whoever has read the one would let the other one into use.
    """
    newest = max(rows, key=lambda row: row.version, default=None)
    if newest is None:
        return None
    waiting = next((row for row in rows if row.sha256 != newest.sha256 and _waits(row, known, trust)), None)
    if waiting is None:
        return newest
    if not seen:
        both = " and ".join(f"{row.version} ({status_of_row(row)}, {row.sha256[:12]})" for row in (waiting, newest))
        raise UsageError(
            f"Two versions of {newest.name} wait for an approval: {both}.",
            advice="Say which one you have looked at: --digest and its twelve digits.",
        )
    return waiting if waiting.sha256.startswith(seen.lower()) else newest


def _waits(row: FunctionRow, known: LoggedFunctions, trust: TrustPolicy) -> bool:
    """Whether it is suspended, or active and not applied before others have approved it."""
    if status_of_row(row) is Status.SUSPENDED:
        return True
    logged = known.of(row.name, row.version)
    return status_of_row(row) is Status.ACTIVE and logged.missing(promoted_of(row), trust) > 0
