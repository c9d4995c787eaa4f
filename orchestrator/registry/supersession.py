"""What goes out of use because a function comes into use, as events of the database. Called by `store`."""

from collections.abc import Collection, Iterable

from orchestrator.core.candidate import Candidate
from orchestrator.core.promoted import Promoted
from orchestrator.registry.entries import Status, superseded_by, superseding, unforeseen
from orchestrator.registry.registry_tables import EventRow, FunctionRow
from orchestrator.registry.rows import event_row, rows_in

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


def check_ends(candidate: Candidate, rows: Iterable[FunctionRow], ends: MayEnd | None) -> None:
    """Raise RegistryError where a function would go out of use that is none of those that it is to end (None: any)."""
    if ends is not None:
        known, gone = {(one.name, one.version) for one in ends}, superseded_by(candidate)
        for row in rows_in(rows, Status.ACTIVE):
            if row.name in gone and (row.name, row.version) not in known:
                raise unforeseen(candidate.name, row.name, row.version)
