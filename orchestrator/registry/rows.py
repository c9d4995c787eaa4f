"""Function versions as rows of the database, and rows as values. Called by `store`."""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from orchestrator.core.errors import RegistryError, UsageError
from orchestrator.core.promoted import Promoted
from orchestrator.registry.entries import (
    Status,
    StatusEvent,
    digest,
    dumps,
    final,
    now,
    out_of_use,
    stored,
    unknown,
)
from orchestrator.registry.registry_tables import EventRow, FunctionRow
from orchestrator.registry.signing.json_text import read_json


def rows_in(rows: Iterable[FunctionRow], *statuses: Status) -> list[FunctionRow]:
    """Those of the rows that have one of these statuses."""
    return [row for row in rows if status_of_row(row) in statuses]


def status_of_row(row: FunctionRow) -> Status | None:
    """The status that its events say; None where it has none."""
    return final(event.status for event in row.events) if row.events else None


def not_there(name: str, rows: Iterable[FunctionRow]) -> UsageError:
    """Why nothing can be done with a function: the registry has none of this name, or its newest version is out of use.

    For whoever has looked for one that is in use among `rows`.
    """
    found = [(row.version, status) for row in rows if row.name == name and (status := status_of_row(row))]
    return out_of_use(name, *max(found)) if found else unknown(name)


def row_of(promoted: Promoted, status: Status = Status.ACTIVE, reason: str = "") -> FunctionRow:
    """A new row with its first event."""
    candidate = promoted.candidate
    at = promoted.promoted_at.isoformat()
    return FunctionRow(
        name=candidate.name,
        version=promoted.version,
        apply_order=promoted.order,
        sha256=candidate.sha256,
        source=candidate.source,
        issue=candidate.issue,
        docstring=candidate.docstring,
        has_detect=candidate.has_detect,
        contract=dumps(candidate.contract),
        evidence=dumps(promoted.evidence),
        promoted_at=at,
        content_sha256=digest(stored(promoted)),
        events=[EventRow(status=status, reason=reason, at=at)],
    )


def event_row(function_id: int, status: Status, reason: str) -> EventRow:
    """What happens to a function version now."""
    return EventRow(function_id=function_id, status=status, reason=reason, at=now().isoformat())


def plain_of(row: FunctionRow) -> dict[str, Any]:
    """The row as the JSON that was stored. Raises ValueError where it is none."""
    return {
        "candidate": {
            "source": row.source,
            "name": row.name,
            "issue": row.issue,
            "docstring": row.docstring,
            "contract": read_json(row.contract),
            "has_detect": row.has_detect,
        },
        "evidence": read_json(row.evidence),
        "order": row.apply_order,
        "version": row.version,
        "promoted_at": row.promoted_at,
    }


def promoted_of(row: FunctionRow) -> Promoted:
    """The row as a value. Raises RegistryError when it is not as it was stored."""
    try:
        plain = plain_of(row)
        promoted = Promoted.model_validate(plain)
        intact = promoted.candidate.sha256 == row.sha256 and digest(plain) == row.content_sha256
    except (ValidationError, ValueError, TypeError, RecursionError):
        intact = False
    if not intact:
        raise _changed(row)
    return promoted


def events_of(row: FunctionRow) -> tuple[StatusEvent, ...]:
    """All that happened to a function version, oldest first. Raises RegistryError for what cannot have happened."""
    told = [{"status": event.status, "reason": event.reason, "at": event.at} for event in row.events]
    try:
        return tuple(map(StatusEvent.model_validate, told))
    except ValidationError as error:
        raise _changed(row) from error


def _changed(row: FunctionRow) -> RegistryError:
    return RegistryError(
        f"The registry's row of {row.name}, version {row.version}, was changed after it was promoted.",
        advice="Do not use it: restore the registry from a copy, or promote the function again into a new one.",
    )
