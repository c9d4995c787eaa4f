"""What goes out of use because a function comes into use, as events of the database. Called by `store`."""

from collections.abc import Collection, Iterable

from orchestrator.core.candidate import Candidate
from orchestrator.core.promoted import Promoted
from orchestrator.registry.entries import Status, conflict, superseded_by, superseding, unforeseen
from orchestrator.registry.log.function_status import LoggedFunctions
from orchestrator.registry.registry_tables import EventRow, FunctionRow
from orchestrator.registry.rows import event_row, promoted_of, rows_in, status_of_row

MayEnd = Collection[Promoted]
"""The functions that may go out of use."""


def superseding_events(promoted: Promoted, rows: Iterable[FunctionRow]) -> list[EventRow]:
    """What takes the earlier versions of a function that comes into use, and the one that it replaces, out of use."""
    gone = superseded_by(promoted.candidate)
    return [
        event_row(row.id, Status.SUPERSEDED, superseding(promoted, row.name))
        for row in rows_in(rows, Status.ACTIVE, Status.SUSPENDED, Status.HELD)
        if row.name in gone and (row.name, row.version) != (promoted.name, promoted.version)
    ]


def check_new(
    candidate: Candidate, rows: Iterable[FunctionRow], known: LoggedFunctions, status: Status, *, approved: bool
) -> None:
    """Raise RegistryError where the same source is in the registry already with this status, or active.

    UsageError where it is suspended, or was when another function took its place: only who has `approved` lets it in.
    """
    for row in rows:
        logged = known.of(row.name, row.version)
        if row.sha256 != candidate.sha256 or logged.evidence is None:
            continue
        barred = logged.barred and not approved
        if barred or status_of_row(row) in {Status.ACTIVE, status}:
            raise conflict(promoted_of(row), suspended=barred)


def check_ends(candidate: Candidate, rows: Iterable[FunctionRow], ends: MayEnd | None) -> None:
    """Raise RegistryError where the function would end one that is none of those that it is to end (None: any).

    One that is suspended or held as well: its end is a decision about it. The same source is the same function.
    """
    if ends is not None:
        known, gone = {(one.name, one.version) for one in ends}, superseded_by(candidate)
        for row in rows_in(rows, Status.ACTIVE, Status.SUSPENDED, Status.HELD):
            if row.name in gone and row.sha256 != candidate.sha256 and (row.name, row.version) not in known:
                raise unforeseen(candidate.name, row.name, row.version, status_of_row(row))
