"""What goes out of use because a function comes into use, as events of the database. Called by `store`."""

from collections.abc import Iterable

from orchestrator.core.promoted import Promoted
from orchestrator.registry.entries import Status, superseded_by, superseding
from orchestrator.registry.registry_tables import EventRow, FunctionRow
from orchestrator.registry.rows import event_row, rows_in


def superseding_events(promoted: Promoted, rows: Iterable[FunctionRow]) -> list[EventRow]:
    """What takes the earlier versions of a function that comes into use, and the one that it replaces, out of use."""
    gone = superseded_by(promoted.candidate)
    return [
        event_row(row.id, Status.SUPERSEDED, superseding(promoted, row.name))
        for row in rows_in(rows, Status.ACTIVE, Status.SUSPENDED, Status.HELD)
        if row.name in gone and (row.name, row.version) != (promoted.name, promoted.version)
    ]
