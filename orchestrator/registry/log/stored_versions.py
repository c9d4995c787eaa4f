"""Proves what is stored of every version, in use or not, and why it went out of use. Called by `registry verify`.

Who applies functions needs less: those in use are held against their evidence whenever they are read.
"""

from collections.abc import Iterable

from orchestrator.core.errors import NotVerified
from orchestrator.registry.entries import Status, superseding
from orchestrator.registry.log.function_status import LoggedFunction, LoggedFunctions
from orchestrator.registry.registry_tables import EventRow, FunctionRow
from orchestrator.registry.rows import plain_of, promoted_of
from orchestrator.registry.signing.statement import check_describes


def check_stored(known: LoggedFunctions, rows: Iterable[FunctionRow]) -> None:
    """Raises NotVerified, RegistryError unless each signed version, and what is told of it, is what was signed."""
    found = [(row, promoted_of(row)) for row in rows]
    ends = {superseding(promoted, row.name) for _, promoted in found for row, _ in found}
    for row, promoted in found:
        logged = known.of(row.name, row.version)
        if logged.evidence is None:  # from before there were signatures
            continue
        check_describes(logged.evidence.statement, plain_of(row), promoted.candidate.sha256)
        if not all(_is_signed(event, logged, ends) for event in row.events):
            raise NotVerified(
                f"What the registry tells of {row.name}, version {row.version}, is not what was signed.",
                advice="`cleanroom registry audit` shows what was signed.",
            )


def _is_signed(event: EventRow, logged: LoggedFunction, ends: set[str]) -> bool:
    """Whether the event is told as somebody has signed it; that one is superseded follows from another's evidence."""
    match event.status:
        case Status.SUPERSEDED:
            return event.reason in ends
        case Status.REVOKED | Status.SUSPENDED:
            return (event.status, event.reason, event.at) in logged.told
        case _:
            return not event.reason or event.reason in {reason for _, reason, _ in logged.told}
